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
    private let nights: NightlyArchive?
    private let baseMap: BaseMapTiles
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
    let signInFailures: FailureLimiter
    /// The refused bearer tokens and sessions of each client.
    let tokenFailures: FailureLimiter
    private let signInLinks: SignInLinks
    private let pages: SitePages
    private let sessions: BrowserSessions
    /// The sign-in with issuers.
    let issuers: IssuerSignIn
    /// Reads the callers and the parameters of requests.
    let calls: CallReader

    /// Creates the services.
    ///
    /// - Parameters:
    ///   - options: The configuration of the server.
    ///   - store: The connections to the store.
    ///   - pictures: Decodes photos.
    ///   - logger: The log of the server.
    /// - Throws: `input-not-found` or `input-unreadable` for a report folder, `parameter-invalid` for issuers that the
    ///   server cannot use, and the errors of ``BaseMapTiles/init(path:)``.
    init(_ options: ServerOptions, store: StorePool, pictures: PictureDecoder, logger: Logger) throws {
        self.options = options
        self.store = store
        self.pictures = pictures
        catalog = try ReportCatalog(folders: options.reportFolders)
        nights = try options.nightlyFolder.map { path in try NightlyArchive(path, forReading: true) }
        baseMap = try options.baseMap.map { path in try BaseMapTiles(path: path) } ?? BaseMapTiles()
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
        signInFailures = FailureLimiter(now: options.steadyClock)
        tokenFailures = FailureLimiter(now: options.steadyClock)
        limiter = options.requestsPerSecond.map { rate in RateLimiter(rate) }
        let photoSecret = options.photoLinkKey ?? store.key
        links = PhotoLinkKey(photoSecret)
        signInLinks = SignInLinks(
            store: store,
            callers: callers,
            audit: audit,
            mailer: Self.mailer(options, store: store, audit: audit, errors: errors),
            attempts: AttemptLimiter(limit: SignInLinks.hourlyLimit))
        pages = SitePages(sections: options.sections)
        calls = CallReader(
            callers: callers,
            publicCollections: options.publicCollections,
            photoVersions: PhotoVersions(photoSecret, log: store.log),
            address: address,
            clients: clients,
            clock: options.clock)
        let refusals = SignInRefusals(audit, failures: signInFailures)
        sessions = BrowserSessions(
            store: store,
            callers: callers,
            cookie: cookie,
            audit: audit,
            refusals: refusals)
        issuers = try IssuerSignIn(
            options.signIn,
            address: address,
            publicURL: options.publicURL,
            services: IssuerSignIn.Services(
                store: store,
                callers: callers,
                sessions: sessions,
                refusals: refusals,
                audit: audit,
                errors: errors))
    }

    /// Returns the mailer of one-time links, or `nil` if the options have no command or no public URL.
    private static func mailer(
        _ options: ServerOptions,
        store: StorePool,
        audit: AuditLog,
        errors: ErrorLogger
    ) -> LinkMailer? {
        guard let command = options.mailCommand, let url = options.publicURL else { return nil }
        let base = url.hasSuffix("/") ? String(url.dropLast()) : url
        return LinkMailer(command, base: base, store: store, audit: audit, errors: errors)
    }

    private var accounts: AccountChanges { AccountChanges(store: store, audit: audit) }

    private var blocks: OwnBlocks { OwnBlocks(store: store, audit: audit) }

    private var signInWays: SignInWays { SignInWays(store: store, audit: audit, callers: callers) }

    private var tokens: OwnTokens { OwnTokens(store: store, audit: audit, callers: callers) }

    private var views: OwnViews { OwnViews(store: store, audit: audit, sections: options.sections) }

    private var sharedViews: SharedViewReader {
        SharedViewReader(store: store, responses: responses, callers: callers, sections: options.sections)
    }

    private var passkeys: PasskeyVerifier {
        let listen = ListenAddress(host: options.host, port: options.port)
        let address = PasskeyAddress(publicURL: options.publicURL, listen: listen)
        return PasskeyVerifier(address, secret: store.key)
    }

    // MARK: Routes

    /// Returns the routes for clients.
    ///
    /// - Parameter streams: The open streams of changes.
    /// - Returns: The routes of the API and of the pages.
    func routes(streams: OpenStreams) -> [Route] {
        let groups: [any RouteGroup] = [
            SchemaRoutes(publicCollections: options.publicCollections, pages: pages),
            FeatureRoutes(store: store, responses: responses, links: links, pages: pages),
            FeatureChangeRoutes(store: store, bodies: bodies, pictures: pictures, audit: audit),
            PhotoRoutes(
                store: store,
                bodies: bodies,
                pictures: pictures,
                copies: PhotoCopies(memory: options.photoMemory),
                links: links,
                publicCollections: options.publicCollections),
            TileRoutes(store: store, responses: responses, sections: options.sections),
            StyleRoute(sections: options.sections, baseMap: baseMap),
            BaseMapRoutes(tiles: baseMap),
            NearRoute(responses: responses, links: links, sections: options.sections, pages: pages),
            InboxRoute(responses: responses, sections: options.sections, pages: pages),
            ReportRoutes(
                catalog: catalog,
                store: store,
                responses: responses,
                deadline: options.deadline,
                hasNights: nights != nil,
                sections: options.sections,
                pages: pages),
            NightlyRoutes(archive: nights),
            ChangeRoutes(
                store: store,
                bodies: bodies,
                pictures: pictures,
                audit: audit,
                sections: options.sections),
            ChangeStreamRoute(
                store: store,
                callers: callers,
                streams: streams,
                patience: options.patience,
                clock: options.clock),
            SignInRoutes(bodies: bodies, callers: callers, sessions: sessions),
            SessionListRoutes(tokens: tokens),
            PasskeyRoutes(
                store: store,
                bodies: bodies,
                audit: audit,
                callers: callers,
                ways: signInWays,
                passkeys: passkeys),
            PasskeySignInRoutes(bodies: bodies, audit: audit, sessions: sessions, passkeys: passkeys),
            AccountRoutes(
                store: store,
                responses: responses,
                bodies: bodies,
                audit: audit,
                changes: accounts),
            BlockRoutes(blocks: blocks),
            ViewRoutes(views: views, bodies: bodies),
            SharedViewRoutes(reader: sharedViews, baseMap: baseMap),
            SharedPageRoutes(reader: sharedViews),
            AccountPageRoutes(
                accounts: accounts,
                blocks: blocks,
                tokens: tokens,
                views: views,
                ways: signInWays,
                passkeys: passkeys,
                issuers: issuers,
                sessions: sessions,
                bodies: bodies,
                pages: pages),
            HealthRoute(store: store),
            SettingsRoute(
                store: store,
                issuers: issuers,
                passkeys: passkeys,
                mailsLinks: signInLinks.areMailed,
                sections: options.sections),
            signInPage,
            SignInLinkRoutes(links: signInLinks, sessions: sessions, bodies: bodies, pages: pages),
            MapRoutes(
                MapRoutes.Settings(
                    tiles: options.tiles,
                    attribution: options.attribution,
                    publicCollections: options.publicCollections,
                    sections: options.sections)),
            WebFileRoutes(),
        ]
        let others = (groups + habits + items).flatMap(\.routes).map { route in route.limited(to: options.sections) }
        let documents = DocumentRoutes(
            store: store,
            publicCollections: options.publicCollections,
            sections: options.sections,
            pages: pages,
            home: { [homePages] call in try await homePages.response(to: call) },
            others: others)
        return others + documents.routes.map { route in route.limited(to: options.sections) }
    }

    /// The routes of the application, of the days and of the calendars of habits.
    private var habits: [any RouteGroup] {
        guard options.sections.contains(.habits) else { return [] }
        let application = ApplicationRoutes()
        return [
            application,
            DaysRoute(store: store, page: application.shell),
            CalendarRoutes(responses: responses, bodies: bodies, callers: callers, tokens: tokens),
        ]
    }

    /// The routes of the unread messages about items, which a server without this section does not have.
    private var items: [any RouteGroup] {
        guard options.sections.contains(.items) else { return [] }
        return [ThreadRoutes(store: store, bodies: bodies)]
    }

    private var signInPage: SignInPageRoutes {
        SignInPageRoutes(
            sessions: sessions,
            bodies: bodies,
            pages: pages,
            passkeys: passkeys,
            issuers: issuers,
            mailsLinks: signInLinks.areMailed)
    }

    private var homePages: HomePages {
        let reader = HomeReader(
            store: store,
            publicCollections: options.publicCollections,
            sections: options.sections)
        return HomePages(reader: reader, signIn: signInPage, pages: pages)
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
    /// - Parameters:
    ///   - router: The router of clients.
    ///   - routes: The routes of clients.
    func addMiddleware(to router: Router<ServerContext>, for routes: [Route]) {
        let openPaths = routes.filter(\.isOpenToEveryOrigin).map(\.path)
        router.add(middleware: MetricsMiddleware(metrics))
        if options.logsAccess, let log = options.log {
            router.add(middleware: AccessLogMiddleware(write: log, origin: audit.origin(of:_:)))
        }
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: CORSMiddleware(origins: options.origins, openPaths: Set(openPaths)))
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
        router.add(middleware: ErrorVisitorMiddleware(calls))
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
                of: request,
                base: address.base(of: request),
                caller: viewer.map(Caller.viewer) ?? .nobody)
            return Problem(error).response(to: request, context, pages: pages, for: visit)
        }
    }
}
