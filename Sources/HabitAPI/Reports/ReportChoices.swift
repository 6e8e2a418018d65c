import Base
import HabitModel
import HabitReport
import HabitStore
import StoreEngine

/// The records that a person can choose as parameters of a report.
package struct ReportChoices: Sendable {
    /// A record with its name.
    package struct Choice: Sendable {
        package let id: String
        package let name: String
    }

    /// The viewer and the users whose records the viewer can see; `nil` if there are too many for a list.
    package private(set) var users: [Choice]?
    /// The visible habits; `nil` if there are too many for a list.
    package private(set) var habits: [Choice]?

    /// Maximum number of records in a list.
    static let limit = 200

    /// Creates choices without records.
    init() {}

    /// Reads the records that the parameters of a report name.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - viewer: The viewer, who can see the records.
    ///   - clock: The time of the request.
    ///   - session: A session on the store.
    /// - Throws: An error of the engine.
    init(of report: Report, viewer: Viewer, clock: Clock, in session: any Session) throws {
        let kinds = report.parameters.map(\.kind)
        let names = NameLookup(viewer: viewer, in: session)
        if kinds.contains(.user) {
            users = try Self.read(.readableUsers, names, clock: clock)
        }
        if kinds.contains(.habit) {
            habits = try Self.read(.visibleHabits, names, clock: clock)
        }
    }

    private static func read(
        _ listed: NameLookup.Listed,
        _ names: NameLookup,
        clock: Clock
    ) throws -> [Choice]? {
        var choices: [Choice] = []
        try names.forEach(listed, clock: clock) { id, name in
            choices.append(Choice(id: id, name: name))
            return choices.count <= limit
        }
        return choices.count > limit ? nil : choices
    }
}
