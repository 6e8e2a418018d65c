import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that the limits in the schema are the limits in the model.
@Suite struct SchemaLimitTests {
    private static func store() throws -> TestStore {
        let store = try TestStore()
        try store.write([.user("ann"), .habit("run", of: "ann")])
        return store
    }

    /// Sets a column of the habit without the checks of the model.
    private static func set(_ column: String, to value: Value, in store: TestStore) throws {
        try store.engine.write { session in
            let assignment: SQL = "\(raw: column) = \(value, as: "value")"
            try session.run("UPDATE habit SET \(assignment)")
        }
    }

    private static let numbers = [("tint", HabitRecord.tints), ("rank", HabitRecord.ranks)]

    @Test(arguments: numbers) func columnHasLimitsOfNumber(column: String, limits: ClosedRange<Int>) throws {
        let store = try Self.store()
        for number in [limits.lowerBound, limits.upperBound] {
            try Self.set(column, to: .integer(Int64(number)), in: store)
        }
        for number in [limits.lowerBound - 1, limits.upperBound + 1] {
            #expect(throws: (any Error).self, "\(number)") {
                try Self.set(column, to: .integer(Int64(number)), in: store)
            }
        }
    }

    @Test func symbolHasLimitOfBytes() throws {
        let store = try Self.store()
        let longest = String(repeating: "a", count: HabitSymbol.byteLimit)
        try Self.set("symbol", to: .text(longest), in: store)
        #expect(throws: (any Error).self) {
            try Self.set("symbol", to: .text(longest + "a"), in: store)
        }
    }
}
