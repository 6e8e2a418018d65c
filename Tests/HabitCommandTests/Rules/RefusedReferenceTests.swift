import Foundation
import HabitTestSupport
import Testing

/// Tests that a load never stores a row that refers to a stored record if the row of that record is refused in the same
/// load.
@Suite struct RefusedReferenceTests {
    /// Creates a store in which `mallory` owns the habit and the item that the data of `alice` refers to.
    private static func store() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("id\nalice\nmallory\n", to: "users.csv")
        try folder.write("id,user,title,days\nalice-yoga,mallory,Yoga,1111111\n", to: "habits.csv")
        try folder.write("id,user,name\nalice-lamp,mallory,Lamp\n", to: "items.csv")
        let load = try await Program.habitat("ingest", "users.csv", "habits.csv", "items.csv", in: folder)
        try #require(load.status == 0, "\(load)")
        return folder
    }

    private static func ids(_ kind: String, in folder: TemporaryFolder) async throws -> [String] {
        let table = try await Program.habitat(
            "query", "SELECT * FROM \(kind) ORDER BY 1", "--format", "csv", in: folder)
        return table.lines.dropFirst().compactMap { $0.split(separator: ",").first.map(String.init) }
    }

    @Test func eventsOfRefusedHabitAreRefused() async throws {
        let folder = try await Self.store()
        try folder.write(
            "id,user,title,days\nalice-yoga,alice,Yoga,1111111\nalice-run,alice,Run,1111111\n", to: "habits.csv")
        try folder.write(
            "habit,day,comment\nalice-yoga,2026-11-18,private\nalice-run,2026-11-18,mine\n", to: "events.csv")
        try folder.write("habit,from,days\nalice-yoga,2026-11-01,mon\n", to: "schedules.csv")
        for _ in 0..<2 {
            let load = try await Program.habitat(
                "ingest", "events.csv", "schedules.csv", "habits.csv", "--format", "csv", in: folder)
            #expect(load.status == 65, "\(load)")
            #expect(load.errors.contains("events.csv:2:1: habit: the habit 'alice-yoga' was rejected in this load"))
            #expect(load.errors.contains("schedules.csv:2:1: habit: the habit 'alice-yoga' was rejected"), "\(load)")
        }
        #expect(try await Self.ids("events", in: folder) == ["alice-run@2026-11-18"])
        // The stored record itself is unaffected, so events of its owner are stored.
        try folder.write("habit,day\nalice-yoga,2026-11-18\n", to: "events.csv")
        #expect(try await Program.habitat("ingest", "events.csv", in: folder).status == 0)
    }

    @Test func claimsAndMessagesAboutRefusedItemAreRefused() async throws {
        let folder = try await Self.store()
        try folder.write("id\nalice\nmallory\nbob\n", to: "users.csv")
        try folder.write("id,user,name\nalice-lamp,alice,Lamp\n", to: "items.csv")
        try folder.write("item,user\nalice-lamp,bob\n", to: "claims.csv")
        try folder.write("item,sender,recipient,text\nalice-lamp,bob,alice,private\n", to: "messages.csv")
        let load = try await Program.habitat(
            "ingest", "users.csv", "items.csv", "claims.csv", "messages.csv", in: folder)
        #expect(load.status == 65, "\(load)")
        #expect(load.errors.contains("the item 'alice-lamp' was rejected"), "\(load)")
        #expect(try await Self.ids("claims", in: folder).isEmpty)
        #expect(try await Self.ids("messages", in: folder).isEmpty)
    }

    @Test func recordsOfRefusedUserAreRefused() async throws {
        let folder = try await Self.store()
        try folder.write("id,time_zone\nmallory,Mars/Base\nalice,Europe/Lisbon\n", to: "users.csv")
        try folder.write("id,user,title,days\nm,mallory,Yoga,1111111\na,alice,Yoga,1111111\n", to: "habits.csv")
        try folder.write("habit,day\nm,2026-11-18\na,2026-11-18\n", to: "events.csv")
        let load = try await Program.habitat("ingest", "users.csv", "habits.csv", "events.csv", in: folder)
        #expect(load.status == 65, "\(load)")
        #expect(load.errors.contains("the user 'mallory' was rejected"), "\(load)")
        #expect(try await Self.ids("habits", in: folder) == ["a", "alice-yoga"])
        #expect(try await Self.ids("events", in: folder) == ["a@2026-11-18"])
    }

    /// The rows of one input may be in any order.
    ///
    /// The load postpones the first habit, whose user never follows.
    @Test(arguments: [["habit", "event"], ["event", "habit"]])
    func orderOfMixedInputDoesNotMatter(order: [String]) async throws {
        let folder = try await Self.store()
        let rows = [
            "habit": #"{"kind":"habits","id":"alice-yoga","user":"nobody","title":"Yoga","days":"1111111"}"#,
            "event": #"{"kind":"events","habit":"alice-yoga","day":"2026-11-18"}"#,
        ]
        try folder.write(order.compactMap { rows[$0] }.joined(separator: "\n") + "\n", to: "all.ndjson")
        let load = try await Program.habitat("ingest", "all.ndjson", in: folder)
        #expect(load.status == 65, "\(load)")
        #expect(load.errors.contains("'alice-yoga' was rejected"), "\(load)")
        #expect(try await Self.ids("events", in: folder).isEmpty)
    }

    /// The events of a postponed habit are stored after it.
    @Test func eventsOfPostponedHabitAreStored() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            {"kind":"events","habit":"run","day":"2026-11-18"}
            {"kind":"habits","id":"run","user":"ann","title":"Run","days":"1111111"}
            {"kind":"events","habit":"run","day":"2026-11-19"}
            {"kind":"users","id":"ann"}

            """, to: "all.ndjson")
        for _ in 0..<2 {
            let load = try await Program.habitat("ingest", "all.ndjson", in: folder)
            #expect(load.status == 0, "\(load)")
        }
        #expect(try await Self.ids("events", in: folder).count == 2)
    }

    /// Rule C-31: with `--as`, a chosen ID is a UUID or begins with the user's ID and a colon.
    @Test func chosenIDIsUUIDOrHasPrefixOfUserID() async throws {
        let folder = try await Self.store()
        let photo = Program.repository + "/sample-data/photos/lamp.png"
        for command in [
            ["habit", "add", "--title", "Run", "--days", "mon"], ["item", "post", "--name", "Lamp", "--photo", photo],
            ["post", "add", "--photo", photo],
        ] {
            for id in ["alice-run", "alice-yoga", "mallory:run", "alice", "3"] {
                let refused = try await Program.habitat(command + ["--as", "alice", "--id", id], in: folder)
                #expect(refused.status == 65, "\(refused)")
                #expect(refused.errors.hasPrefix("error[id-invalid]"), "\(refused)")
            }
            for id in ["alice:run", "6f9619ff-8b86-d011-b42d-00c04fc964ff"] {
                let made = try await Program.habitat(command + ["--as", "alice", "--id", id], in: folder)
                #expect(made.status == 0, "\(made)")
            }
        }
    }
}
