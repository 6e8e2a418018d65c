import Base
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// Routes with which clients keep a copy of the records that they may see.
extension HabitatServer {
    func addChanges(to router: Router<HabitContext>) {
        router.route("changes", [.get: changes, .post: applyChanges])
        router.route("changes/stream", [.get: streamChanges])
    }

    /// The parameter with the token of the last response.
    static let since = "since"

    /// Responds with a page of the changes since a token.
    private func changes(_ request: Request, _ context: HabitContext) async throws -> Response {
        let viewer = try await authenticator.caller(of: request).viewer()
        let parameters = try RequestParameters(request, known: [Self.since, FeatureParameter.limit.rawValue])
        let limit = try FeatureRequest.count(parameters[.limit], .limit) ?? ChangePage.limit
        let clock = options.clock()
        let page = try await pool.read(for: Requester(viewer)) { session in
            let since = parameters[Self.since]
            let token = try Self.token(since, field: Self.since, for: viewer, at: clock, in: session)
            return try ChangePage(
                after: token,
                for: viewer,
                limit: min(limit, ChangePage.limit),
                clock: clock,
                in: session)
        }
        let headers: HTTPFields = [
            .contentType: MediaType.json.text,
            .cacheControl: "no-store",
            .vary: "Accept-Encoding, Authorization",
        ]
        let document = Self.document(page, base: base(of: request))
        return try compressed(document.bytes, ContentEncoding(for: request), .ok, headers)
    }

    private static func document(_ page: ChangePage, base: String) -> JSON {
        let token = page.tokenText
        let next = "\(base)/changes?\(since)=\(token)"
        let link = FeaturePage.link(page.hasMore ? "next" : "monitor", next, .json)
        let entries = page.entries.map { entry in JSON.verbatim(entry) }
        return [
            "changes": .list(entries),
            "links": [link],
            "more": .boolean(page.hasMore),
            "token": .text(token),
        ]
    }

    /// Returns the token of a request, or the token of a client without records.
    ///
    /// - Parameters:
    ///   - text: The text of the token, or `nil`.
    ///   - field: The name of the parameter or header with the token.
    ///   - viewer: The viewer of the request.
    ///   - clock: The time of the request.
    ///   - session: A session of the store.
    /// - Returns: The token.
    /// - Throws: ``Problem`` with status 400 or 410 if the text is not a valid token.
    static func token(
        _ text: String?,
        field: String,
        for viewer: Viewer,
        at clock: Clock,
        in session: any Session
    ) throws -> ChangeToken {
        let state = try LogState(of: .viewer(viewer), in: session)
        let day = ChangeToken.day(of: clock)
        guard let text else { return ChangeToken(day: day) }
        let token = try TokenKey(state, viewer).token(text, field: field)
        guard token.isValid(on: day), try isKnown(token, in: session) else {
            throw ChangeToken.expired(field)
        }
        return token
    }

    /// Returns whether the log contains the changes that the client has, or contained them before they expired.
    ///
    /// A store that was replaced by a copy of its file lacks the last changes, or has other ones with their numbers. The
    /// newest change of the viewer's part does not show it: after 91 days the log no longer has that change.
    private static func isKnown(_ token: ChangeToken, in session: any Session) throws -> Bool {
        let newest = try LogState(of: .viewer(.operator), in: session).newest.number
        guard token.after?.number ?? 0 <= newest else { return false }
        guard token.rest?.last ?? 0 <= newest else { return false }
        guard let after = token.after, let time = try ChangeFeed.time(of: after.number, in: session) else {
            return true
        }
        return time == after.time
    }

    /// Applies records of a client in one transaction and responds with the result of each record.
    private func applyChanges(_ request: Request, _ context: HabitContext) async throws -> Response {
        let viewer = try await user(of: request).0
        _ = try RequestParameters(request, known: [])
        let isGeoJSON = request.headers[.contentType]?.hasPrefix(MediaType.geoJSON.text) == true
        let results = try await withBody(
            of: request,
            for: viewer.name,
            limit: SentChange.bodyLimit,
            remedy: "send fewer records"
        ) { body in
            // The thread that decodes images also parses the body, which may contain photos.
            let sent = try await decoding(for: Requester(viewer)) {
                try SentChange.all(in: body, isGeoJSON: isGeoJSON)
            }
            let results = try await apply(sent, for: viewer)
            for result in results where result.isChange {
                audit(result, of: viewer, request, context)
            }
            return results
        }
        let list = results.enumerated().map { index, result in result.json(number: index + 1) }
        let headers: HTTPFields = [.contentType: MediaType.json.text, .cacheControl: "no-store"]
        let document = JSON.object(["results": .list(list)])
        return try compressed(document.bytes, ContentEncoding(for: request), .ok, headers)
    }

    private func apply(
        _ sent: [Result<SentChange, HabitError>],
        for viewer: Viewer
    ) async throws -> [AppliedChange] {
        let clock = options.clock()
        return try await pool.write(for: Requester(viewer)) { session in
            let user = try ActingUser(viewer, clock: clock, in: session)
            let tags = LogTags(try LogState(of: .viewer(viewer), in: session))
            return try sent.map { change in try AppliedChange(change, for: user, tags: tags) }
        }
    }

    private func audit(
        _ result: AppliedChange,
        of viewer: Viewer,
        _ request: Request,
        _ context: HabitContext
    ) {
        guard let change = result.change else { return }
        let view = FeatureView(
            collection: change.collection,
            viewer: viewer,
            clock: options.clock(),
            base: base(of: request))
        let feature = SingleFeature(view: view, id: change.id)
        auditChange(of: feature, result.auditName, change.record, request, context)
    }
}
