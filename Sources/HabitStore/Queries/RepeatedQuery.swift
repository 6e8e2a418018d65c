/// Runs one query after another, and compiles their SQL anew only where it differs from that of the one before.
public final class RepeatedQuery {
    private let session: any Session
    private var last: (text: String, statement: any Statement)?

    public init(_ session: any Session) { self.session = session }

    /// Hands each row of `sql` to `body`, until `body` returns false.
    public func run(_ sql: SQL, _ body: (any Row) throws -> Bool) throws {
        let statement = try last.flatMap { $0.text == sql.text ? $0.statement : nil } ?? session.prepare(sql.text)
        last = (sql.text, statement)
        try statement.bind(sql.values(of: statement))
        try statement.forEach(body)
    }
}
