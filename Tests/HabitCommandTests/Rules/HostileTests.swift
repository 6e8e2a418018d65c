import Foundation
import HabitTestSupport
import Testing

/// Tests of attempts to read or damage records of other users.
@Suite struct HostileTests {
    /// Returns an expression that fails if the text is not JSON.
    private static func json(_ text: String) -> String {
        TestServer.isUsed ? "CAST(CAST(\(text) AS json) AS text)" : "json_extract(\(text), '$')"
    }

    /// A function that fails for some rows must not reveal hidden rows, so the query must never evaluate it for them.
    @Test(
        arguments: [
            "SELECT id FROM events WHERE abs(CASE WHEN comment = 'secret' THEN -9223372036854775808 ELSE 1 END) > 0",
            "SELECT count(*) FROM events WHERE abs(CASE WHEN longitude < 0 THEN -9223372036854775808 ELSE 1 END) > 0",
            "SELECT a.id FROM events AS a JOIN events AS b ON \(json("b.comment")) = a.id",
            "SELECT id FROM posts WHERE abs(CASE WHEN caption = 'secret' THEN -9223372036854775808 ELSE 1 END) > 0",
            "SELECT id FROM habits WHERE \(json("title")) = '1'",
            "SELECT id FROM messages WHERE \(json("text")) = '1'",
            "SELECT max(abs(CASE WHEN comment = 'secret' THEN -9223372036854775808 ELSE 1 END)) FROM events",
            "SELECT count(*) FROM events GROUP BY abs(CASE WHEN comment = 'secret' THEN -9223372036854775808 ELSE 1 END)",
            "SELECT id FROM events ORDER BY abs(CASE WHEN comment = 'secret' THEN -9223372036854775808 ELSE 1 END)",
            "SELECT comment FROM events GROUP BY comment HAVING abs(CASE comment WHEN 'secret' THEN -9223372036854775808 ELSE 1 END) > 0",
            "SELECT max(n.x) FROM (SELECT abs(CASE WHEN comment = 'secret' THEN -9223372036854775808 ELSE 1 END) AS x FROM events) AS n",
            "SELECT item FROM claims WHERE abs(CASE WHEN state = 'claimed' THEN -9223372036854775808 ELSE 1 END) > 0",
        ])
    func queryNeverEvaluatesHiddenRows(sql: String) async throws {
        let folder = try await Self.secrets.copy()
        let all = try await Program.habitat("query", sql, "--operator", in: folder)
        #expect(all.status == 65, "the query fails if the row is visible: \(sql)")
        for user in ["stranger", "pending", "latest"] {
            let result = try await Program.habitat("query", sql, "--as", user, in: folder)
            #expect(result.status == 0, "\(user): \(sql): \(result.errors)")
        }
    }

    /// Records of the user `owner` that the users `stranger`, `pending` and `latest` cannot see.
    private static let secrets = StoreTemplate([
        "users.csv": "id\nowner\nstranger\npending\nlatest\nother\n",
        "follows.csv":
            "follower,followee,status,share\npending,owner,pending,all\nlatest,other,accepted,latest\n",
        "habits.csv": "id,user,title,days\nh,owner,not json,1111111\n",
        "events.csv":
            "habit,day,comment,longitude,latitude\nh,2026-01-01,secret,-9,38\nh,2026-01-02,secret,-9,38\n",
        "posts.csv": "id,user,caption\np,owner,secret\n", "items.csv": "id,user,name\ni,owner,Lamp\n",
        "claims.csv": "item,user\ni,other\n",
        "messages.csv": "item,sender,recipient,text\ni,owner,other,not json\n",
    ])

    /// An id of a followed user's habit that equals the title of the actor's habit does not hide that habit.
    @Test func titleOfOwnHabitTakesPrecedenceOverID() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nalice\nbob\n", to: "users.csv")
        try folder.write("follower,followee\nalice,bob\n", to: "follows.csv")
        try folder.write(
            "id,user,title,days,start\nh,alice,Gym,1111111,2026-01-01\nGym,bob,zz,1111111,2026-01-01\n",
            to: "habits.csv")
        #expect(try await Program.habitat("ingest", ".", "--quiet", in: folder).status == 0)
        let added = try await Program.habitat(
            "event", "add", "--habit", "Gym", "--day", "2026-02-01", "--as", "alice", in: folder)
        #expect(added.status == 0, "\(added.errors)")
        let history = try await Program.habitat(
            "history", "--habit", "Gym", "--as", "alice", "--format", "csv", in: folder)
        #expect(history.output.contains("h@2026-02-01"))
    }

    @Test(.fileStoreOnly) func backupNameMayHaveOneCharacter() async throws {
        try await nameMayHaveOneCharacter(arguments: ["backup", "x"])
    }

    @Test(arguments: [["export", "e"], ["export", "é"], ["ingest", "u", "--kind", "users"]])
    func nameMayHaveOneCharacter(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "u")
        #expect(try await Program.habitat("init", in: folder).status == 0)
        let result = try await Program.habitat(arguments, in: folder)
        #expect(result.status == 0, "\(arguments): \(result.errors)")
        #expect(!result.signalled, "\(arguments): \(result.errors)")
    }

    /// A position next to a 32-bit number is found in a box that ends there, and the store passes all checks.
    @Test(arguments: [
        ("38,-9.000000000000001", "-9.1,37,-9.000000000000001,39"), ("38.5000000000001,9", "8,38.5000000000001,10,39"),
    ])
    func positionNextToIndexBoundaryIsFound(position: String, box: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        try folder.write("id,user,title,days,start\nh,ann,T,1111111,2026-01-01\n", to: "habits.csv")
        #expect(try await Program.habitat("ingest", ".", "--quiet", in: folder).status == 0)
        let added = try await Program.habitat(
            "event", "add", "--habit", "h", "--day", "2026-02-01", "--as", "ann", "--position", position, in: folder)
        #expect(added.status == 0)
        let found = try await Program.habitat(
            "history", "--bbox", box, "--format", "csv", "--columns", "day", in: folder)
        #expect(found.output == "day\n2026-02-01\n")
        let doctor = try await Program.habitat("doctor", in: folder)
        #expect(doctor.status == 0, "\(doctor.output)")
    }

    /// An output that cannot be written is refused before any change.
    @Test func invalidFormatIsRefusedBeforeWork() async throws {
        let folder = try await SampleData.folder()
        let work = try TemporaryFolder()
        let store = ["--store", folder.file("habitat.db")]
        for command in [
            ["backup", "b.db", "--format", "geojson"], ["backup", "b.db", "--columns", "nope"],
            ["post", "download", "post-0131", "--output", "a.png", "--format", "geojson"],
        ] {
            #expect(try await Program.habitat(command + store, in: work).status == 64, "\(command)")
            #expect(work.names.isEmpty, "\(command): \(work.names)")
        }
    }

    @Test func explainIsRefusedForChanges() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        #expect(try await Program.habitat("ingest", ".", "--quiet", in: folder).status == 0)
        for command in [
            ["habit", "add", "--as", "ann", "--title", "Run", "--days", "mon", "--explain"],
            ["user", "delete", "ann", "--yes", "--explain"], ["user", "add", "bob", "--explain"],
        ] {
            #expect(try await Program.habitat(command, in: folder).status == 64, "\(command)")
        }
        #expect(
            try await Program.habitat("user", "list", "--format", "csv", "--columns", "id", in: folder).output
                == "id\nann\n")
    }

    @Test(arguments: ["307000000", "9223372036854775807"]) func weeksOptionAcceptsLargeNumbers(count: String)
        async throws
    {
        let result = try await Program.habitat(
            "habit", "show", "alice-gym", "--weeks", count, "--now", SampleData.now, in: try SampleData.folder())
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.signalled, "\(result.errors)")
    }

    @Test(arguments: ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00"]) func nowOutsideSupportedRangeIsRefused(
        now: String
    )
        async throws
    {
        let result = try await Program.habitat("history", "--now", now, in: try SampleData.folder())
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("error[date-invalid]: "))
    }

    /// A lowered limit applies only to new texts.
    @Test func loweredLimitAppliesOnlyToNewTexts() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        try folder.write("id,user,name\ni,ann,A long name of an item\n", to: "items.csv")
        #expect(try await Program.habitat("ingest", ".", "--quiet", in: folder).status == 0)
        #expect(try await Program.habitat("setting", "set", "item-name-limit", "5", in: folder).status == 0)
        let edited = try await Program.habitat(
            "item", "edit", "i", "--as", "ann", "--expires", "2999-01-01", in: folder)
        #expect(edited.status == 0, "\(edited.errors)")
        let renamed = try await Program.habitat("item", "edit", "i", "--as", "ann", "--name", "sixsix", in: folder)
        #expect(renamed.status == 65)
    }
}
