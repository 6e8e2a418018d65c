import Foundation
import HabitTestSupport
import Testing

/// A new small store with the users that the rules mention, on Friday, 2026-11-20, at noon in UTC.
///
/// `all` and `latest` follow `owner` with the share of their name. `pending` has a pending request, `rejected` a
/// rejected one, and `stranger` none. `hidden` does not share a location. The users `kiri`, `pago`, `lisbon` and
/// `auckland` are in other time zones.
final class RuleStore: Sendable {
    static let now = "2026-11-20T12:00:00Z"

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try TestServer.copyStore(at: Self.template.get().file("habitat.db"), to: folder.file("habitat.db"))
    }

    /// The store that each test copies.
    ///
    /// A test of a rule then needs only a few processes.
    private static let template: Result<TemporaryFolder, any Error> = Result {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        for name in ["hills.png", "reef.png"] {
            try FileManager.default.copyItem(atPath: SampleData.path + "/photos/" + name, toPath: folder.file(name))
        }
        let names = ["users.csv", "habits.csv", "follows.csv", "events.csv"]
        let result = try Program.habitat(["ingest", "--now", now] + names, in: folder)
        guard result.status == 0 else { throw SampleData.LoadFailure(result: result) }
        return folder
    }

    private static let files = [
        "users.csv": """
        id,name,email,time_zone,share_location
        owner,Olga Owner,olga@example.org,UTC,true
        all,,,UTC,true
        latest,,,UTC,true
        pending,,,UTC,true
        rejected,,,UTC,true
        stranger,,,UTC,true
        hidden,,,UTC,false
        kiri,,,Pacific/Kiritimati,true
        pago,,,Pacific/Pago_Pago,true
        lisbon,,,Europe/Lisbon,true
        auckland,,,Pacific/Auckland,true

        """,
        "habits.csv": """
        id,user,title,days,reason,start,end
        run,owner,Run,1111111,secret reason,2026-09-01,
        read,owner,Straße,mon wed fri,,2026-11-02,
        gone,owner,Gone,1111111,,2026-09-01,2026-11-18
        soon,owner,Soon,1111111,,2026-11-23,
        twin-1,owner,Twin,tue,,2026-09-01,
        twin-2,owner,TWIN,tue,,2026-09-01,
        other,stranger,run,1111111,,2026-09-01,
        hidden-walk,hidden,Walk,1111111,,2026-09-01,
        kiri-run,kiri,Kiri,1111111,,2026-09-01,
        pago-run,pago,Pago,1111111,,2026-09-01,
        lisbon-run,lisbon,Lisbon,1111111,,2026-09-01,
        auckland-run,auckland,Auckland,1111111,,2026-09-01,

        """,
        "follows.csv": """
        follower,followee,status,share
        all,owner,accepted,all
        latest,owner,accepted,latest
        pending,owner,pending,all
        rejected,owner,rejected,all

        """,
        "events.csv": """
        id,habit,day,at,comment,photo,longitude,latitude
        r17,run,2026-11-17,2026-11-17T07:00:00Z,rain 100%,hills.png,10,50
        r18,run,2026-11-18,2026-11-18T07:00:00Z,,,10.01,50
        r19,run,2026-11-19,2026-11-19T07:00:00Z,Sunny Tag,reef.png,,
        b18,read,2026-11-18,2026-11-18T21:00:00Z,page 3,,10.02,50
        x18,other,2026-11-18,2026-11-18T08:00:00Z,theirs,,10,50

        """,
    ]

    /// Runs a command whose words are separated by spaces.
    ///
    /// `''` is an empty word, and `~` is a space in a word.
    func run(
        _ command: String, _ more: String..., as user: String? = nil, now: String = RuleStore.now
    ) throws -> ProgramResult {
        try Program.habitat(
            ["--now", now] + (user.map { ["--as", $0] } ?? []) + Self.words(command) + more, in: folder)
    }

    static func words(_ command: String) -> [String] {
        command.split(separator: " ").map { $0 == "''" ? "" : String($0.replacing("~", with: " ")) }
    }

    /// Returns the rows of a command in CSV.
    func table(
        _ command: String, _ more: String..., as user: String? = nil, now: String = RuleStore.now
    ) throws -> OutputTable {
        let words = Self.words(command) + more + ["--format", "csv"]
        let result = try Program.habitat(
            ["--now", now] + (user.map { ["--as", $0] } ?? []) + words, in: folder)
        try #require(result.status == 0, "\(words): \(result.errors)")
        let rows = parseCSV(result.output)
        return OutputTable(columns: rows[0].map { $0 ?? "" }, rows: Array(rows.dropFirst()))
    }

    /// Returns the number of rows that a query over the views counts, for the operator or a user.
    func count(_ table: String, as user: String? = nil) throws -> Int {
        let counted = try self.table("query", "SELECT count(*) AS n FROM \(table)", as: user)["n"]
        return try #require(counted.first.flatMap { $0.flatMap { Int($0) } })
    }

    /// The bytes of the store and its neighboring files, except empty WAL files and shared memory files, which readers
    /// create.
    var state: [String: Data] {
        var state: [String: Data] = [:]
        for name in folder.names where !name.hasSuffix("-shm") {
            let content = FileManager.default.contents(atPath: folder.file(name)) ?? Data()
            if !name.hasSuffix("-wal") || !content.isEmpty { state[name] = content }
        }
        return state
    }

    /// Checks that a command fails with one line on standard error, no output and no change.
    func expectRefusal(_ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let before = state
        let result = try Program.habitat(
            ["--now", Self.now] + (refusal.user.map { ["--as", $0] } ?? []) + refusal.words, in: folder)
        #expect(result.status == refusal.status, "\(refusal): \(result.errors)", sourceLocation: sourceLocation)
        #expect(
            result.errors.hasPrefix("error[\(refusal.slug)]: "), "\(refusal): \(result.errors)",
            sourceLocation: sourceLocation)
        #expect(
            result.errors.filter { $0 == "\n" }.count == 1, "\(refusal): \(result.errors)",
            sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, "\(refusal): \(result.output)", sourceLocation: sourceLocation)
        #expect(state == before, "\(refusal) changed something", sourceLocation: sourceLocation)
    }
}

/// The rows of a CSV output by column.
///
/// A null cell is `nil`.
struct OutputTable: Equatable {
    var columns: [String]
    var rows: [[String?]]

    subscript(column: String) -> [String?] {
        columns.firstIndex(of: column).map { index in rows.map { $0[index] } } ?? ["no column \(column)"]
    }

    /// Returns the cell of the only row.
    func singleCell(_ column: String) throws -> String? {
        try #require(rows.count == 1)
        return self[column][0]
    }
}

/// A command that must fail, with its user (`nil` for the operator), words, exit status and slug.
struct Refusal: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    var user: String?
    var words: [String]
    var status: Int32
    var slug: String

    init(_ user: String?, _ command: String, _ status: Int32, _ slug: String) {
        self.user = user
        words = RuleStore.words(command)
        self.status = status
        self.slug = slug
    }

    var description: String { "\(user ?? "operator"): \(words.joined(separator: " "))" }
    var testDescription: String { description }
}

/// Returns the error text with `NAME` instead of the record's name, for comparing errors of missing and hidden records.
func errorText(_ result: ProgramResult, about name: String) -> String { result.errors.replacing(name, with: "NAME") }

/// Parses JSON output with Foundation.
func json<T>(_ result: ProgramResult, as type: T.Type = T.self) throws -> T {
    try #require(result.status == 0, "\(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? T, "\(result.output)")
}
