import Foundation
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Logging
import NIOCore
import NIOPosix

/// Habitat over HTTP: features, reports, sign-in and the map.
public final class HabitatServer: Sendable {
    let options: ServerOptions
    let pool: StorePool
    let catalog: ReportCatalog
    let callers: Callers
    let identities: IdentityVerifier?
    let metrics = Metrics()
    let limiter: RateLimiter?
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
        pool = try StorePool(
            readers: options.readers, queue: options.queue, deadline: options.deadline, open: open)
        catalog = try ReportCatalog(folders: options.reportFolders)
        callers = Callers(pool, operatorToken: options.operatorToken, clock: options.clock)
        identities = options.signIn.map(IdentityVerifier.init)
        limiter = options.requestsPerSecond.map(RateLimiter.init)
        darkroom.start()
    }

    /// Answers requests until the process is told to stop; those that are under way are finished first.
    public func serve(onStart: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        var logger = Logger(label: "habitat")
        logger.logLevel = .error
        let application = Application(
            router: router(),
            server: .http1(
                configuration: .init(additionalChannelHandlers: [ContinueHandler()], idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port), serverName: "habitat"),
            onServerRunning: { await onStart($0.localAddress?.port ?? 0) }, logger: logger)
        try await application.runService()
        await pool.shutdown()
        try await darkroom.shutdownGracefully()
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
        guard let value = coreContext.parameters.get(name)?.removingPercentEncoding else {
            throw HabitError(.notFound, "there is nothing at this address")
        }
        return value
    }
}
