import CPostgres

/// Stops the running statement of a connection.
///
/// The class is `@unchecked Sendable` because any thread may call PQcancel. The handle contains only the data that
/// libpq requires for a new connection to the server.
final class PostGISCanceller: @unchecked Sendable {
    private let handle: OpaquePointer?

    init(_ handle: OpaquePointer?) { self.handle = handle }

    deinit { PQfreeCancel(handle) }

    func cancel() {
        var reason = [CChar](repeating: 0, count: 256)
        PQcancel(handle, &reason, Int32(reason.count))
    }
}
