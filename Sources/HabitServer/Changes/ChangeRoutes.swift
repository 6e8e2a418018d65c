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
            let token = try Self.token(parameters[Self.since], field: Self.since, for: viewer, at: clock, in: session)
            return try ChangePage(
                after: token, for: viewer, limit: min(limit, ChangePage.limit), clock: clock, in: session)
        }
        let next = "\(base(of: request))/changes?\(Self.since)=\(page.token.text)"
        let body: JSON = [
            "changes": .list(page.entries.map { .verbatim($0) }),
            "links": [FeaturePage.link(page.hasMore ? "next" : "monitor", next, .json)],
            "more": .boolean(page.hasMore), "token": .text(page.token.text),
        ]
        return try compressed(
            body.bytes, ContentEncoding(for: request), .ok,
            [.contentType: MediaType.json.text, .cacheControl: "no-store", .vary: "Accept-Encoding, Authorization"])
    }

    /// Returns the token of a request, or the token of a client without records.
    ///
    /// - Throws: ``Problem`` with status 400 or 410 if the text is not a valid token.
    static func token(
        _ text: String?, field: String, for viewer: Viewer, at clock: Clock, in session: any Session
    ) throws -> ChangeToken {
        let store = try StoreVersion(in: session).store
        guard let text else {
            let created = clock.now.microseconds / 1_000_000
            return ChangeToken(store: store, created: created, viewer: viewer, after: nil)
        }
        let token = try ChangeToken(text, field: field, for: viewer, store: store, now: clock.now)
        // The store is older than the token: it was restored from a backup.
        let last = try ChangeFeed.last(in: session)
        guard token.after ?? 0 <= last, token.rest?.last ?? 0 <= last else { throw ChangeToken.expired(field) }
        // The store was restored, and has other changes since then.
        if let after = token.after, let time = token.time,
            let stored = try ChangeFeed.time(of: after, in: session), stored != time
        {
            throw ChangeToken.expired(field)
        }
        return token
    }

    /// Applies records of a client in one transaction and responds with the result of each record.
    private func applyChanges(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        _ = try RequestParameters(request, known: [])
        let isGeoJSON = request.headers[.contentType]?.hasPrefix(MediaType.geoJSON.text) == true
        return try await withBody(
            of: request, for: viewer.name, limit: SentChange.bodyLimit, remedy: "send fewer records"
        ) { [pool, options] body in
            // The thread that decodes images also parses the body, which may contain photos.
            let sent = try await decoding(for: Requester(viewer)) {
                try SentChange.all(in: body, isGeoJSON: isGeoJSON)
            }
            let (clock, base) = (options.clock(), base(of: request))
            let results = try await pool.write(for: Requester(viewer)) { session in
                let user = try ActingUser(viewer, clock: clock, in: session)
                return try sent.map { try AppliedChange($0, for: user) }
            }
            for result in results where result.isChange { audit(result, viewer, clock, base, request, context) }
            let list = results.enumerated().map { index, result in result.json(number: index + 1) }
            return try compressed(
                JSON.object(["results": .list(list)]).bytes, ContentEncoding(for: request), .ok,
                [.contentType: MediaType.json.text, .cacheControl: "no-store"])
        }
    }

    private func audit(
        _ result: AppliedChange, _ viewer: Viewer, _ clock: Clock, _ base: String, _ request: Request,
        _ context: HabitContext
    ) {
        guard let change = result.change else { return }
        let view = FeatureView(collection: change.collection, viewer: viewer, clock: clock, base: base)
        auditChange(of: SingleFeature(view: view, id: change.id), result.auditName, change.record, request, context)
    }
}
