import Foundation
import HabitTestSupport
import Testing

/// Tests that errors and notices say what the user can do.
@Suite(.engineIndependent) struct RemedyRuleTests {
    // MARK: Days

    @Test func dayOutsideHabitNamesStartOrEnd() async throws {
        let store = try await RuleStore()
        let made = try await store.run(
            "habit add --title Brief --id owner:brief --days 1111111 --start 2026-11-10 --end 2026-11-15", as: "owner")
        #expect(made.status == 0, "\(made)")
        for (day, remedy) in [
            ("2026-11-09", "because it starts on 2026-11-10: choose a day from 2026-11-10 on, or change the habit"),
            ("2026-11-16", "because it ended on 2026-11-15: choose a day up to 2026-11-15, or change the habit"),
        ] {
            let refused = try await store.run("event add --habit owner:brief --day \(day)", as: "owner")
            #expect(refused.errors.hasPrefix("error[event-not-due]: "), "\(refused)")
            #expect(refused.errors.contains("\(remedy) with 'habitat habit edit'"), "\(refused)")
        }
    }

    @Test(arguments: ["yesterday", "today-1", "today-2", "today", "today+1"])
    func parameterOfQueryIsRelativeDate(day: String) async throws {
        let store = try await RuleStore()
        let offset = ["yesterday": "19", "today-1": "19", "today-2": "18", "today": "20", "today+1": "21"]
        for (user, sql) in [("owner", "SELECT :day AS day"), (nil, "SELECT :day AS day")] as [(String?, String)] {
            let found = try await store.table("query -p day=\(day)", sql, as: user)
            #expect(found["day"] == ["2026-11-\(try #require(offset[day]))"], "\(found)")
        }
        // The date is 2026-11-21 on Kiritimati.
        let east = try await store.table("query -p day=today", "SELECT :day AS day", as: "kiri")
        #expect(east["day"] == ["2026-11-21"])
        let rows = try await store.table("query -p day=today-2", "SELECT id FROM events WHERE day = :day", as: "owner")
        #expect(rows["id"].contains("r18"), "\(rows)")
    }

    @Test func otherTextOfQueryIsText() async throws {
        let store = try await RuleStore()
        for text in ["todays", "Today", "tomorrow", "today-", "yesterday~x"] {
            let found = try await store.table("query -p text=\(text)", "SELECT :text AS text")
            #expect(found["text"] == [text.replacing("~", with: " ")])
        }
    }

    // MARK: Stores

    @Test(.fileStoreOnly) func missingFolderOfStoreIsNamed() async throws {
        let folder = try TemporaryFolder()
        for command in [["init"], ["ingest", "users.csv"]] {
            try folder.write("id\nann\n", to: "users.csv")
            let refused = try await Program.habitat(command + ["--store", "no such/x.db"], in: folder)
            #expect(refused.status == 73, "\(refused)")
            #expect(
                refused.errors.hasPrefix(
                    "error[output-not-writable]: the store 'no such/x.db' cannot be created, because the folder 'no such' does not exist: create the folder 'no such' first"
                ), "\(refused)")
        }
    }

    /// Each message about an output is true and names a remedy.
    @Test(
        .fileStoreOnly,
        arguments: [
            (
                "copy --from habitat.db --to /proc/x",
                "the folder '/proc' does not accept new files: name another store with --to"
            ),
            ("copy --from habitat.db --to /dev/full", "'/dev/full' is not a file: name another store with --to"),
            ("copy --from none.db --to x.db", "name another store with --from"),
            ("copy --from habitat.db --to users.csv/x", "'users.csv' is not a folder: name another store with --to"),
            ("init --store /proc/x", "the folder '/proc' does not accept new files: name the store with --store"),
            ("nightly --output /proc/x", "the folder '/proc' does not accept new files: choose another folder"),
            ("nightly --output users.csv/x", "the folder 'users.csv' is not a folder: choose another path"),
            ("nightly --output none/x", "the folder 'none' does not exist: create it first"),
            ("nightly --output users.csv", "'users.csv' is not a folder: choose a folder or a new path"),
            ("history --output /proc/x", "the folder '/proc' does not accept new files: choose another folder"),
            ("history --output /dev/full", "no space is left to write /dev/full: free some space or choose another"),
            ("history --output .", "'.' is a folder: add a file name"),
            ("backup /proc/x", "the folder '/proc' does not accept new files: choose another folder"),
            ("backup /dev/full", "'/dev/full' is not a regular file: choose another path"),
            ("export /proc/x", "the folder '/proc' does not accept new files: choose another folder"),
            ("export users.csv", "exists and is not an empty folder: choose a new or empty folder"),
            ("report new x --reports none", "the folder 'none' does not exist: create it first"),
            (
                "ingest users.csv --rejects /proc/x.csv",
                "the folder '/proc' does not accept new files: choose another folder"
            ),
            ("ingest users.csv --rejects none/x.csv", "the folder 'none' does not exist: create it first"),
        ])
    func outputThatCannotBeWrittenIsExplained(command: String, text: String) async throws {
        let store = try await RuleStore()
        try store.folder.write("id\nann\n", to: "users.csv")
        let refused = try await Program.habitat(command.split(separator: " ").map(String.init), in: store.folder)
        #expect(refused.status != 0, "\(refused)")
        #expect(refused.errors.contains(text), "\(refused)")
        #expect(refused.errors.split(separator: "\n").count { $0.hasPrefix("error[") } == 1, "\(refused)")
    }

    // MARK: Items

    @Test func emptyListNearPositionNamesGrid() async throws {
        let store = try await RuleStore()
        let grid = "on a grid of about 400 m"
        for (command, user, hasGrid) in [
            ("item list --near 0,0", "owner", true), ("item list --bbox 0,0,1,1", "owner", true),
            ("near 0,0 --kind items", "owner", true), ("near 0,0 --kind events,items", "owner", true),
            ("near 0,0", "owner", false), ("item list --user pending", "owner", false),
            ("item list --near 0,0", nil, false),
        ] as [(String, String?, Bool)] {
            let empty = try await store.run(command, as: user)
            #expect(empty.status == 0, "\(empty)")
            #expect(empty.errors.contains(grid) == hasGrid, "\(command): \(empty)")
        }
    }

    /// The metadata of the photo of an item is always removed, and an item always has a photo.
    @Test(arguments: ["item post", "item edit"]) func helpOmitsOptionsThatItemsRefuse(command: String) async throws {
        let help = try await Program.habitat(
            command.split(separator: " ").map(String.init) + ["--help"], in: TemporaryFolder())
        #expect(!help.output.contains("--keep-exif"), "\(help)")
        #expect(!help.output.contains("removes the photo"), "\(help)")
        #expect(help.output.contains("--shrink-photo"), "\(help)")
        let store = try await RuleStore()
        let refused = try await store.run("\(command) --keep-exif", as: "owner")
        #expect(refused.status == 64, "\(refused)")
    }

    @Test(arguments: [
        ("shrink-photo", "event add --habit run"), ("keep-exif", "post add"), ("shrink-photo", "item post --name x"),
    ])
    func optionOfPhotoRequiresPhoto(option: String, command: String) async throws {
        let store = try await RuleStore()
        let refused = try await store.run("\(command) --\(option)", as: "owner")
        #expect(refused.errors.hasPrefix("error[usage]: --\(option) requires a photo: "), "\(refused)")
    }

    // MARK: Outcomes

    /// Returns a store with a habit that needs 5 km a day, and events with different amounts.
    private static func storeWithTarget() async throws -> RuleStore {
        let store = try await RuleStore()
        try store.folder.write(
            "id,user,title,days,start,target_amount,unit\nbike,owner,Bike,1111111,2026-11-10,5,km\n", to: "habits.csv")
        try store.folder.write(
            "habit,day,amount,outcome\nbike,2026-11-17,,done\nbike,2026-11-18,5,done\nbike,2026-11-19,,skipped\nbike,2026-11-20,3.5,done\n",
            to: "events.csv")
        let load = try await store.run("ingest habits.csv events.csv")
        #expect(load.status == 0, "\(load)")
        return store
    }

    private static func summaries(_ result: ProgramResult) -> [String] {
        result.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("SUMMARY:") }
            .map { String($0.dropFirst("SUMMARY:".count)) }.sorted()
    }

    @Test func calendarShowsAmountBelowTarget() async throws {
        let store = try await Self.storeWithTarget()
        let expected = ["Bike: 0 of 5 km", "Bike: 3.5 of 5 km", "Bike: done", "Bike: skipped"]
        for (command, user) in [
            ("history --habit bike --format ics", "owner"), ("history --habit bike --format ics", nil),
            ("history --habit bike --format ics --sort stored", "owner"),
            ("history --habit bike --format ics --limit 9", "owner"),
        ] as [(String, String?)] {
            let calendar = try await store.run(command, as: user)
            #expect(calendar.status == 0, "\(calendar)")
            #expect(Self.summaries(calendar) == expected, "\(command): \(calendar)")
        }
        let todo = try await store.run("todo --format ics", as: "owner")
        #expect(Self.summaries(todo).contains("Bike: 3.5 of 5 km"), "\(todo)")
        // Other formats have the columns of the contract.
        let columns = try await store.table("history --habit bike", as: "owner").columns
        #expect(!columns.contains("target_amount"))
        let followed = try await store.run("history --scope friends --format ics", as: "all")
        #expect(followed.status == 0, "\(followed)")
        try store.folder.write("owner\n", to: "users.txt")
        let many = try await store.run("history --users users.txt --habit bike --format ics")
        #expect(Self.summaries(many) == expected, "\(many)")
    }

    // MARK: Users

    @Test(arguments: ["own", "OWN", " own ", "\tOwner\n"]) func searchOfUsersIgnoresCaseAndSurroundingSpace(
        text: String
    )
        async throws
    {
        let store = try await RuleStore()
        let found = try await store.table("user list --search", text, as: "stranger")
        #expect(found["id"] == ["owner"], "\(found)")
    }
}
