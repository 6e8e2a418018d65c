import Geo
import HabitModel
import StoreEngine
import StorePostGIS

/// A PostgreSQL store whose events and posts are shared out among several databases, its shards.
public struct StoreCluster {
    private let engine: PostGISEngine

    /// Throws `usage` for a store in a file.
    public init(_ engine: any Engine) throws {
        guard let engine = engine as? PostGISEngine else {
            throw HabitError(
                .usage, "only a PostgreSQL store can be sharded, and this one is a file", field: "store",
                .take(.copyStore))
        }
        self.engine = engine
    }

    /// Moves the store's events and posts to the databases `urls`, which its server reaches at the same addresses;
    /// `progress` is told of each that is filled.
    ///
    /// The store's database keeps their passwords.
    ///
    /// Cost: reading and writing all of them, while nobody else can write.
    public func distribute(over urls: [String], progress: (String) throws -> Void) throws {
        try engine.distribute(over: urls, progress: progress)
    }

    /// What lies on each shard, or why that is not known; empty where there is none.
    ///
    /// Costs counting all rows.
    public func status() throws -> [ShardStatus] { try engine.shards() }

    /// Whether each shard has the rows that belong there, and is asked for no more than a question needs.
    ///
    /// Costs reading the users of all events and posts. Throws `store-unavailable` where a shard does not answer.
    public func check() throws -> [ClusterCheck] {
        let count = try engine.shardCount()
        guard count > 0 else { return [] }
        return try engine.read { session in
            try PostGISShards.tables.map { try places(of: $0, count, session) } + questions(session)
        }
    }

    /// By the hash as the store's server has it: it knows the partitions.
    private func places(of table: String, _ count: Int, _ session: any Session) throws -> ClusterCheck {
        let parts = (0..<count).map { number in
            """
            SELECT external_id
            FROM (SELECT external_id, user_id FROM \(table)_\(number) OFFSET 0) AS part
            WHERE NOT satisfies_hash_partition('habitat.\(table)'::regclass, \(count), \(number), user_id)
            """
        }
        let check = StoreCheck(
            "\(table)-places", "\(table)s on another shard than their user's",
            SQL(parts.joined(separator: "\nUNION ALL\n")))
        let result = try check.result(in: session)
        return ClusterCheck(check: result.check, isOK: result.status == .ok, shards: count, there: result.detail)
    }

    // MARK: What shards are asked

    private func questions(_ session: any Session) throws -> [ClusterCheck] {
        var near = EventQuery(viewer: .operator)
        near.filter.near = Position(longitude: 0.5, latitude: 0.5).map { Near(center: $0) }
        var comment = EventQuery(viewer: .operator)
        comment.filter.comment = "habit"
        var days = EventQuery(viewer: .operator)
        days.filter.from = Day.first.advanced(by: 1)
        var one = EventQuery(viewer: .operator)
        one.filter.id = "e"
        var questions = [("near", near), ("comment", comment), ("days", days), ("one-event", one)]
        let user = try session.first("SELECT id, external_id FROM account ORDER BY id LIMIT 1") {
            ($0.integer(0), $0.text(1) ?? "")
        }
        if let (key, id) = user {
            var history = EventQuery(viewer: .operator)
            history.filter.users = [id]
            var friends = EventQuery(viewer: .user(key: key, id: id))
            friends.scope = .friends
            questions += [("one-user", history), ("friends-latest", friends)]
        }
        return try questions.map { name, query in
            try ClusterCheck(question: name, plan: plan(of: query.selection(in: session).sql, session))
        }
    }

    private func plan(of sql: SQL, _ session: any Session) throws -> [String] {
        var lines: [String] = []
        try session.query(SQL("EXPLAIN (VERBOSE, COSTS OFF) " + sql.text, sql.bindings)) {
            lines.append($0.text(0) ?? "")
            return true
        }
        return lines
    }
}

/// Whether something holds of the shards, or how a question reaches them.
public struct ClusterCheck: Sendable {
    /// The name of the check.
    public var check: String
    /// Whether the check found no problem.
    public var isOK: Bool
    /// How many are asked.
    public var shards: Int
    /// The misplaced rows, or the conditions that the shards evaluate, or `nil`.
    public var there: String?
    /// The conditions that the store's server evaluates on the rows of the shards, or `nil`.
    public var here: String?

    /// The shape of ``row``.
    public static let shape = ResultShape(
        columns: [
            Column("check", .text, at: 0), Column("status", .text, at: 1), Column("shards", .integer, at: 2),
            Column("there", .text, at: 3), Column("here", .text, at: 4),
        ],
        identity: ["check"])

    /// The result of the check as a row of ``shape``.
    public var row: ValueRow {
        ValueRow([.text(check), .text(isOK ? "ok" : "damaged"), .integer(Int64(shards)), .text(there), .text(here)])
    }
}

extension ClusterCheck {
    /// A question, from the lines of its plan: it is well where each shard's part has a condition there, and none here.
    init(question: String, plan: [String]) {
        var asked = 0
        var (there, here): ([String], [String]) = ([], [])
        var isScan = false
        var isOK = true
        for line in plan.map({ $0.drop { $0 == " " } }) {
            if line.hasPrefix("->") { isScan = false }
            if line.contains("Foreign Scan on habitat.") {
                isScan = true
                asked += 1
            } else if isScan, line.hasPrefix("Filter: ") {
                here.append(Self.readable(line.dropFirst("Filter: ".count)))
                isOK = false
            } else if isScan, line.hasPrefix("Remote SQL: ") {
                let condition = line.range(of: " WHERE ").map { Self.readable(line[$0.upperBound...]) }
                if let condition { there.append(condition) } else { isOK = false }
            }
        }
        func summary(_ conditions: [String]) -> String? {
            conditions.isEmpty ? nil : Set(conditions).sorted().joined(separator: "; ")
        }
        self.init(check: question, isOK: isOK, shards: asked, there: summary(there), here: summary(here))
    }

    /// Without the bytes of geometries and the schemas of operators.
    private static func readable(_ sql: Substring) -> String {
        String(sql).replacing(#/'01[0-9A-F]{40,}'(?:::[a-z.]*geometry)?/#, with: "'…'")
            .replacing(#/OPERATOR\([a-z_]+\.([^)]+)\)/#) { String($0.output.1) }
    }
}
