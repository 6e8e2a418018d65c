import Base
import HabitModel
import HabitStore
import StoreEngine

extension CommonOptions {
    /// Returns the lookup of the records that a person names.
    func names(for viewer: Viewer, in session: any Session) -> NameLookup {
        NameLookup(viewer: viewer, rule: .beginning, in: session)
    }
}

extension CommonOptions {
    /// Finds the records that a person names and requests a confirmation of their deletion.
    ///
    /// Beginnings of names stand for records only if the command asks, because the question has the complete name.
    ///
    /// - Parameters:
    ///   - records: The names of the records.
    ///   - confirmation: The options of the confirmation.
    ///   - question: Returns the question for the records, as the user reads them.
    ///   - find: Returns the ID of the record that a name stands for, and its title.
    /// - Returns: The IDs of the records, or the names if the command does not ask.
    /// - Throws: `confirm-required`; if the command asks, the errors of opening the store and of `find`.
    func confirm(
        _ records: [String], by confirmation: ConfirmOptions, question: (String) -> String,
        find: (NameLookup, Clock, _ name: String) throws -> (id: String, title: String?)
    ) throws -> [String] {
        guard confirmation.asks else {
            try confirmation.confirm(question(Self.quoted(records)))
            return records
        }
        let clock = try clock()
        let found = try open(.read).read { session in
            let names = names(for: try viewer(in: session), in: session)
            return try records.map { record in try find(names, clock, record) }
        }
        let titles = found.map { record in record.title ?? record.id }
        try confirmation.confirm(question(Self.quoted(titles)))
        return found.map(\.id)
    }

    private static func quoted(_ texts: [String]) -> String {
        texts.map { text in "'\(text)'" }.joined(separator: ", ")
    }
}

extension PlaceNames {
    /// The names of places in the options of commands.
    static let commandLine = PlaceNames(own: (try? Configuration.current.get().places) ?? [:])
}
