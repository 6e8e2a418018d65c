import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The rows of `habitat config`.
struct ConfigurationRows {
    /// The columns of the list.
    static let shape = ResultShape(
        columns: [Column("key", .text, at: 0), Column("value", .text, at: 1), Column("from", .text, at: 2)],
        identity: ["key"])

    /// A value with its source, as the list shows it.
    struct Row {
        var key: String
        var value: String?
        var origin: Configuration.Origin
    }

    /// All rows: the keys in the order of the documentation, then the places by name.
    let all: [Row]

    init(_ configuration: Configuration, _ common: CommonOptions, _ reports: ReportOptions) {
        let store = configuration.store(option: common.store)
        let user = configuration.user(option: common.as)
        let folders = configuration.reports(option: reports.reports)
        let color = configuration.color
        let list = folders.value.isEmpty ? nil : folders.value.joined(separator: ":")
        var rows = [
            Row(key: "store", value: StoreLocation(store.value).description, origin: store.origin),
            Row(
                key: "user", value: common.asOperator ? nil : user.value,
                origin: common.asOperator ? .option : user.origin),
            Row(key: "reports", value: list, origin: folders.origin),
            Row(key: "color", value: color.value, origin: color.origin),
        ]
        if let file = configuration.file {
            for (name, value) in file.values.sorted(by: { $0.key < $1.key }) where name.hasPrefix("places.") {
                rows.append(Row(key: name, value: value.text, origin: .file(file.path)))
            }
        }
        all = rows
    }

    /// Returns the row of a key, which has no value if the configuration does not have the key.
    func row(named name: String) -> [Row] {
        let rows = all.filter { $0.key == name }
        return rows.isEmpty ? [Row(key: name, value: nil, origin: .standard)] : rows
    }

    /// Returns the path of the configuration file.
    ///
    /// - Throws: `usage` if `HABITAT_CONFIG` is empty, or if it and `HOME` are unset.
    static func requiredPath() throws -> String {
        guard let path = UserFolders.process.configurationFile else {
            throw HabitError(.usage, "no configuration file is selected: set HABITAT_CONFIG to the path of a file")
        }
        return path
    }
}

extension OutputOptions {
    /// Shows rows of the configuration.
    ///
    /// The table for people abbreviates the home folder.
    func show(_ rows: [ConfigurationRows.Row], _ common: CommonOptions, single: Bool = false) throws {
        let isForPeople = try chosenFormat() == .text && !plain
        try show(common, whenEmpty: "", single: single) { begin in
            let receiver = try begin(ConfigurationRows.shape)
            try receiver.append(rows.map { row in row.values(isAbbreviated: isForPeople) })
        }
    }
}

extension ConfigurationRows.Row {
    /// Returns the values of the columns.
    fileprivate func values(isAbbreviated: Bool) -> ValueRow {
        let folders = UserFolders.process
        var shown = value
        var source = origin.text
        if isAbbreviated {
            shown = shown.map(folders.abbreviate)
            source = folders.abbreviate(source)
        }
        return ValueRow([.text(key), shown.map { .text($0) } ?? .null, .text(source)])
    }
}
