import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that rows of a table are inserted, updated or kept by their natural key.
@Suite struct TableWriterTests {
    private static let columns = [
        ColumnDefinition(name: "external_id"), ColumnDefinition(name: "name"),
        ColumnDefinition(name: "time_zone", initial: .text("UTC")),
    ]

    /// Runs `body` with a writer of the table of users.
    private static func withWriter<Result>(
        of store: TestStore, _ policy: ConflictPolicy = .update, _ body: (TableWriter, any Session) throws -> Result
    ) throws -> Result {
        try store.engine.write { session in
            let context = try WriteContext(session, policy: policy, isLoad: false)
            return try body(TableWriter(.users, columns: columns, naturalKey: ["external_id"], context), session)
        }
    }

    private static func values(_ id: String, name: String? = nil, zone: String? = nil) -> [Value?] {
        [.text(id), name.map { .text($0) }, zone.map { .text($0) }]
    }

    private static func write(
        _ values: [Value?], to store: TestStore, _ policy: ConflictPolicy = .update
    ) throws -> WriteOutcome {
        try withWriter(of: store, policy) { writer, _ in try writer.write(values, naturalKey: [values[0] ?? .null]) }
    }

    private static func row(_ id: String, in store: TestStore) throws -> [String]? {
        try store.engine.read { session in
            try session.first(SQL("SELECT name, time_zone FROM account WHERE external_id = :id", ["id": .text(id)])) {
                [$0.text(0), $0.text(1)].map { text in text ?? "∅" }
            }
        }
    }

    @Test func newRowHasInitialValuesForOmittedColumns() throws {
        let store = try TestStore()
        #expect(try Self.write(Self.values("ann", name: "Ann"), to: store) == .inserted)
        #expect(try Self.row("ann", in: store) == ["Ann", "UTC"])
    }

    @Test func omittedColumnsOfExistingRowAreKept() throws {
        let store = try TestStore()
        _ = try Self.write(Self.values("ann", name: "Ann", zone: "Europe/Lisbon"), to: store)
        #expect(try Self.write(Self.values("ann", name: "Anna"), to: store) == .updated)
        #expect(try Self.row("ann", in: store) == ["Anna", "Europe/Lisbon"])
        #expect(try Self.write(Self.values("ann", zone: "Europe/Lisbon"), to: store) == .unchanged)
    }

    @Test func givenNullRemovesValue() throws {
        let store = try TestStore()
        _ = try Self.write(Self.values("ann", name: "Ann"), to: store)
        #expect(try Self.write([.text("ann"), .null, nil], to: store) == .updated)
        #expect(try Self.row("ann", in: store) == ["∅", "UTC"])
    }

    @Test func policyDeterminesOutcomeOfOtherValues() throws {
        let store = try TestStore()
        _ = try Self.write(Self.values("ann", name: "Ann"), to: store)
        #expect(try Self.write(Self.values("ann", name: "Anna"), to: store, .keep) == .unchanged)
        #expect {
            _ = try Self.write(Self.values("ann", name: "Anna"), to: store, .reject)
        } throws: { ($0 as? HabitError)?.code == .duplicateKey }
        #expect(try Self.write(Self.values("ann", name: "Ann"), to: store, .reject) == .unchanged)
        #expect(try Self.row("ann", in: store) == ["Ann", "UTC"])
    }

    @Test func repeatedRowOfOneLoadMustBeEqual() throws {
        let store = try TestStore()
        try Self.withWriter(of: store) { writer, _ in
            let ann = Self.values("ann", name: "Ann")
            let outcomes = try (0..<2).map { _ in try writer.write(ann, naturalKey: [.text("ann")]) }
            #expect(outcomes == [.inserted, .unchanged])
            let error = #expect(throws: HabitError.self) {
                try writer.write(Self.values("ann", name: "Anna"), naturalKey: [.text("ann")])
            }
            #expect(error?.code == .duplicateKey)
        }
        #expect(try Self.row("ann", in: store) == ["Ann", "UTC"])
    }

    @Test func checkCanRefuseRowBeforeItIsWritten() throws {
        let store = try TestStore()
        try Self.withWriter(of: store) { writer, _ in
            var found: [Bool] = []
            for _ in 0..<2 {
                _ = try writer.write(Self.values("ann", name: "Ann"), naturalKey: [.text("ann")]) { row in
                    found.append(row != nil)
                }
            }
            #expect(found == [false, true])
            #expect(throws: HabitError.self) {
                try writer.write(Self.values("bob"), naturalKey: [.text("bob")]) { _ in
                    throw HabitError(.fieldInvalid, "refused")
                }
            }
        }
        #expect(try Self.row("bob", in: store) == nil)
    }

    @Test func rowIsFoundByKeyAndNaturalKey() throws {
        let store = try TestStore()
        try Self.withWriter(of: store) { writer, session in
            _ = try writer.write(Self.values("ann", name: "Ann"), naturalKey: [.text("ann")])
            let key = try writer.find([.text("ann")]) { $0.integer(0) }
            let stored = try session.first("SELECT id FROM account") { $0.integer(0) }
            #expect(key == stored)
            let other = try writer.find([.text("bob")]) { $0.integer(0) }
            #expect(other == nil)
        }
        #expect(throws: HabitError.self) {
            try Self.withWriter(of: store) { writer, _ in try writer.write(Self.values("ann"), over: 999) }
        }
    }
}
