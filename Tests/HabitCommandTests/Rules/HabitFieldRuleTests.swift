import Foundation
import HabitTestSupport
import Rendering
import Testing

/// Tests of the look, the rank and the reminder of habits with commands.
@Suite(.engineIndependent) struct HabitFieldRuleTests {
    private static let columns = "tint,symbol,rank,remind_at"

    /// Returns a store in which `owner` has set the fields of the habit `run`.
    private static func store() async throws -> RuleStore {
        let store = try await RuleStore()
        let edited = try await store.run(
            "habit edit run --tint 3 --symbol 🏃 --rank 424242 --remind-at 07:41", as: "owner")
        try #require(edited.status == 0, "\(edited.errors)")
        return store
    }

    private static func fields(_ command: String, as user: String?, in store: RuleStore) async throws -> [[String?]] {
        try await store.table("\(command) --columns \(columns)", as: user).rows
    }

    @Test func addStoresFields() async throws {
        let store = try await RuleStore()
        let made = try await store.table(
            "habit add --title Tea --days mon --tint 6 --symbol 🍵 --rank 0 --remind-at 00:05", as: "owner")
        #expect(made["tint"] == ["6"])
        #expect(made["symbol"] == ["🍵"])
        #expect(made["rank"] == ["0"])
        #expect(made["remind_at"] == ["00:05"])
    }

    @Test func editChangesAndClearsFields() async throws {
        let store = try await Self.store()
        #expect(try await Self.fields("habit show run", as: "owner", in: store) == [["3", "🏃", "424242", "07:41"]])
        let changed = try await store.run("habit edit run --tint 1 --symbol ''", as: "owner")
        #expect(changed.status == 0, "\(changed.errors)")
        let listed = try await Self.fields("habit list --habit run", as: "owner", in: store)
        #expect(listed == [["1", nil, "424242", "07:41"]])
        let cleared = try await store.run("habit edit run --tint none --rank none --remind-at none", as: "owner")
        #expect(cleared.status == 0, "\(cleared.errors)")
        #expect(try await Self.fields("habit show run", as: "owner", in: store) == [[nil, nil, nil, nil]])
    }

    private static let invalidOptions: [(option: String, slug: String)] = [
        ("--tint 0", "field-invalid"), ("--tint 7", "field-invalid"), ("--tint 1.5", "field-invalid"),
        ("--tint blue", "field-invalid"), ("--tint 99999999999999999999", "field-invalid"),
        ("--symbol ab", "field-invalid"), ("--symbol ~", "field-invalid"),
        ("--symbol \u{1b}", "text-invalid"), ("--symbol \u{202e}", "text-invalid"),
        ("--rank=-1", "field-invalid"), ("--rank 1000001", "field-invalid"), ("--rank first", "field-invalid"),
        ("--remind-at 7:30", "field-invalid"), ("--remind-at 24:00", "field-invalid"),
        ("--remind-at noon", "field-invalid"),
    ]

    private static let refused: [Refusal] = {
        var refused = [Refusal("all", "habit edit run --rank 1", status: 77, slug: "not-yours")]
        for (option, slug) in invalidOptions {
            refused.append(Refusal("owner", "habit add --title x --days mon \(option)", status: 65, slug: slug))
            refused.append(Refusal("owner", "habit edit run \(option)", status: 65, slug: slug))
        }
        return refused
    }()

    @Test(arguments: refused) func invalidValueIsRefused(refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    // MARK: Visibility of the fields

    private static let lists = [
        "habit show run", "habit list --user owner", "following", "query SELECT~*~FROM~habits", "history --scope all",
    ]

    /// The commands that show habits, or columns of habits, to followers.
    private static let commands: [String] = {
        var commands = [
            "habit list --user owner --columns all", "habit show run --columns \(columns)", "habit show run --plain",
            "query SELECT~rank,remind_at~FROM~habits --format csv",
            "query SELECT~max(rank),max(remind_at)~FROM~habits --format csv", "todo --format ics",
            "report run habits --format csv",
        ]
        for format in OutputFormat.allCases {
            commands += lists.map { command in "\(command) --format \(format.rawValue)" }
        }
        return commands
    }()

    @Test(arguments: commands) func privateFieldsAreHiddenFromFollowersInEveryOutput(command: String) async throws {
        let store = try await Self.store()
        for user in ["all", "latest"] {
            let seen = try await store.run(command, as: user)
            #expect(!seen.output.contains("424242"), "\(user): \(seen.output)")
            #expect(!seen.output.contains("07:41"), "\(user): \(seen.output)")
            #expect(!seen.output.contains("PT07H41M"), "\(user): \(seen.output)")
        }
    }

    @Test func followersSeeLookOnly() async throws {
        let store = try await Self.store()
        for user in ["all", "latest"] {
            #expect(try await Self.fields("habit show run", as: user, in: store) == [["3", "🏃", nil, nil]], "\(user)")
        }
    }

    @Test func operatorSeesAllFields() async throws {
        let store = try await Self.store()
        let expected = [["3", "🏃", "424242", "07:41"]]
        #expect(try await Self.fields("habit show run", as: nil, in: store) == expected)
        let viewed = try await store.table(
            "query", "SELECT tint, symbol, rank, remind_at FROM habits WHERE id = 'run'")
        #expect(viewed.rows == expected)
    }

    @Test func viewsHidePrivateFieldsFromConditions() async throws {
        let store = try await Self.store()
        let sql = "habits WHERE rank IS NOT NULL OR remind_at IS NOT NULL"
        #expect(try await store.count(sql, as: "owner") == 1)
        #expect(try await store.count(sql, as: "all") == 0)
    }

    // MARK: Lists and calendars

    @Test func rankOrdersOwnHabitsOnly() async throws {
        let store = try await RuleStore()
        let before = try await store.table("habit list --user owner", as: "all")["id"]
        for (habit, rank) in [("twin-2", 1), ("read", 2)] {
            let edited = try await store.run("habit edit \(habit) --rank \(rank)", as: "owner")
            try #require(edited.status == 0, "\(edited)")
        }
        let own = try await store.table("habit list", as: "owner")["id"]
        #expect(own == ["twin-2", "read", "gone", "run", "soon", "twin-1"])
        #expect(try await store.table("habit list --user owner", as: "all")["id"] == before)
    }

    @Test func rankOrdersToDoList() async throws {
        let store = try await RuleStore()
        func order() async throws -> [String?] { try await store.table("todo", as: "owner")["habit"] }
        #expect(try await order() == ["run", "read"])
        #expect(try await store.run("habit edit read --rank 7", as: "owner").status == 0)
        #expect(try await order() == ["read", "run"], "a habit without a rank is last")
        #expect(try await store.run("habit edit run --rank 6", as: "owner").status == 0)
        #expect(try await order() == ["run", "read"])
        let text = try await store.run("todo", as: "owner").output
        let run = try #require(text.range(of: "Run"), "\(text)")
        let read = try #require(text.range(of: "Straße"), "\(text)")
        #expect(run.lowerBound < read.lowerBound, "\(text)")
    }

    @Test func toDoListAsCalendarHasAlarms() async throws {
        let store = try await Self.store()
        let calendar = try await store.run("todo --format ics", as: "owner")
        #expect(calendar.output.contains("TRIGGER;RELATED=START:PT07H41M\r\n"), "\(calendar)")
        #expect(calendar.output.split(separator: "BEGIN:VALARM").count == 2, "\(calendar)")
    }

    /// The list of habits has a time of a day, but no days.
    @Test func listOfHabitsIsNotCalendar() async throws {
        try await Self.store().expectRefusal(
            Refusal("owner", "habit list --format ics", status: 64, slug: "format-not-available"))
    }

    // MARK: Files

    private static let identity = #""id":"t","user":"owner","title":"T","days":"mon""#
    private static let numbers = #""tint":2,"rank":5"#
    private static let texts = #""symbol":"🍵","remind_at":"06:00""#

    @Test func fieldsSurviveExportAndLoad() async throws {
        let store = try await Self.store()
        #expect(try await store.run("export out").status == 0)
        let exported = String(decoding: store.folder.contents("out/habits.csv") ?? Data(), as: UTF8.self)
        #expect(exported.contains(",3,🏃,424242,07:41\n"), "\(exported)")
        let repeated = try await store.table("ingest out")
        let habits = repeated.rows.first { row in row.first == "habits" }
        #expect(habits?[1] == "0", "\(repeated)")
        #expect(habits?[2] == "0", "\(repeated)")
    }

    @Test(arguments: [
        ("habits.ndjson", "{\(identity),\(numbers),\(texts)}"), ("habits.json", "[{\(identity),\(numbers),\(texts)}]"),
        ("habits.json", #"[{\#(identity),"tint":"2","rank":"5",\#(texts)}]"#),
        ("habits.csv", "id,user,title,days,tint,symbol,rank,remind_at\nt,owner,T,mon,2,🍵,5,06:00"),
    ])
    func fieldsAreReadFromEveryFormat(name: String, text: String) async throws {
        let store = try await RuleStore()
        try store.folder.write(text + "\n", to: name)
        let load = try await store.run("ingest \(name) --strict")
        #expect(load.status == 0, "\(load.errors)")
        #expect(try await Self.fields("habit show t", as: "owner", in: store) == [["2", "🍵", "5", "06:00"]])
    }
}
