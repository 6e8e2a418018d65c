import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of new rows that an engine may collect and store together.
@Suite struct InsertsTests {
    private static let columns = UserTable.columns.definitions()

    /// Returns the values of an account.
    private static func account(_ id: String, name: String = "") -> [Value] {
        columns.map { column in
            switch column.name {
            case "external_id": .text(id)
            case "name": .text(name)
            default: column.initial
            }
        }
    }

    private static func inserts(_ session: any Session, didInsert: @escaping (Int64) -> Void) throws -> any Inserts {
        try session.inserts(into: "account", columns: columns.map(\.name), didInsert: didInsert)
    }

    /// Returns the keys, IDs and names of all accounts in the order of their keys.
    private static func accounts(_ session: any Session) throws -> [(key: Int64, id: String, name: String)] {
        var accounts: [(key: Int64, id: String, name: String)] = []
        try session.query("SELECT id, external_id, name FROM account ORDER BY id") { row in
            let id = row.text(1) ?? ""
            let name = row.text(2) ?? ""
            accounts.append((row.integer(0), id, name))
            return true
        }
        return accounts
    }

    @Test(arguments: [1, 2, 600]) func keysAreReportedInOrderOfRows(count: Int) throws {
        let store = try TestStore()
        let names = (0..<count).map { "\\N \\ \t \n \r 'é' \"\($0)\"" }
        try store.engine.write { session in
            var keys: [Int64] = []
            let inserts = try Self.inserts(session) { keys.append($0) }
            for (number, name) in names.enumerated() { try inserts.insert(Self.account("u\(number)", name: name)) }
            let accounts = try Self.accounts(session)
            #expect(accounts.map(\.key) == keys)
            #expect(accounts.map(\.id) == names.indices.map { "u\($0)" })
            #expect(accounts.map(\.name) == names)
            try inserts.insert(Self.account("last"))
            try session.flush()
            #expect(keys.count == count + 1)
            #expect(Set(keys).count == count + 1)
        }
    }

    /// A refused row takes the rows of its attempt with it, and no earlier or later row.
    @Test(arguments: [1, 2, 20]) func attemptWithDuplicateRowIsUndone(count: Int) throws {
        let store = try TestStore()
        try store.write([.user("first")])
        try store.engine.write { session in
            let inserts = try Self.inserts(session) { _ in }
            try inserts.insert(Self.account("before"))
            #expect(throws: (any Error).self) {
                try session.attempt {
                    for number in 1..<count { try inserts.insert(Self.account("u\(number)")) }
                    try inserts.insert(Self.account("first"))
                }
            }
            try inserts.insert(Self.account("after"))
            try inserts.insert(Self.account("last"))
            #expect(try Self.accounts(session).map(\.id) == ["first", "before", "after", "last"])
        }
    }
}
