import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that the list of changes of a user reads only the rows that concern the user.
@Suite struct ChangeFeedPlanTests {
    /// PostgreSQL may read a small table without an index.
    @Test(.enabled(if: !TestServer.isUsed)) func changesOfUserAreFoundByIndexes() throws {
        let store = try TestStore()
        try store.write([.user("ann")])
        let plan = try store.engine.read { session in
            let viewer = try Viewer.user(named: "ann", in: session)
            return try session.plan(ChangeFeed.rows(for: viewer, after: 0, upTo: 10))
        }
        let reads = plan.filter { $0.contains(" change ") }
        #expect(reads.count == 4, "\(plan)")
        #expect(reads.allSatisfy { $0.contains("change_party") || $0.contains("change_public") }, "\(plan)")
        #expect(reads.contains { $0.contains("change_public") }, "\(plan)")
    }
}
