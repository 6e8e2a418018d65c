import Base
import HabitModel
import HabitStore
import StoreEngine

/// The input of the nightly runs of a range of days: all data on which their files depend.
///
/// A nightly run is repeated if its input differs from the input in its manifest. The input contains digests of the
/// records and the reports, the versions of the program and of tzdata, and the users whose day is not over.
public struct NightlyInputs {
    private let common: [String: String]
    private let digests: DayDigests
    private let timeZone: String
    private let runClock: Clock
    /// The users in each time zone.
    private var users: [(zone: TimeZoneRules, ids: [String])] = []

    /// Reads the input of all days.
    ///
    /// All records are read once.
    ///
    /// - Parameters:
    ///   - reports: The nightly reports.
    ///   - options: The options of the run that determine its files.
    ///   - days: The report days.
    ///   - timeZone: The time zone of the report days.
    ///   - runClock: The clock of the run, by which a day is over for each user.
    ///   - session: A session of the store. Read the input before the reports: a change between the two then repeats
    ///     the run.
    ///   - crew: Other threads, which read a part of the records.
    /// - Throws: An error of the engine.
    public init(
        _ reports: [Report],
        options: String,
        days: ClosedRange<Day>,
        timeZone: String,
        runClock: Clock,
        in session: any Session,
        crew: ReadCrew = .alone
    ) throws {
        self.timeZone = timeZone
        self.runClock = runClock
        let sortedReports = reports.sorted { one, other in one.id < other.id }
        let texts = sortedReports.map { "\($0.id) \($0.digest.hexadecimal)" }
        common = [
            "options": options,
            "reports": texts.lengthPrefixedSHA256.hexadecimal,
            "tzdata": TimeZoneDatabase.system.sources.joined(separator: ", "),
        ]
        digests = try DayDigests(
            days,
            of: Self.kinds(of: reports),
            includesLook: reports.contains(where: Self.readsLook),
            in: session,
            crew: crew)
        var usersByZone: [String: [String]] = [:]
        try UserZoneQuery.forEach(in: session) { user, zone in
            usersByZone[zone, default: []].append(user)
        }
        users = usersByZone.map { zone, users in
            (zone: TimeZoneRules(zone) ?? .utc, ids: users)
        }
    }

    /// The kinds of records on which every report of habits can depend.
    private static let always: Set<RecordKind> = [
        .settings, .users, .habits, .schedules, .pauses, .follows, .blocks, .events,
    ]
    /// The kinds that only some reports read.
    ///
    /// The view of one of these kinds can show values of the others.
    private static let sometimes: Set<RecordKind> = [.items, .claims, .messages, .posts]

    private static func kinds(of reports: [Report]) -> Set<RecordKind> {
        let isRead = reports.contains { report in
            let sql = report.sql.lowercased()
            return sometimes.contains { sql.contains($0.rawValue) }
        }
        return isRead ? always.union(sometimes) : always
    }

    /// The columns of habits that determine only how they look, their order and their reminders.
    private static let look = ["tint", "symbol", "rank", "remind_at"]

    /// Whether a report can depend on how habits look.
    ///
    /// The shipped reports do not. A report that selects all columns of a table does.
    static func readsLook(_ report: Report) -> Bool {
        let lines = report.sql.lowercased().replacing(/--[^\n]*/, with: " ")
        let sql = lines.replacing(#/(?s)\/\*.*?\*\//#, with: " ")
        let allColumns = #/(?:select|distinct|all|,)\s*(?:[\w"]+\.)?\*/#
        if sql.contains(allColumns) { return true }
        return look.contains { column in sql.contains(column) }
    }

    /// Returns the manifest of a nightly run with this input, without files.
    ///
    /// - Parameter day: A day of the range.
    /// - Returns: The manifest.
    public func manifest(of day: Day) -> NightlyManifest {
        var manifest = NightlyManifest(date: day, timeZone: timeZone, habitat: HabitatVersion.current)
        manifest.input = common
        for (kind, digest) in digests.digests(of: day) {
            manifest.input[kind.rawValue] = digest
        }
        let preliminaryZones = users.filter { day >= runClock.today(in: $0.zone) }
        manifest.preliminary = preliminaryZones.flatMap(\.ids).sorted()
        return manifest
    }
}

extension NightlyManifest {
    /// Returns the names of the inputs that differ from another run of the same day, sorted.
    ///
    /// - Parameter other: The manifest of the other run.
    /// - Returns: An empty array if both runs have equal files.
    public func changes(since other: NightlyManifest) -> [String] {
        let all = Set(input.keys).union(other.input.keys)
        var names = all.filter { input[$0] != other.input[$0] }
        if habitat != other.habitat { names.insert("program") }
        if timeZone != other.timeZone { names.insert("time zone") }
        if preliminary != other.preliminary { names.insert("preliminary") }
        return names.sorted()
    }
}
