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
        _ reports: [Report], options: String, days: ClosedRange<Day>, timeZone: String, runClock: Clock,
        in session: any Session, crew: ReadCrew = .alone
    ) throws {
        (self.timeZone, self.runClock) = (timeZone, runClock)
        let texts = reports.sorted { $0.id < $1.id }.map { "\($0.id) \($0.digest.hexadecimal)" }
        common = [
            "options": options,
            "reports": texts.lengthPrefixedSHA256.hexadecimal,
            "tzdata": TimeZoneDatabase.system.sources.joined(separator: ", "),
        ]
        digests = try DayDigests(days, of: Self.kinds(of: reports), in: session, crew: crew)
        var ids: [String: [String]] = [:]
        try UserZoneQuery.forEach(in: session) { user, zone in ids[zone, default: []].append(user) }
        users = ids.map { (TimeZoneRules($0.key) ?? .utc, $0.value) }
    }

    /// The kinds of records on which every report of habits can depend.
    private static let always: Set<RecordKind> = [.settings, .users, .habits, .schedules, .follows, .events]
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

    /// Returns the manifest of a nightly run with this input, without files.
    ///
    /// - Parameter day: A day of the range.
    /// - Returns: The manifest.
    public func manifest(of day: Day) -> NightlyManifest {
        var manifest = NightlyManifest(date: day, timeZone: timeZone, habitat: HabitatVersion.current)
        manifest.input = common
        for (kind, digest) in digests.digests(of: day) { manifest.input[kind.rawValue] = digest }
        manifest.preliminary = users.filter { day >= runClock.today(in: $0.zone) }.flatMap(\.ids).sorted()
        return manifest
    }
}

extension NightlyManifest {
    /// Returns the names of the inputs that differ from another run of the same day, sorted.
    ///
    /// - Parameter other: The manifest of the other run.
    /// - Returns: An empty array if both runs have equal files.
    public func changes(since other: NightlyManifest) -> [String] {
        var names = Set(input.keys).union(other.input.keys).filter { input[$0] != other.input[$0] }
        if habitat != other.habitat { names.insert("program") }
        if timeZone != other.timeZone { names.insert("time zone") }
        if preliminary != other.preliminary { names.insert("preliminary") }
        return names.sorted()
    }
}
