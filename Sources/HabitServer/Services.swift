import Base
import HTTPServing
import HabitAPI
import HabitPages
import HabitReport
import Hummingbird
import Logging

/// The services of a server, which its routes and its middleware share.
struct Services: Sendable {
    let options: ServerOptions
    let store: StorePool
    private let pictures: PictureDecoder
    let catalog: ReportCatalog
    private let cookie: SessionCookie
    private let callers: TokenAuthenticator
    private let clients: ClientAddresses
    private let address: PublicAddress
    private let audit: AuditLog
    let bodies: RequestBodies
    private let errors: ErrorLogger
    private let responses: StoreResponses
    private let links: PhotoLinkKey
    let metrics = Metrics()
    /// The rates of clients; `nil` if they have no limit.
    let limiter: RateLimiter?
    /// The refused sign-ins of each client.
    let signInFailures = FailureLimiter()
    /// The refused bearer tokens and sessions of each client.
    let tokenFailures = FailureLimiter()
    private let pages: SitePages
    /// Reads the callers and the parameters of requests.
    let calls: CallReader

    /// Creates the services.
    ///
    /// - Parameters:
    ///   - options: The configuration of the server.
    ///   - store: The connections to the store.
    ///   - pictures: Decodes photos.
    ///   - logger: The log of the server.
    /// - Throws: `input-not-found` or `input-unreadable` for a report folder.
    init(_ options: ServerOptions, store: StorePool, pictures: PictureDecoder, logger: Logger) throws {
        self.options = options
        self.store = store
        self.pictures = pictures
        catalog = try ReportCatalog(folders: options.reportFolders)
        cookie = SessionCookie(publicURL: options.publicURL)
        callers = TokenAuthenticator(
            store,
            operatorToken: options.operatorToken,
            cookie: cookie,
            clock: options.clock)
        clients = ClientAddresses(
            isBehindProxy: options.isBehindProxy,
            trustedProxies: options.trustedProxies)
        address = PublicAddress(
            publicURL: options.publicURL,
            listen: ListenAddress(host: options.host, port: options.port))
        audit = AuditLog(write: options.audit, callers: callers, clients: clients)
        bodies = RequestBodies(
            memory: options.bodyMemory,
            memoryPerRequester: options.bodyMemoryPerUser,
            deadline: options.deadline)
        errors = ErrorLogger(logger)
        responses = StoreResponses(
            store,
            deadline: options.deadline,
            patience: options.patience,
            errors: errors)
        limiter = options.requestsPerSecond.map { rate in RateLimiter(rate) }
        links = PhotoLinkKey(options.photoLinkKey ?? store.key)
        pages = SitePages(tiles: options.tiles, attribution: options.attribution)
        calls = CallReader(
            callers: callers,
            publicCollections: options.publicCollections,
            address: address,
            clients: clients,
            clock: options.clock)
    }

    private var sessions: BrowserSessions {
        BrowserSessions(
            store: store,
            callers: callers,
            cookie: cookie,
            audit: audit,
            refusals: SignInRefusals(audit, failures: signInFailures))
    }

    // MARK: Routes

    /// Returns the routes for clients.
    ///
    /// - Parameter streams: The open streams of changes.
    /// - Returns: The routes of the API and of the pages.
    func routes(streams: OpenStreams) -> [Route] {
        let groups: [any RouteGroup] = [
            SchemaRoutes(publicCollections: options.publicCollections),
            FeatureRoutes(store: store, responses: responses, links: links, pages: pages),
            FeatureChangeRoutes(store: store, bodies: bodies, pictures: pictures, audit: audit),
            PhotoRoutes(
                store: store,
                bodies: bodies,
                pictures: pictures,
                links: links,
                publicCollections: options.publicCollections),
            TileRoutes(responses: responses),
            NearRoute(responses: responses, links: links),
            InboxRoute(responses: responses),
            ReportRoutes(catalog: catalog, responses: responses, deadline: options.deadline),
            ChangeRoutes(store: store, bodies: bodies, pictures: pictures, audit: audit),
            ChangeStreamRoute(
                store: store,
                callers: callers,
                streams: streams,
                patience: options.patience,
                clock: options.clock),
            SignInRoutes(
                store: store,
                bodies: bodies,
                audit: audit,
                callers: callers,
                identities: options.signIn.map { signIn in IdentityVerifier(signIn) },
                signUp: options.signIn?.signUp ?? .invited,
                sessions: sessions,
                refusals: SignInRefusals(audit, failures: signInFailures)),
            SessionListRoutes(store: store, audit: audit, callers: callers),
            AccountRoutes(store: store, responses: responses, bodies: bodies, audit: audit),
            CalendarRoutes(
                store: store,
                responses: responses,
                bodies: bodies,
                audit: audit,
                callers: callers),
            HealthRoute(store: store),
            SignInPageRoutes(
                sessions: sessions,
                bodies: bodies,
                pages: pages,
                offersGoogle: options.signIn != nil),
            MapRoutes(
                MapRoutes.Settings(
                    tiles: options.tiles,
                    attribution: options.attribution,
                    googleClientID: options.signIn?.clients.first,
                    publicCollections: options.publicCollections)),
        ]
        let others = groups.flatMap(\.routes)
        let documents = DocumentRoutes(
            store: store,
            publicCollections: options.publicCollections,
            pages: pages,
            others: others)
        return others + documents.routes
    }

    /// Returns the routes of the operator's listener.
    ///
    /// - Parameter connections: The open connections of clients.
    /// - Returns: The routes for health checks and metrics.
    func operatorRoutes(connections: OpenConnections) -> [Route] {
        let counters = MetricsRoute(
            metrics: metrics,
            store: store,
            connections: connections,
            bodies: bodies)
        return HealthRoute(store: store).routes + counters.routes
    }

    // MARK: Middleware

    /// Adds the middleware of requests of clients, the outermost first.
    ///
    /// - Parameter router: The router of clients.
    func addMiddleware(to router: Router<ServerContext>) {
        router.add(middleware: MetricsMiddleware(metrics))
        if options.logsAccess, let log = options.log {
            router.add(middleware: AccessLogMiddleware(write: log, origin: audit.origin(of:_:)))
        }
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: CORSMiddleware(origins: options.origins))
        router.add(middleware: SessionCookieMiddleware(cookie))
        router.add(middleware: ProblemMiddleware(problemResponse))
        router.add(middleware: ErrorLogMiddleware(errors) { error in Problem(error) })
        router.add(
            middleware: RefusedTokenMiddleware(
                audit,
                callers: callers,
                clients: clients,
                failures: tokenFailures))
        router.add(middleware: AddressLengthMiddleware())
        router.add(middleware: HostMiddleware(hostRule))
        router.add(middleware: TransferEncodingMiddleware())
        if let limiter {
            router.add(middleware: RateLimitMiddleware(limiter, clients: clients))
        }
        router.add(middleware: EmptySegmentMiddleware())
        router.add(middleware: PreflightMiddleware())
    }

    private var hostRule: HostRule {
        HostRule(
            listenHost: options.host,
            publicURL: options.publicURL,
            isBehindProxy: options.isBehindProxy)
    }

    private var problemResponse: @Sendable (any Error, Request, ServerContext) -> Response {
        { [pages, address, callers] error, request, context in
            let viewer = context.refusedSession.isNoted ? nil : callers.lastViewer(of: request)
            let visit = PageVisit(
                base: address.base(of: request),
                caller: viewer.map(Caller.viewer) ?? .nobody,
                path: request.uri.string)
            return Problem(error).response(to: request, context, pages: pages, for: visit)
        }
    }
}
