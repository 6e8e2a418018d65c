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

/// Habitat over HTTP: features, reports, sign-in and the map.
public final class HabitatServer: Sendable {
    let options: ServerOptions
    let logger: Logger
    let pool: StorePool
    let catalog: ReportCatalog
    let callers: Callers
    let identities: IdentityVerifier?
    let metrics = Metrics()
    let limiter: RateLimiter?
    /// The memory of bodies with large photos, and of all others: uploads that stall leave room for records.
    let uploads: BodyBudget
    let records: BodyBudget
    let connections: OpenConnections
    /// Where pictures are taken apart: one at a time, since a large one takes much memory.
    let darkroom = NIOThreadPool(numberOfThreads: 1)
    /// Tells the answers of this run from those of others, since versions of the store begin anew.
    let run = UUID().uuidString

    /// `open` gives a new engine for reading, or for writing.
    ///
    /// Throws what opening the store throws, and `parameter-invalid` for options that cannot be meant.
    public init(_ options: ServerOptions, open: (_ writes: Bool) throws -> any Engine) throws {
        for id in options.publicCollections where FeatureCollection.named(id)?.canBePublic != true {
            let names = FeatureCollection.all.filter(\.canBePublic).map(\.id).joined(separator: ", ")
            throw HabitError(
                .parameterInvalid, "'\(id)' is not a collection that can be public: there are \(names)",
                field: "public-collection")
        }
        self.options = options
        logger = JSONLog.logger(level: options.logLevel, write: options.log)
        pool = try StorePool(
            readers: options.readers, queue: options.queue, deadline: options.deadline, open: open)
        catalog = try ReportCatalog(folders: options.reportFolders)
        callers = Callers(pool, operatorToken: options.operatorToken, clock: options.clock)
        identities = options.signIn.map(IdentityVerifier.init)
        limiter = options.requestsPerSecond.map(RateLimiter.init)
        uploads = BodyBudget(limit: options.bodyMemory, holderLimit: options.bodyMemoryPerUser)
        records = BodyBudget(limit: options.bodyMemory / 3, holderLimit: options.bodyMemoryPerUser / 8)
        connections = OpenConnections(
            limit: Self.connectionLimit(options),
            // Behind a proxy, all connections are the proxy's.
            clientLimit: options.isBehindProxy ? nil : options.connectionsPerClient)
        darkroom.start()
    }

    /// Answers requests until the process is told to stop; those that are under way are finished first.
    ///
    /// - Parameters:
    ///   - onOperatorStart: Called with the port of the operator's listener, if the options have one.
    ///   - onStart: Called with the port when requests are accepted.
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
        try await darkroom.shutdownGracefully()
    }

    private func listener(
        _ router: Router<HabitContext>, at address: ListenAddress, _ connections: OpenConnections,
        _ onStart: @escaping @Sendable (_ port: Int) async -> Void
    ) -> Application<RouterResponder<HabitContext>> {
        // A body that is too late is answered with 408 at the deadline, before the connection is closed.
        let idleTimeout = options.deadline + .seconds(1)
        return Application(
            router: router,
            server: HTTPServerBuilder {
                HTTPConnection(responder: $0, connections: connections, idleTimeout: idleTimeout)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), serverName: "habitat"),
            onServerRunning: { await onStart($0.localAddress?.port ?? 0) }, logger: logger)
    }

    private static let operatorConnections = 16

    /// The connections that the options allow and for which there are files, beside those of the store.
    private static func connectionLimit(_ options: ServerOptions) -> Int {
        let others = 128 + operatorConnections + 16 * min(options.readers, 1000)
        let wanted = min(options.connections, 1_000_000)
        return max(1, min(wanted, FileLimit.raise(to: wanted + others) - others))
    }

    /// Every route, behind what holds for all of them.
    func router() -> Router<HabitContext> {
        let router = Router(context: HabitContext.self)
        router.add(middleware: Doorway(self))
        addDocuments(to: router)
        addFeatures(to: router)
        addPhotos(to: router)
        addReports(to: router)
        addSession(to: router)
        addSessions(to: router)
        addMap(to: router)
        addOperations(to: router)
        return router
    }

    /// The address that links begin with.
    func base(of request: Request) -> String {
        if let url = options.publicURL { return url.hasSuffix("/") ? String(url.dropLast()) : url }
        let own = "\(options.host):\(options.port)"
        guard let authority = request.head.authority, authority.utf8.allSatisfy(Self.isOfHost) else {
            return "http://\(own)"
        }
        return "http://\(authority)"
    }

    /// What a name or a number of a host and a port are written with.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// What is known of a request beside itself.
struct HabitContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The address of whoever is connected: a client, or a proxy.
    let peer: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress
    }

    /// A part of the path, decoded.
    func parameter(_ name: String) throws -> String {
        guard let value = coreContext.parameters.get(name)?.removingPercentEncoding,
            // No id has a NUL, and PostgreSQL takes none in a text.
            !value.unicodeScalars.contains("\0")
        else {
            throw HabitError(.notFound, "there is nothing at this address")
        }
        return value
    }
}
