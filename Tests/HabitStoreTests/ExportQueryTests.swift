import Base
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the queries of an export.
@Suite struct ExportQueryTests {
    private static func ids(_ sql: SQL, in session: any Session) throws -> [String] {
        var ids: [String] = []
        try session.query(sql) {
            ids.append($0.text(0) ?? "")
            return true
        }
        return ids
    }

    @Test(arguments: [1, 2, 3, 4, 5, 9])
    func rangesContainEachRowOnce(size: Int) throws {
        let store = try TestStore()
        let users = ["B", "a", "ab", "z", "é", "いい", "😀"]
        try store.write(users.map { .user($0) })
        try store.location.open(.read, wait: .seconds(5)).read { session in
            let query = ExportQuery()
            let all = try Self.ids(query.selection(of: .users).sql, in: session)
            #expect(Set(all) == Set(users))
            let ranges = try query.ranges(of: .users, size: size, in: session)
            let parts = try ranges.map { try Self.ids(query.selection(of: .users, in: $0).sql, in: session) }
            #expect(parts.flatMap(\.self) == all)
            #expect(parts.dropLast().allSatisfy { $0.count == size }, "\(parts)")
            #expect(parts.count == (all.count + size - 1) / size, "\(parts)")
        }
    }

    @Test func kindWithoutIDsHasOneRange() throws {
        let store = try TestStore()
        try store.location.open(.read, wait: .seconds(5)).read { session in
            let ranges = try ExportQuery().ranges(of: .follows, size: 1, in: session)
            #expect(ranges.count == 1)
        }
    }
}
