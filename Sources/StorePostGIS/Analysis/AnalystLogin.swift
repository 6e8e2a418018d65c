/// The second login of a PostgreSQL store.
///
/// It runs user-supplied SQL and can read only the report views. The permissions of its role are the protection. A
/// filter of words cannot prevent calls of functions, because PostgreSQL treats `alias.f` as a call of `f`.
public struct AnalystLogin: Sendable {
    /// A URL such as `postgresql://role@host/database`, with the database of the store and a different role.
    public var url: String

    /// Creates a login from a connection URL.
    public init(url: String) { self.url = url }
}
