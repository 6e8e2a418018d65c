import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// Lists, creates and revokes the shared views of the caller, for the API and for the account page.
///
/// Each change is one transaction, and the audit log has a line for it after the commit.
package struct OwnViews: Sendable {
    private let store: StorePool
    private let audit: AuditLog
    private let sections: Sections

    /// Creates the shared views of the users of a store.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - audit: The audit log.
    ///   - sections: The parts that the server shows. Only their records can be layers.
    package init(store: StorePool, audit: AuditLog, sections: Sections) {
        self.store = store
        self.audit = audit
        self.sections = sections
    }

    /// The lifetimes of a new view, in days.
    package static let lifetimes = TokenActions.lifetimeDays

    /// A view that a user requests.
    package struct Request: Sendable {
        /// The records that the view shows.
        package var definition: ViewDefinition
        /// The label in lists, or `nil`.
        package var label: String?
        /// The lifetime in days, or `nil` for a view that is valid until it is revoked.
        package var lifetimeDays: Int?

        /// Creates a request for a view without a label, which is valid until it is revoked.
        package init(_ definition: ViewDefinition) {
            self.definition = definition
        }
    }

    /// A new view.
    package struct Created: Sendable {
        /// The view in the list.
        let view: ViewSummary
        /// The addresses, which contain the secret and are not stored.
        package let addresses: ViewAddresses
    }

    /// The layers that a view on this server can have.
    package var layers: [ViewDefinition.Layer] {
        ViewDefinition.Layer.allCases.filter { layer in layer.isShown(in: sections) }
    }

    /// A valid view in the list of a page.
    package struct Entry: Sendable {
        /// The name of the view for its revocation.
        package let id: String
        /// The label, or `nil`.
        package let label: String?
        /// The instant at which the view was created.
        package let created: Instant
        /// The instant at which the view expires, or `nil` if it is valid until it is revoked.
        package let expires: Instant?
        /// The records that the view shows.
        package let definition: ViewDefinition
    }

    /// Reads the valid views of the caller for a page.
    ///
    /// - Parameter call: The request.
    /// - Returns: The views, oldest first.
    /// - Throws: An error of the store.
    package func entries(for call: Call) async throws -> [Entry] {
        try await list(for: call).map { view in
            Entry(
                id: view.token.id,
                label: view.token.label,
                created: view.token.created,
                expires: view.token.expires == Token.never ? nil : view.token.expires,
                definition: view.definition)
        }
    }

    /// Reads the valid views of the caller.
    ///
    /// - Parameter call: The request.
    /// - Returns: The views, oldest first.
    /// - Throws: An error of the store.
    func list(for call: Call) async throws -> [ViewSummary] {
        let viewer = try call.viewer
        return try await store.read(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).views(of: viewer)
        }
    }

    /// Creates a view of the caller's records.
    ///
    /// - Parameters:
    ///   - request: The view.
    ///   - call: The request.
    /// - Returns: The view with its addresses.
    /// - Throws: `field-invalid` for the label, the lifetime or a layer that the server does not show; the errors of
    ///   ``HabitStore/TokenActions/createView(for:_:label:lifetime:)``.
    package func create(_ request: Request, for call: Call) async throws -> Created {
        let viewer = try call.viewer
        try check(request)
        let definition = try request.definition.checked()
        let lifetime = request.lifetimeDays.map { days in Duration.seconds(days * 86_400) }
        let token = try await store.write(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).createView(
                for: viewer,
                definition,
                label: request.label,
                lifetime: lifetime)
        }
        audit.record("view.create", for: call, details: ["view": .text(token.id)])
        let summary = Token.Summary(
            id: token.id,
            kind: .view,
            label: request.label,
            created: call.clock.now,
            expires: token.expires)
        return Created(
            view: ViewSummary(token: summary, definition: definition),
            addresses: ViewAddresses(base: call.base, secret: token.secret))
    }

    private func check(_ request: Request) throws {
        if let label = request.label { try OwnTokens.checkLabel(label) }
        if let days = request.lifetimeDays, !Self.lifetimes.contains(days) {
            let range = "\(Self.lifetimes.lowerBound) to \(Self.lifetimes.upperBound)"
            throw HabitError(
                .fieldInvalid,
                "the lifetime is not \(range) days: send another number, or none",
                field: "lifetime_days")
        }
        guard let hidden = request.definition.layers.first(where: { layer in !layers.contains(layer) }) else { return }
        let known = layers.map(\.rawValue).joined(separator: ", ")
        throw HabitError(
            .fieldInvalid,
            "this server shows no \(hidden.rawValue): use \(known)",
            field: "layers")
    }

    /// Revokes a view of the caller.
    ///
    /// - Parameters:
    ///   - id: The ID of the view.
    ///   - call: The request.
    /// - Throws: `not-found` if the caller does not have the view, and the errors of the store.
    package func revoke(_ id: String, for call: Call) async throws {
        let viewer = try call.viewer
        try await store.write(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).revokeView(id, by: viewer)
        }
        audit.record("view.revoke", for: call, details: ["view": .text(id)])
    }
}

/// The addresses of a shared view.
package struct ViewAddresses: Sendable {
    private let base: String
    private let secret: String

    /// Creates the addresses.
    ///
    /// - Parameters:
    ///   - base: The prefix of links.
    ///   - secret: The secret of the view.
    init(base: String, secret: String) {
        self.base = base
        self.secret = secret
    }

    /// The page for people.
    package var page: String { "\(base)/shared/\(secret)" }
    /// The page that other sites can embed.
    package var embed: String { "\(base)/embed/\(secret)" }
    /// The style of MapLibre.
    package var style: String { file("style.json") }
    /// The TileJSON document.
    package var tileJSON: String { file("tiles.json") }
    /// The template of the addresses of tiles.
    package var tiles: String { file("{z}/{x}/{y}\(Self.tileEnding)") }

    /// The end of the address of a tile.
    static let tileEnding = ".mvt"

    /// Returns the address of a file of the view.
    package func file(_ name: String) -> String { "\(page)/\(name)" }
}

extension ViewDefinition.Layer {
    /// Whether a server shows the records of the layer.
    func isShown(in sections: Sections) -> Bool {
        FeatureCollection.named(rawValue).map(sections.shows) ?? false
    }
}
