import Base
import HTTPServing
import HabitAPI
import HabitPages
import HabitReport
import HabitStore
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import StoreEngine

/// The HTTP server: it assembles the services, the routes and the listeners.
public final class HabitatServer: Sendable {
    let options: ServerOptions
    private let logger: Logger
    let store: StorePool
    private let pictures: PictureDecoder
    private let connections: OpenConnections
    let services: Services
    let routes: [Route]
    private let operatorRoutes: [Route]

    /// Creates a server with open connections to the store.
    ///
    /// - Parameters:
    ///   - options: The configuration of the server.
    ///   - open: Returns a new engine: for writing if its argument is `true`, otherwise for reading.
    /// - Throws: `parameter-invalid` if a collection of the options cannot be public or the server cannot use an issuer,
    ///   `input-not-found` or `input-unreadable` for a report folder, and the errors of `open`.
    public init(_ options: ServerOptions, open: (_ writes: Bool) throws -> any Engine) throws {
        try FeatureCollection.requirePublic(options.publicCollections, in: options.sections)
        self.options = options
        logger = JSONLog.logger(level: options.logLevel, write: options.log)
        store = try StorePool(
            readers: options.readers,
            queue: options.queue,
            deadline: options.deadline,
            open: open)
        pictures = PictureDecoder(deadline: options.deadline)
        let connectionLimit = Self.connectionLimit(options)
        connections = OpenConnections(
            limit: connectionLimit,
            // If the server runs behind a proxy, all connections come from the proxy.
            clientLimit: options.isBehindProxy ? nil : options.connectionsPerClient)
        services = try Services(options, store: store, pictures: pictures, logger: logger)
        // Streams leave half of the connections to other requests.
        let streams = OpenStreams(limit: max(1, connectionLimit / 2))
        routes = services.routes(streams: streams)
        operatorRoutes = services.operatorRoutes(connections: connections)
    }

    /// The redirect URIs that the operator registers at the issuers.
    public var redirects: [IssuerSignIn.Redirect] { services.issuers.redirects }

    /// Serves requests until the process receives SIGTERM or SIGINT.
    ///
    /// Requests in progress are finished first.
    ///
    /// - Parameters:
    ///   - onOperatorStart: Called with the port of the operator's listener, if the options have one.
    ///   - onStart: Called with the port when the server accepts requests.
    /// - Throws: The error of the network layer if the server cannot listen on an address.
    public func serve(
        onOperatorStart: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
        onStart: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws {
        let address = ListenAddress(host: options.host, port: options.port)
        var application = listener(router(), at: address, connections, onStart: onStart)
        if let address = options.operatorListen {
            let own = OpenConnections(limit: Self.operatorConnections, clientLimit: nil)
            let router = operatorRouter()
            application.addServices(listener(router, at: address, own, onStart: onOperatorStart))
        }
        let maintenance = Task { [store] in await store.maintain(every: .seconds(5)) }
        defer { maintenance.cancel() }
        do {
            try await application.runService()
        } catch {
            await store.shutdown()
            throw error
        }
        maintenance.cancel()
        await store.shutdown()
        try await pictures.shutdown()
    }

    private func listener(
        _ router: Router<ServerContext>,
        at address: ListenAddress,
        _ connections: OpenConnections,
        onStart: @escaping @Sendable (_ port: Int) async -> Void
    ) -> Application<RouterResponder<ServerContext>> {
        let prefix = PathPrefix(of: options.publicURL)
        // One second after the deadline, so that a late body gets a 408 response before the connection is closed.
        let idleTimeout = options.deadline + .seconds(1)
        return Application(
            router: router,
            server: .http(connections, idleTimeout: idleTimeout, below: prefix),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: "habitat"),
            onServerRunning: { channel in await onStart(channel.localAddress?.port ?? 0) },
            logger: logger)
    }

    private static let operatorConnections = 16

    /// Returns the maximum number of client connections: the option's value, at most the file descriptors that remain.
    ///
    /// The store, the operator's listener and a reserve of 128 descriptors are subtracted from the limit on open files.
    private static func connectionLimit(_ options: ServerOptions) -> Int {
        let others = 128 + operatorConnections + 16 * min(options.readers, 1000)
        let wanted = min(options.connections, 1_000_000)
        return max(1, min(wanted, FileLimit.raise(to: wanted + others) - others))
    }

    /// Returns a router with all routes and the middleware that applies to every request.
    func router() -> Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        services.addMiddleware(to: router, for: routes)
        router.register(routes, services.calls)
        return router
    }

    /// Returns the router of the operator's listener, which requires no token.
    func operatorRouter() -> Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: ProblemMiddleware { error, _, _ in Problem(error).response })
        router.register(operatorRoutes, services.calls)
        return router
    }
}
