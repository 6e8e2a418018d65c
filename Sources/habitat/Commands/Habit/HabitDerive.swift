import ArgumentParser
import Base
import Geo
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine

struct HabitDerive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "derive", abstract: "Add events for the days of a track at a position.",
        usage: "habitat habit derive --habit <habit> --position <position>\n  --from-track <file> [<options>]",
        discussion: """
            The command reads a track and adds an event to a habit for each day on which the track arrives at the position \
            and stays within the distance for the given time. The event has the day and the instant of the first arrival \
            of the day, at the UTC offset of the track. A track without an offset is in the time zone of --time-zone, \
            otherwise in the time zone of the user.

            Points of a stay are at most 10 minutes apart. A stay that lasts past midnight counts for the day of the \
            arrival. Existing events are kept, so a repeated command changes nothing. A stay on a day that is not due \
            also becomes an event; it is unplanned and does not count in the completion rate.

            FILE is a file, a folder, a ZIP archive, or - for the standard input, in any format that 'habitat import \
            --places-from' reads. The format is recognized from the content.

            Users add events only to their own habits. The operator can name the user with --user.

            Examples:
              habitat habit derive --habit alice-gym --position 38.72,-9.1461 \\
                --within 100m --stay 20min --from-track sample-data/imports/gym.gpx
              habitat habit derive --habit Gym --as alice --position 38.72,-9.1461 \\
                --from-track sample-data/imports/gym.gpx --dry-run
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("ID or title of the habit.", valueName: "habit"),
        completion: .ownHabit)
    var habit: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Center of the area: LATITUDE,LONGITUDE in degrees, or a large city.", valueName: "position"),
        completion: .position)
    var position: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum distance from the position, with a unit, such as 100m.", valueName: "distance"),
        completion: .anyText)
    var within = "100m"
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Minimum length of a stay, at most 24h, such as 20min.", valueName: "time"),
        completion: .anyText)
    var stay = "20min"
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Track to read; repeatable.", valueName: "file"), completion: .file())
    var fromTrack: [String]
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("ID of the owner of the habit (default: the acting user).", valueName: "id"),
        completion: .user)
    var user: String?
    @Flag(help: "Show the events without storing them.")
    var dryRun = false
    @OptionGroup var unpacking: UnpackOption
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    /// The habit that receives the events.
    private struct Target {
        var id: String
        var account: ImportAccount
    }

    /// The error that rolls a dry run back.
    private struct DryRunRollback: Error {}

    private static let shape = ResultShape(
        columns: ["habit", "day", "at", "result"].enumerated().map { index, name in
            Column(name, .text, at: index)
        })

    func run() throws {
        try output.refuseExplanation()
        _ = try output.chosenFormat()
        let center = try PlaceNames.commandLine.position(position, field: "position")
        let distance = try Parse.distance(within, field: "within")
        let length = try Parse.duration(stay, option: "stay")
        let limit = try unpacking.limit
        let clock = try common.clock()
        let files = fromTrack.filter { path in path != "-" }
        try common.protect(files, from: output.output, option: "output")
        let engine = try common.open(.write)
        let target = try engine.read { session in try self.target(in: session) }
        var stays = TrackStays(
            near: center, within: distance, atLeast: length, in: clock.timeZone ?? target.account.zone)
        // The track is read before the transaction, because other processes cannot write during the transaction.
        try stays.read(fromTrack, limit: limit)
        for notice in stays.notices { common.notice(notice.message) }
        do {
            try engine.write { session in
                let rows = try store(stays.arrivals, target, in: session)
                try common.ignoringBrokenPipe {
                    try output.show(common, whenEmpty: "The track has no stay of \(stay) within \(distance).") {
                        begin in
                        try begin(Self.shape).append(rows)
                    }
                }
                if dryRun { throw DryRunRollback() }
            }
        } catch is DryRunRollback {
            common.notice("A dry run stores nothing.")
        }
    }

    /// Adds the events of days without an event.
    ///
    /// - Parameters:
    ///   - arrivals: The arrivals, at most one a day.
    ///   - target: The habit.
    ///   - session: The session of the writes.
    /// - Returns: The rows to show: the day, the instant, and whether the event was inserted or the day had one.
    /// - Throws: The error of an event that breaks a rule.
    private func store(_ arrivals: [TrackStays.Arrival], _ target: Target, in session: any Session) throws -> [ValueRow]
    {
        try session.writeRecords(policy: .keep) { writer in
            try arrivals.map { arrival in
                var event = EventRecord(habit: target.id)
                event.user = target.account.id
                event.day = arrival.day
                event.at = .value(arrival.at)
                event.outcome = .value(.done)
                let isNew = try writer.write(.event(event)) == .inserted
                return ValueRow([
                    .text(target.id), .text(arrival.day.description), .text(arrival.at.description),
                    .text(isNew ? "inserted" : "kept"),
                ])
            }
        }
    }

    // MARK: Habit

    /// Finds the habit and its owner.
    ///
    /// The operator can omit the owner, because the ID of a habit is unique in the store.
    ///
    /// - Throws: `not-found`, `not-yours`, `not-signed-in`, or `usage` if several habits have the title.
    private func target(in session: any Session) throws -> Target {
        let viewer = try common.viewer(in: session)
        if case .user(_, let actingUser) = viewer {
            guard user == nil || user == actingUser || user == "me" else {
                throw HabitError(
                    .notYours, "users can add events only to their own habits", field: "user", .omit(.user),
                    .actAsOperator)
            }
            let id = try common.names(for: viewer, in: session).habitID(habit, own: true)
            try AccessChecker(viewer: viewer, in: session).require(.record, on: .habit, id: id)
            return Target(id: id, account: try ImportAccount(actingUser, in: session))
        }
        if let user { return try target(of: try ImportAccount(user, in: session)) }
        let id = try common.names(for: .operator, in: session).habitID(habit)
        let access = AccessChecker(viewer: .operator, in: session)
        guard let owner = try access.find(.habit, id)?.object.owner else { throw Access.notFound(.habit, id) }
        return Target(id: id, account: try ImportAccount(owner, in: session))
    }

    /// Finds the habit of a user by its ID or its complete title.
    private func target(of account: ImportAccount) throws -> Target {
        let name = habit.composed
        if let found = account.habits.first(where: { $0.id == name }) { return Target(id: found.id, account: account) }
        let titled = account.habits.filter { $0.foldedTitle == name.folded }
        guard let found = titled.first else { throw Access.notFound(.habit, habit) }
        guard titled.count == 1 else {
            throw HabitError(
                .usage,
                "several habits have the title '\(habit)': use one of the ids \(titled.map(\.id).joined(separator: ", "))",
                field: "habit")
        }
        return Target(id: found.id, account: account)
    }
}
