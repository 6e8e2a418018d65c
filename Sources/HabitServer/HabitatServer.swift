import Base
import Foundation
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import StoreEngine

/// The HTTP server: features, reports, sign-in and the map.
public final class HabitatServer: Sendable {
    let options: ServerOptions
    let logger: Logger
    let pool: StorePool
    let catalog: ReportCatalog
    let authenticator: TokenAuthenticator
    let identities: IdentityVerifier?
    let photoLinkKey: PhotoLinkKey
    let metrics = Metrics()
    let limiter: RateLimiter?
    /// The refused sign-ins of each client.
    let signInFailures = FailureLimiter()
    /// The refused bearer tokens of each client.
    let tokenFailures = FailureLimiter()
    /// Memory budget of request bodies whose limit exceeds ``bodyLimit``, that is, of photos that the server shrinks.
    let uploads: BodyBudget
    /// Memory budget of all other request bodies.
    ///
    /// It is separate, so that stalled uploads leave room for records.
    let records: BodyBudget
    let connections: OpenConnections
    let streams: OpenStreams
    /// The queue of photos to decode.
    let pictures = PictureQueue()

    /// Creates a server with open connections to the store.
    ///
    /// - Parameters:
    ///   - options: The configuration of the server.
    ///   - open: Returns a new engine: for writing if its argument is `true`, otherwise for reading.
    /// - Throws: `parameter-invalid` if a collection of the options cannot be public, `input-not-found` or
    ///   `input-unreadable` for a report folder, and the errors of `open`.
    public init(_ options: ServerOptions, open: (_ writes: Bool) throws -> any Engine) throws {
        for id in options.publicCollections where FeatureCollection.named(id)?.canBePublic != true {
            let names = FeatureCollection.all.filter(\.canBePublic).map(\.id).joined(separator: ", ")
            throw HabitError(
                .parameterInvalid, "'\(id)' cannot be a public collection: use \(names)",
                field: "public-collection")
        }
        self.options = options
        logger = JSONLog.logger(level: options.logLevel, write: options.log)
        pool = try StorePool(
            readers: options.readers, queue: options.queue, deadline: options.deadline, open: open)
        catalog = try ReportCatalog(folders: options.reportFolders)
        authenticator = TokenAuthenticator(pool, operatorToken: options.operatorToken, clock: options.clock)
        identities = options.signIn.map(IdentityVerifier.init)
        photoLinkKey = PhotoLinkKey(options.photoLinkKey ?? pool.key)
        limiter = options.requestsPerSecond.map(RateLimiter.init)
        uploads = BodyBudget(limit: options.bodyMemory, holderLimit: options.bodyMemoryPerUser)
        records = BodyBudget(limit: options.bodyMemory / 3, holderLimit: options.bodyMemoryPerUser / 8)
        connections = OpenConnections(
            limit: Self.connectionLimit(options),
            // If the server runs behind a proxy, all connections come from the proxy.
            clientLimit: options.isBehindProxy ? nil : options.connectionsPerClient)
        // Streams leave half of the connections to other requests.
        streams = OpenStreams(limit: max(1, Self.connectionLimit(options) / 2))
    }

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
        var application = listener(
            router(), at: ListenAddress(host: options.host, port: options.port), connections, onStart)
        if let address = options.operatorListen {
            let own = OpenConnections(limit: Self.operatorConnections, clientLimit: nil)
            application.addServices(listener(operatorRouter(), at: address, own, onOperatorStart))
        }
        let maintenance = Task { [pool] in await pool.maintain(every: .seconds(5)) }
        defer { maintenance.cancel() }
        do { try await application.runService() } catch {
            await pool.shutdown()
            throw error
        }
        maintenance.cancel()
        await pool.shutdown()
        try await pictures.shutdown()
    }

    private func listener(
        _ router: Router<HabitContext>, at address: ListenAddress, _ connections: OpenConnections,
        _ onStart: @escaping @Sendable (_ port: Int) async -> Void
    ) -> Application<RouterResponder<HabitContext>> {
        // One second after the deadline, so that a late body gets a 408 response before the connection is closed.
        let idleTimeout = options.deadline + .seconds(1)
        let prefix = PathPrefix(of: options.publicURL)
        return Application(
            router: router,
            server: HTTPServerBuilder { responder in
                HTTPConnection(
                    responder: { (request: Request, writer: consuming ResponseWriter, channel: any Channel) in
                        try await responder(prefix.removed(from: request), writer, channel)
                    }, connections: connections,
                    idleTimeout: idleTimeout)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), serverName: "habitat"),
            onServerRunning: { await onStart($0.localAddress?.port ?? 0) }, logger: logger)
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
    func router() -> Router<HabitContext> {
        let router = Router(context: HabitContext.self)
        router.add(middleware: RequestPolicyMiddleware(self))
        addDocuments(to: router)
        addSchemas(to: router)
        addFeatures(to: router)
        addPhotos(to: router)
        addReports(to: router)
        addSession(to: router)
        addSessions(to: router)
        addAccount(to: router)
        addCalendars(to: router)
        addNear(to: router)
        addInbox(to: router)
        addChanges(to: router)
        addTiles(to: router)
        addMap(to: router)
        addOperations(to: router)
        return router
    }

    /// Returns the prefix of links: the public URL if it is set, otherwise `http://` and the host of the request.
    func base(of request: Request) -> String {
        if let url = options.publicURL { return url.hasSuffix("/") ? String(url.dropLast()) : url }
        let own = "\(ListenAddress(host: options.host, port: options.port))"
        guard let authority = request.head.authority, HostRule.host(of: authority) != nil else {
            return "http://\(own)"
        }
        return "http://\(authority)"
    }
}

/// The context of a request: its connection and the parameters of its path.
struct HabitContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The IP address of the connected client or proxy; `nil` if it is unknown.
    let peer: String?
    /// The IP address to which the client has connected; `nil` if it is unknown.
    let local: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress
        local = source.channel.localAddress?.ipAddress
    }

    /// Returns a percent-decoded path parameter.
    ///
    /// - Throws: `not-found` if the path has no such parameter, or if its value is not valid or contains NUL.
    func parameter(_ name: String) throws -> String {
        guard let value = coreContext.parameters.get(name)?.percentDecoded(),
            // No ID contains NUL, and PostgreSQL accepts no NUL in a text.
            !value.unicodeScalars.contains("\0")
        else {
            throw HabitError(.notFound, "unknown URL: see / for the resources of the server")
        }
        return value
    }
}
