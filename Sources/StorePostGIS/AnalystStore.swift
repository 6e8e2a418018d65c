/// The second login of a PostgreSQL store, which runs user-supplied SQL and can read the report views and nothing else.
///
/// The permissions of its role are the defence: no filter of words can keep SQL from calling functions, since PostgreSQL takes
/// `alias.f` for a call of `f`.
public struct AnalystStore: Sendable {
    /// `postgresql://role@host/database`: the same database as the store's, with a role of its own.
    public var url: String

    public init(url: String) { self.url = url }
}
