import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The rows of `habitat config`.
struct ConfigurationRows {
    /// The columns of the list.
    static let shape = ResultShape(
        columns: [
            Column("key", .text, at: 0),
            Column("value", .text, at: 1),
            Column("from", .text, at: 2),
        ],
        identity: ["key"])

    /// A value with its source, as the list shows it.
    struct Row {
        var key: String
        var value: String?
        var origin: Configuration.Origin
    }

    /// All rows: the keys in the order of the documentation, then the places by name.
    let all: [Row]

    /// Creates the rows of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The variables and the file.
    ///   - common: The options for the store and the user.
    ///   - reports: The option for the folders of reports.
    init(
        _ configuration: Configuration,
        options common: CommonOptions,
        reports: ReportOptions
    ) {
        let store = configuration.store(option: common.store)
        let location = store.map { store in
            StoreLocation(store).description
        }
        var user = configuration.user(option: common.as)
        if common.asOperator {
            user = .init(value: nil, origin: .option)
        }
        let folders = configuration.reports(option: reports.reports)
        let list = folders.map { folders in
            folders.isEmpty ? nil : folders.joined(separator: ":")
        }
        let rows = [
            Row("store", location.map(Optional.some)),
            Row("user", user),
            Row("reports", list),
            Row("color", configuration.color.map(Optional.some)),
            Row("public-url", configuration.publicURL(option: nil).map(Optional.some)),
        ]
        all = rows + Self.places(of: configuration.file)
    }

    /// Returns the rows of the places, by name.
    private static func places(of file: ConfigurationFile?) -> [Row] {
        guard let file else { return [] }
        let names = file.values.keys.filter { name in
            name.hasPrefix("places.")
        }
        return names.sorted().map { name in
            Row(key: name, value: file.values[name]?.text, origin: .file(file.path))
        }
    }

    /// Returns the row of a key, which has no value if the configuration does not have the key.
    func row(named name: String) -> Row {
        let row = all.first { row in
            row.key == name
        }
        let unset = Row(key: name, value: nil, origin: .standard)
        return row ?? unset
    }

    /// Returns the path of the configuration file.
    ///
    /// - Throws: `usage` if `HABITAT_CONFIG` is empty, or if it and `HOME` are unset.
    static func requiredPath() throws -> String {
        guard let path = UserFolders.process.configurationFile else {
            throw HabitError(
                .usage,
                "no configuration file is selected: set HABITAT_CONFIG to the path of a file")
        }
        return path
    }
}

extension OutputOptions {
    /// Shows rows of the configuration.
    ///
    /// The table for people abbreviates the home folder.
    func show(
        _ rows: [ConfigurationRows.Row],
        _ common: CommonOptions,
        single: Bool = false
    ) throws {
        let isForPeople = try chosenFormat() == .text && !plain
        let values = rows.map { row in
            row.values(isAbbreviated: isForPeople)
        }
        try show(common, whenEmpty: "", single: single) { begin in
            let receiver = try begin(ConfigurationRows.shape)
            try receiver.append(values)
        }
    }
}

extension ConfigurationRows.Row {
    fileprivate init(_ key: String, _ value: Configuration.Sourced<String?>) {
        self.init(key: key, value: value.value, origin: value.origin)
    }

    /// Returns the values of the columns.
    fileprivate func values(isAbbreviated: Bool) -> ValueRow {
        let folders = UserFolders.process
        var shown = value
        var source = origin.text
        if isAbbreviated {
            shown = shown.map(folders.abbreviate)
            source = folders.abbreviate(source)
        }
        return ValueRow([.text(key), .text(shown), .text(source)])
    }
}
