import Foundation
import HabitTestSupport
import Testing

@testable import habitat

/// Tests of `habitat undo`, on Friday, 2026-11-20.
@Suite struct UndoTests {
    private static let query = "SELECT * FROM events ORDER BY id"
    private static let log = ".local/state/habitat/undo.ndjson"

    private static func events(of store: RuleStore) async throws -> String {
        let result = try await store.run("query", query, "--format", "csv", as: "owner")
        return result.output
    }

    private static func undo(_ store: RuleStore, as user: String = "owner") async throws -> ProgramResult {
        try await store.run("undo", as: user)
    }

    @Test(arguments: [
        ("done run", "Undone: Run · Fri 20 Nov · open again"),
        ("done run@mon", "Undone: Run · Mon 16 Nov · no longer done"),
        ("skip run@mon", "Undone: Run · Mon 16 Nov · no longer skipped"),
        ("done run@tue --comment other --photo none", "Undone: Run · Tue 17 Nov · comment and photo restored"),
        ("event add run", "Undone: Run · Fri 20 Nov · open again"),
        ("event skip run", "Undone: Run · Fri 20 Nov · open again"),
        ("event edit r17 --day mon --at 07:30", "Undone: Run · Tue 17 Nov · day and time restored"),
        (
            "event edit r17 --photo none --position none --comment ''",
            "Undone: Run · Tue 17 Nov · comment, position and photo restored"
        ),
        ("event delete r17 --yes", "Undone: Run · Tue 17 Nov · done again"),
        (
            "event delete r17 r18 --yes",
            "Undone: Run · Tue 17 Nov · done again\nUndone: Run · Wed 18 Nov · done again"
        ),
        (
            "done run Straße",
            "Undone: Run · Fri 20 Nov · open again\nUndone: Straße · Fri 20 Nov · open again"
        ),
    ])
    func undoRestoresEveryValue(command: String, line: String) async throws {
        let store = try await RuleStore()
        let photo = try await store.run("event photo r17 --output -", as: "owner").output
        let before = try await Self.events(of: store)
        let changed = try await store.run(command, as: "owner")
        #expect(changed.status == 0, "\(changed)")
        #expect(try await Self.events(of: store) != before)
        let undone = try await Self.undo(store)
        #expect(undone.output == line + "\n", "\(undone)")
        #expect(undone.status == 0)
        #expect(try await Self.events(of: store) == before)
        #expect(try await store.run("event photo r17 --output -", as: "owner").output == photo)
        let again = try await Self.undo(store)
        #expect(again.status == 66)
        #expect(again.errors == "error[not-found]: nothing to undo\n")
    }

    /// A pipe must not block a command that has locked the store.
    @Test func pipeInPlaceOfLogIsNotRead() async throws {
        let store = try await RuleStore()
        let path = store.folder.file(Self.log)
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try await store.run("done run", as: "owner").status == 0)
        #expect(try await Self.undo(store).status == 0)
    }

    @Test(arguments: [
        (#""id":"run@2026-11-20""#, #""id":"a\nb""#),
        (#""outcome":"done""#, #""outcome":"done","amount":-5"#),
    ])
    func invalidLineIsSkipped(valid: String, invalid: String) async throws {
        let store = try await RuleStore()
        #expect(try await store.run("done run", as: "owner").status == 0)
        let line = try store.folder.read(Self.log)
        try #require(line.contains(valid), "\(line)")
        try store.folder.write(line.replacing(valid, with: invalid), to: Self.log)
        let undone = try await Self.undo(store)
        #expect(undone.errors == "error[not-found]: nothing to undo\n", "\(undone)")
    }

    @Test func amountAndSkipAreRestored() async throws {
        let store = try await RuleStore()
        _ = try await store.run("habit add Pages --days daily --target-amount 20 --unit pages", as: "owner")
        for command in ["skip pages", "done pages -a 25", "done pages -a 5"] {
            #expect(try await store.run(command, as: "owner").status == 0)
        }
        #expect(try await Self.undo(store).output == "Undone: Pages · Fri 20 Nov · 25 of 20 pages again\n")
        #expect(try await Self.undo(store).output == "Undone: Pages · Fri 20 Nov · skipped again\n")
        #expect(try await Self.undo(store).output == "Undone: Pages · Fri 20 Nov · open again\n")
    }

    /// A change of another client is kept, and the log no longer contains the change that it hides.
    @Test func changedEventIsKept() async throws {
        let store = try await RuleStore()
        _ = try await store.run("done Straße", as: "owner")
        _ = try await store.run("done run --comment mine", as: "owner")
        // Another client has no log.
        try store.folder.write("", to: "file")
        let edit = ["--now", RuleStore.now, "--as", "owner", "event", "edit", "run@2026-11-20", "--comment", "theirs"]
        let phone = try await Program.habitat(
            edit, in: store.folder, environment: ["XDG_STATE_HOME": store.folder.file("file")])
        #expect(phone.status == 0, "\(phone)")
        #expect(phone.errors.contains("cannot revert this change"), "\(phone)")
        let refused = try await Self.undo(store)
        #expect(refused.status == 76)
        #expect(
            refused.errors == "error[changed-since]: Run on Fri 20 Nov has changed since: nothing was undone\n")
        #expect(try await store.table("event show run", as: "owner").singleCell("comment") == "theirs")
        #expect(try await Self.undo(store).output == "Undone: Straße · Fri 20 Nov · open again\n")
    }

    /// A line whose transaction did not commit, or that was undone before the program could remove it, is skipped.
    @Test func lineWithoutCommitIsSkipped() async throws {
        let store = try await RuleStore()
        _ = try await store.run("done Straße", as: "owner")
        _ = try await store.run("done run", as: "owner")
        let lines = try store.folder.read(Self.log)
        #expect(try await Self.undo(store).output == "Undone: Run · Fri 20 Nov · open again\n")
        try store.folder.write(lines + "not a line\n", to: Self.log)
        #expect(try await Self.undo(store).output == "Undone: Straße · Fri 20 Nov · open again\n")
        #expect(try await Self.undo(store).status == 66)
    }

    @Test func logKeepsTwentyChangesOfEachUser() async throws {
        let store = try await RuleStore()
        _ = try await store.run("done walk", as: "hidden")
        for number in 1...22 { _ = try await store.run("done run --comment \(number)", as: "owner") }
        let lines = try store.folder.read(Self.log).split(separator: "\n")
        #expect(lines.count == 21)
        let path = store.folder.file(Self.log)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for number in (2...21).reversed() {
            #expect(try await Self.undo(store).status == 0)
            #expect(try await store.table("event show run", as: "owner").singleCell("comment") == "\(number)")
        }
        #expect(try await Self.undo(store).status == 66)
        #expect(try await Self.undo(store, as: "hidden").output == "Undone: Walk · Fri 20 Nov · open again\n")
    }

    @Test func deletionOfAccountRemovesItsLines() async throws {
        let store = try await RuleStore()
        _ = try await store.run("done run", as: "owner")
        _ = try await store.run("done walk", as: "hidden")
        #expect(try await store.run("user delete owner --yes").status == 0)
        let lines = try store.folder.read(Self.log)
        #expect(!lines.contains("owner"), "\(lines)")
        #expect(lines.contains("hidden"))
    }

    @Test func commandWithoutChangeAddsNoLine() async throws {
        let store = try await RuleStore()
        _ = try await store.run("done run@tue", as: "owner")
        _ = try await store.run("event delete r17", as: "owner")
        #expect(!FileManager.default.fileExists(atPath: store.folder.file(Self.log)))
    }

    /// An account that no longer allows positions does not block the changes before.
    @Test func positionIsOmittedWhenAccountForbidsIt() async throws {
        let store = try await RuleStore()
        _ = try await store.run("done Straße", as: "owner")
        _ = try await store.run("done run --position 1,2 --comment hills", as: "owner")
        _ = try await store.run("done run --position none --comment ''", as: "owner")
        _ = try await store.run("user edit --share-location no", as: "owner")
        let undone = try await Self.undo(store)
        #expect(undone.status == 0, "\(undone)")
        #expect(undone.output == "Undone: Run · Fri 20 Nov · comment restored\n")
        #expect(
            undone.errors == "The position was not restored, because your account does not allow stored positions.\n")
        let event = try await store.table("event show run", as: "owner")
        #expect(try event.singleCell("comment") == "hills")
        #expect(try event.singleCell("longitude") == nil)
        #expect(try await Self.undo(store).status == 76)
        #expect(try await Self.undo(store).output == "Undone: Straße · Fri 20 Nov · open again\n")
    }

    /// A position that a change did not affect is kept.
    @Test func unchangedPositionIsKept() async throws {
        let store = try await RuleStore()
        let longitude = try await store.table("event show r17", as: "owner").singleCell("longitude")
        try #require(longitude != nil)
        _ = try await store.run("done run@tue --comment other", as: "owner")
        _ = try await store.run("user edit --share-location no", as: "owner")
        let undone = try await Self.undo(store)
        #expect(undone.errors.isEmpty, "\(undone)")
        #expect(try await store.table("event show r17", as: "owner").singleCell("longitude") == longitude)
    }

    @Test func deletionWithoutTerminalNamesID() async throws {
        let store = try await RuleStore()
        let refused = try await store.run("event delete run@tue", as: "owner")
        #expect(refused.status == 64, "\(refused)")
        #expect(
            refused.errors.hasSuffix("run 'habitat event delete r17 --yes', which accepts only IDs\n"), "\(refused)")
        #expect(try await store.run("event delete r17", as: "owner").errors.hasSuffix(": pass --yes\n"))
        #expect(try await store.run("event delete nothing", as: "owner").errors.hasSuffix(": pass --yes\n"))
        #expect(try await store.run("event delete r17 --yes", as: "owner").status == 0)
    }

    @Test func formatsListUndoneEvents() async throws {
        let store = try await RuleStore()
        _ = try await store.run("done run", as: "owner")
        let rows = try await store.table("undo", as: "owner")
        #expect(rows.columns == ["id", "habit", "title", "day", "outcome"])
        #expect(rows.rows.map { $0.dropFirst() } == [["run", "Run", "2026-11-20", nil]])
    }
}
