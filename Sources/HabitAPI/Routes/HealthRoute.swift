import HTTPServing
import HabitStore
import Hummingbird

/// The route for load balancers that check whether the server can read the store.
package struct HealthRoute: RouteGroup {
    let store: StorePool

    /// Creates the route.
    ///
    /// - Parameter store: The connections to the store.
    package init(store: StorePool) { self.store = store }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/healthz",
                operation: RouteOperation(
                    "health",
                    summary: "Check liveness",
                    description: "Reads one row of the store. Returns 503 if the store is unavailable.",
                    permission: .everyone,
                    query: nil,
                    content: .content(.json, schema: ["type": "object"])),
                handler: { _ in
                    try await store.read(for: .server) { session in try session.beginSnapshot() }
                    return Response(["status": "ok"], headers: .notStored)
                })
        ]
    }
}
