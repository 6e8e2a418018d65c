import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// Finds the shared view of a request, and composes responses with its records.
///
/// Each response is revalidated by the client, so that a revoked or expired view disappears from caches. A tag is the digest
/// of the body: a part of the log would tell strangers about changes that they do not see.
package struct SharedViewReader: Sendable {
    private let store: StorePool
    let responses: StoreResponses
    private let callers: TokenAuthenticator
    private let sections: Sections

    /// Creates the reader.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - responses: The responses that are written from the store.
    ///   - callers: Finds the views of secrets.
    ///   - sections: The parts that the server shows.
    package init(store: StorePool, responses: StoreResponses, callers: TokenAuthenticator, sections: Sections) {
        self.store = store
        self.responses = responses
        self.callers = callers
        self.sections = sections
    }

    /// The name of the path parameter with the secret.
    package static let secret = "viewSecret"

    /// The shared view of a request.
    package struct Opened: Sendable {
        /// The records.
        package let view: SharedView
        /// The layers of the view that the server shows.
        package let layers: [SharedLayer]
        /// The addresses of the view.
        package let addresses: ViewAddresses
        /// The query parameters.
        fileprivate(set) var parameters = RequestParameters()

        /// The collections of the layers.
        var collections: [FeatureCollection] {
            layers.compactMap { layer in FeatureCollection.named(layer.kind.rawValue) }
        }
    }

    /// Finds the view of a request, and then reads the query parameters.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - parameters: The names of the query parameters that the resource has.
    /// - Returns: The view.
    /// - Throws: 404 `not-found` if there is no such view; `parameter-invalid`; the errors of the store.
    package func open(_ call: Call, parameters: [String] = []) async throws -> Opened {
        var opened = try await openIgnoringParameters(call)
        opened.parameters = try RequestParameters(call.request, known: parameters)
        return opened
    }

    /// Finds the view of a request for a page.
    ///
    /// A page has no query parameters. It ignores those that other programs append to a link that a person shares.
    ///
    /// - Parameter call: The request.
    /// - Returns: The view, without parameters.
    /// - Throws: 404 `not-found` if there is no such view; the errors of the store.
    package func openIgnoringParameters(_ call: Call) async throws -> Opened {
        let secret = try call.pathParameter(Self.secret)
        let found = try await callers.view(of: secret)
        let view = SharedView(
            found.definition,
            of: found.owner,
            identity: SharedIdentity(storeKey: store.key, secret: secret),
            clock: call.clock)
        return Opened(
            view: view,
            layers: view.layers.filter { layer in layer.kind.isShown(in: sections) },
            addresses: ViewAddresses(base: call.base, secret: secret))
    }

    /// Reads the store for a request.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - body: Reads the store.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body` and of the store.
    package func read<Result: Sendable>(
        for call: Call,
        _ body: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        try await store.read(for: call.requester, body)
    }

    /// Responds with a complete body.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - body: The body in its identity encoding.
    ///   - headers: The header fields of the body.
    /// - Returns: The response, or 304 if the client already has the body.
    /// - Throws: An error of the compression.
    package func response(to call: Call, body: [UInt8], headers: HTTPFields) throws -> Response {
        let encoding = ContentEncoding(for: call.request)
        let tag = EntityTag(ofBody: body).encoded(encoding)
        let fields = HTTPFields.shared.merging([.eTag: tag.text])
        guard !tag.matches(ifNoneMatch: call.request) else {
            return Response(status: .notModified, headers: fields)
        }
        return try Response(body, encoded: encoding, headers: fields.merging(headers))
    }
}

extension HTTPFields {
    /// Header fields of the responses with a shared view: clients revalidate them, and search engines do not list them.
    static let shared: HTTPFields = {
        var fields: HTTPFields = [.cacheControl: "private, no-cache", .vary: "Accept-Encoding"]
        if let robots = HTTPField.Name("X-Robots-Tag") { fields[robots] = "noindex, nofollow" }
        return fields
    }()
}
