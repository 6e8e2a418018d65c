import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests that the end of a page is known before and after its rows are read.
@Suite struct PageEndTests {
    /// The last page can be full.
    @Test(arguments: 1...4) func onlyPageBeforeOthersHasEnd(limit: Int) throws {
        let store = try TestStore()
        let events = (1...3).map { number in Record.event("run", "2026-11-0\(number)", id: "e\(number)") }
        try store.write([.user("ann"), .habit("run", of: "ann")] + events)
        let page = Page(limit: limit)
        try store.engine.read { session in
            var query = EventQuery(viewer: try Viewer.user(named: "ann", in: session))
            query.page = page
            let selection = try query.selection(in: session)
            let before = try selection.end(of: page, in: session)
            #expect((before != nil) == (limit < 3))
            let after = try selection.read(page, in: session) { _ in }
            #expect(after.count == min(limit, 3))
            #expect(after.next == before)
        }
    }
}
