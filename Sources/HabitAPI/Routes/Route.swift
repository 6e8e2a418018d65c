import HTTPServing
import HTTPTypes
import HabitModel
import Hummingbird

/// One method of the resources at a path: its permission, its parameters, its body and its responses.
///
/// The router, the document at `/api`, the header `Allow` and the checks of tokens and query parameters are derived from
/// routes.
package struct Route: Sendable {
    /// Responds to a permitted request whose query parameters are known.
    package typealias Handler = @Sendable (Call) async throws -> Response

    let method: HTTPRequest.Method
    /// The pattern of the path, with its parameters in braces, such as `/collections/{collection}/items`.
    package let path: String
    /// The operation on the resource of a request, and the handler for this resource.
    struct Match: Sendable {
        let operation: RouteOperation
        let handler: Handler
    }

    /// Returns the operation on the resource of a request, or `nil` if the resource does not have the method.
    ///
    /// It throws `not-found` if the path is the path of no resource.
    let match: @Sendable (ServerContext) throws -> Match?
    /// The page that a browser opens at the path instead of the resource; `nil` if it gets the resource.
    private(set) var page: Match?
    /// Whether the pages of every origin may read the responses, also without the option of the operator (CORS).
    ///
    /// The responses contain no data that depends on a cookie.
    package private(set) var isOpenToEveryOrigin = false
    /// Returns the operations in the document at `/api`.
    ///
    /// The argument is whether the caller has a token. The descriptions of custom reports are not public.
    let documented: @Sendable (_ isKnownCaller: Bool) -> [RouteOperation]

    /// Creates a route with an operation for each resource of its path.
    ///
    /// - Parameters:
    ///   - method: The method. A route for GET also serves HEAD.
    ///   - path: The pattern of the path.
    ///   - match: Returns the operation on the resource of a request and its handler, or `nil` if the resource does not
    ///     have the method. It throws `not-found` if there is no such resource.
    ///   - documented: Returns the operations in the document at `/api`.
    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        match: @escaping @Sendable (ServerContext) throws -> Match?,
        documented: @escaping @Sendable (_ isKnownCaller: Bool) -> [RouteOperation]
    ) {
        self.method = method
        self.path = path
        self.match = match
        self.documented = documented
    }

    /// Creates a route with one operation.
    ///
    /// - Parameters:
    ///   - method: The method. A route for GET also serves HEAD.
    ///   - path: The pattern of the path.
    ///   - operation: The operation, which the document at `/api` contains.
    ///   - handler: Responds to a request.
    package init(
        _ method: HTTPRequest.Method,
        _ path: String,
        operation: RouteOperation,
        handler: @escaping Handler
    ) {
        let match = Match(operation: operation, handler: handler)
        self.init(method, path, match: { _ in match }, documented: { _ in [operation] })
    }

    /// Returns the route with a page for clients that prefer HTML.
    ///
    /// - Parameter page: Responds to such a client with or without a session.
    /// - Returns: The route.
    func opening(_ page: @escaping Handler) -> Route {
        var route = self
        route.page = Match(operation: Self.undescribed(for: .anyCaller), handler: page)
        return route
    }

    /// Returns the route with responses that the pages of every origin may read.
    ///
    /// All routes of its path then are open, because a browser requests the permission for a path.
    ///
    /// - Returns: The route.
    package func openToEveryOrigin() -> Route {
        var route = self
        route.isOpenToEveryOrigin = true
        return route
    }

    /// Returns an operation that the document at `/api` does not contain, which ignores query parameters.
    private static func undescribed(for permission: RouteOperation.Permission) -> RouteOperation {
        RouteOperation("", summary: "", permission: permission, query: nil)
    }

    /// Creates a route that the document at `/api` does not contain: a file or a form of a page, or a route of the
    /// operator's listener.
    ///
    /// It ignores query parameters.
    ///
    /// - Parameters:
    ///   - path: The pattern of the path.
    ///   - method: The method. A route for GET also serves HEAD.
    ///   - permission: The callers who may use it.
    ///   - handler: Responds to a request.
    /// - Returns: The route.
    package static func undocumented(
        _ path: String,
        method: HTTPRequest.Method = .get,
        permission: RouteOperation.Permission = .everyone,
        handler: @escaping Handler
    ) -> Route {
        let match = Match(operation: undescribed(for: permission), handler: handler)
        return Route(method, path, match: { _ in match }, documented: { _ in [] })
    }

    /// Creates a route of the resources of all collections.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The pattern of the path, with the parameter `{collection}`.
    ///   - requirement: Checks that the collection of a request has such a resource.
    ///   - operation: Returns the operation on the resource of a collection, or `nil` if it does not have the method.
    ///   - handler: Responds to a request for a resource of a collection.
    /// - Returns: The route.
    static func ofCollections(
        _ method: HTTPRequest.Method,
        _ path: String,
        requiring requirement: @escaping @Sendable (FeatureCollection) throws -> Void = { _ in },
        operation: (FeatureCollection) -> RouteOperation?,
        handler: @escaping @Sendable (Call, FeatureCollection) async throws -> Response
    ) -> Route {
        let all = FeatureCollection.all.compactMap { collection in
            operation(collection).map { operation in
                let ownPath = path.replacing("{collection}", with: collection.id)
                return (collection: collection.id, operation: operation.at(ownPath))
            }
        }
        let operations = Dictionary(
            uniqueKeysWithValues: all.map { entry in (entry.collection, entry.operation) })
        return Route(
            method,
            path,
            match: { context in
                let collection = try FeatureCollection.named(in: context)
                try requirement(collection)
                guard let operation = operations[collection.id] else { return nil }
                return Match(operation: operation) { call in try await handler(call, collection) }
            },
            documented: { _ in all.map(\.operation) })
    }
}

/// Routes that share services.
package protocol RouteGroup: Sendable {
    var routes: [Route] { get }
}
