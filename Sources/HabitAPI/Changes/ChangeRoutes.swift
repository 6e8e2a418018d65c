import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// Routes with which clients keep a copy of the records that they may see.
package struct ChangeRoutes: RouteGroup {
    let store: StorePool
    let bodies: RequestBodies
    let pictures: PictureDecoder
    let audit: AuditLog
    let sections: Sections

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - bodies: Reads the changes that clients send.
    ///   - pictures: The thread that decodes photos.
    ///   - audit: The log of changes of follows.
    ///   - sections: The parts of the server, whose records clients can change.
    package init(
        store: StorePool,
        bodies: RequestBodies,
        pictures: PictureDecoder,
        audit: AuditLog,
        sections: Sections
    ) {
        self.store = store
        self.bodies = bodies
        self.pictures = pictures
        self.audit = audit
        self.sections = sections
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/changes",
                operation: RouteOperation(
                    "changes.list",
                    summary: "List changes",
                    description:
                        "Returns the changes since a token, in the order in which a client applies it: 'put' stores a feature, 'delete' removes one, and 'clear' removes all features of a collection, or of one user in it. Without a token, the response contains all records that 'collections', 'from' and 'near' select. Store 'token', which contains the selection, and send it as 'since'. A 'delete' can name a feature that you do not have. If 'more' is true, send the next request immediately.",
                    permission: .viewers,
                    query: [ChangeToken.queryParameter, Self.limit] + SyncFilter.queryParameters,
                    content: .content(.json, schema: ChangeSchemas.page)),
                handler: changes),
            Route(
                .post,
                "/changes",
                operation: RouteOperation(
                    "changes.send",
                    summary: "Send changes",
                    description:
                        "Applies at most \(SentChange.countLimit) changes in their order, in one transaction, and returns the result of each: 'created', 'updated', 'deleted', 'unchanged', 'conflict' or 'refused'. A change that needs an earlier one, such as an event of a new habit, must follow it. A change that was already applied is 'unchanged'. A change that is based on an old version is a 'conflict', and the result contains the current record. A second event of a habit and day is a 'conflict' too, and the result contains the stored event.",
                    permission: .users,
                    body: Self.body,
                    content: .content(.json, schema: ChangeSchemas.results)),
                handler: applyChanges),
        ]
    }

    private static let limit = QueryParameter(
        FeatureParameter.limit.rawValue,
        "Maximum number of changes. The server returns at most \(ChangePage.limit).",
        schema: ["type": "integer", "minimum": 1, "default": .integer(ChangePage.limit)])

    private static let body: JSON = [
        "required": true,
        "description":
            "A FeatureCollection whose features have the members 'collection' and 'version'. The body can also be NDJSON: one change in each line, with the members of the changes that the server lists. A new feature has an ID that the client chooses.",
        "content": [
            ContentType.geoJSON.text: ["schema": ChangeSchemas.sent, "example": ChangeSchemas.sentExample]
        ],
    ]

    // MARK: The list of changes

    /// Responds with a page of the changes since a token.
    @Sendable private func changes(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let limit = try FeatureRequest.count(call.parameters[.limit], .limit) ?? ChangePage.limit
        let filter = try SyncFilter.read(call.parameters)
        let page = try await store.read(for: call.requester) { session in
            let token = try ChangeToken.read(
                call.parameters[ChangeToken.parameter],
                field: ChangeToken.parameter,
                filter: filter,
                for: viewer,
                at: call.clock,
                in: session)
            return try ChangePage(
                after: token,
                for: viewer,
                limit: min(limit, ChangePage.limit),
                clock: call.clock,
                in: session)
        }
        return try Response(
            Self.document(page, base: call.base).bytes,
            encoded: ContentEncoding(for: call.request),
            headers: [
                .contentType: ContentType.json.text,
                .cacheControl: "no-store",
                .vary: "Accept-Encoding, Authorization, Cookie",
            ])
    }

    private static func document(_ page: ChangePage, base: String) -> JSON {
        let token = page.tokenText
        let next = "\(base)/changes?\(ChangeToken.parameter)=\(token)"
        let link = FeaturePage.link(page.hasMore ? "next" : "monitor", to: next, type: .json)
        let entries = page.entries.map { entry in JSON.verbatim(entry) }
        return [
            "changes": .list(entries),
            "links": [link],
            "more": .boolean(page.hasMore),
            "token": .text(token),
        ]
    }

    // MARK: Changes of a client

    /// Applies records of a client in one transaction and responds with the result of each record.
    @Sendable private func applyChanges(_ call: Call) async throws -> Response {
        let settings = try await store.read(for: call.requester) { session in
            try StoreSettings.read(in: session)
        }
        let isGeoJSON = call.request.headers[.contentType]?.hasPrefix(ContentType.geoJSON.text) == true
        let results = try await bodies.withBody(
            of: call.request,
            for: call.caller.name,
            limit: SentChange.bodyLimit,
            remedy: "send fewer records"
        ) { body in
            // The thread that decodes images also parses the body, which may contain photos.
            let sent = try await pictures.decoding(for: call.requester) {
                try SentChange.all(in: body, isGeoJSON: isGeoJSON, settings: settings, sections: sections)
            }
            let results = try await apply(sent, call)
            for result in results where result.isChange {
                try record(result, call)
            }
            return results
        }
        let list = results.enumerated().map { index, result in result.json(number: index + 1) }
        let document = JSON.object(["results": .list(list)])
        return try Response(
            document.bytes,
            encoded: ContentEncoding(for: call.request),
            headers: [.contentType: ContentType.json.text, .cacheControl: "no-store"])
    }

    private func apply(_ sent: [Result<SentChange, HabitError>], _ call: Call) async throws -> [AppliedChange] {
        let viewer = try call.viewer
        return try await store.write(for: call.requester) { session in
            let user = try ActingUser(viewer, clock: call.clock, in: session)
            let applier = try ChangeApplier(for: user)
            return try sent.map { change in try applier.apply(change) }
        }
    }

    /// Writes a line of the audit log for a change of a follow.
    private func record(_ result: AppliedChange, _ call: Call) throws {
        guard let change = result.change else { return }
        let view = try call.view(of: change.collection)
        let feature = SingleFeature(view: view, id: change.id)
        audit.recordChange(of: feature, result.auditName, to: change.record, for: call)
    }
}
