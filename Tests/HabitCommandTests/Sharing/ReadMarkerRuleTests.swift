import Foundation
import HabitTestSupport
import Testing

/// Tests of unread messages with commands.
@Suite struct ReadMarkerRuleTests {
    /// A store in which `all` has written to `owner` about the item `lamp`.
    private static func store() async throws -> RuleStore {
        let store = try await RuleStore()
        try store.folder.write("{\"id\":\"lamp\",\"user\":\"owner\",\"name\":\"Lamp\"}\n", to: "items.ndjson")
        try store.folder.write(
            """
            {"id":"r1","item":"lamp","sender":"all","recipient":"owner","text":"Hello","sent_at":"2026-11-01T10:00:00Z"}
            {"id":"r2","item":"lamp","sender":"all","recipient":"owner","text":"Still there?","sent_at":"2026-11-01T11:00:00Z"}

            """, to: "messages.ndjson")
        let load = try await store.run("ingest items.ndjson messages.ndjson")
        try #require(load.status == 0, "\(load.errors)")
        return store
    }

    private static func unread(_ store: RuleStore) async throws -> Set<String?> {
        Set(try await store.table("inbox --columns id,unread", as: "owner")["unread"].filter { count in count != nil })
    }

    @Test func listOfThreadMarksItAsRead() async throws {
        let store = try await Self.store()
        #expect(try await Self.unread(store) == ["2"])
        #expect(try await store.run("message list lamp --keep-unread", as: "owner").status == 0)
        #expect(try await store.run("message list", as: "owner").status == 0)
        #expect(try await store.run("message list lamp --user all", as: "owner").status == 0)
        #expect(try await store.run("message list lamp").status == 0)
        #expect(try await Self.unread(store) == ["2"])
        #expect(try await store.run("message list lamp", as: "owner").status == 0)
        #expect(try await Self.unread(store) == ["0"])
    }
}
