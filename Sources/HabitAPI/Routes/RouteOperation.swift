import Base
import HTTPServing

/// The description of a method of a resource: its permission, its parameters, its body and its responses (OpenAPI 3.0.3).
package struct RouteOperation: Sendable {
    /// The callers who may use an operation.
    package enum Permission: Sendable {
        /// Everyone; the server does not read the token of a request.
        ///
        /// The handler checks a secret in the path or in the body, if the operation needs one.
        case everyone
        /// Everyone; the response depends on the token, if there is one.
        case anyCaller
        /// Everyone, if the collection is public; otherwise callers with a token.
        case readers(collection: String)
        /// Everyone, if the collections in a query parameter are public, which the handler checks; otherwise callers
        /// with a token.
        case selectedReaders
        /// Callers with the token of a user or of the operator.
        case viewers
        /// Callers with the token of the operator.
        case `operator`
        /// Callers with the token of a user. The text is the advice for the operator.
        case users(refusal: String)
        /// Readers of the collection, and requests with a signature in the URL, which the handler checks.
        case photoReaders(collection: String)

        /// Callers with the token of a user, for a resource that belongs to an account.
        static let users = Permission.users(refusal: "the operator has no account: send the token of a user")
    }

    /// The path in the document at `/api`; `nil` for the pattern of the route.
    private(set) var path: String?
    let id: String
    let summary: String
    let description: String
    let permission: Permission
    /// The query parameters; `nil` if the server ignores all query parameters.
    let query: [QueryParameter]?
    /// The names of further query parameters that only the form of a page sends.
    private(set) var formFields: [String] = []
    /// The parameters of the path, with the same description in all operations of a path (OpenAPI parameter objects).
    let pathParameters: [JSON]
    /// The parameters in header fields (OpenAPI parameter objects).
    let headers: [JSON]
    /// The names of the query parameters that a request may contain.
    let knownParameters: [String]
    /// The names of the query parameters that a request may contain several times.
    let repeatableParameters: Set<String>
    private let makeBody: @Sendable () -> JSON?
    private let makeContent: @Sendable () -> JSON?
    /// The status of a response to a request that succeeds.
    let status: String

    /// Describes an operation.
    ///
    /// Only the document at `/api` contains the body and the content, so they are made when it is requested.
    ///
    /// - Parameters:
    ///   - id: The identifier of the operation.
    ///   - summary: A title for lists.
    ///   - description: The effect and the result of the operation.
    ///   - permission: The callers who may use it.
    ///   - pathParameters: The parameters of the path.
    ///   - query: The query parameters; `nil` if the server ignores all query parameters.
    ///   - headers: The parameters in header fields.
    ///   - body: The body of a request.
    ///   - status: The status of a response to a request that succeeds.
    ///   - content: The representations of a response by media type.
    package init(
        _ id: String,
        summary: String,
        description: String = "",
        permission: Permission,
        pathParameters: [JSON] = [],
        query: [QueryParameter]? = [],
        headers: [JSON] = [],
        body: @autoclosure @escaping @Sendable () -> JSON? = nil,
        status: String = "200",
        content: @autoclosure @escaping @Sendable () -> JSON? = nil
    ) {
        self.id = id
        self.summary = summary
        self.description = description
        self.permission = permission
        self.pathParameters = pathParameters
        self.query = query
        self.headers = headers
        self.status = status
        makeBody = body
        makeContent = content
        let parameters = query ?? []
        knownParameters = parameters.map(\.name)
        repeatableParameters = Set(parameters.filter(\.isRepeatable).map(\.name))
    }

    /// Returns the operation with its path in the document at `/api`.
    func at(_ path: String) -> RouteOperation {
        var operation = self
        operation.path = path
        return operation
    }

    /// Returns the operation with the fields that only the form of its page sends.
    func withForm(_ fields: [String]) -> RouteOperation {
        var operation = self
        operation.formFields = fields
        return operation
    }

    /// The body of a request (an OpenAPI request body object); `nil` for a request without a body.
    var body: JSON? { makeBody() }

    /// The representations of a response by media type (OpenAPI media type objects); `nil` if it has no body.
    var content: JSON? { makeContent() }

    /// Returns the operation object of OpenAPI.
    ///
    /// - Parameter publicCollections: The IDs of the collections that everyone may read.
    /// - Returns: The object.
    func document(publicCollections: Set<String>) -> JSON {
        var response: [String: JSON] = ["description": "The request succeeded."]
        response["content"] = content
        var members: [String: JSON] = [
            "operationId": .text(id),
            "summary": .text(summary),
            "description": .text(description),
            "responses": [status: .object(response), "default": ["$ref": "#/components/responses/Problem"]],
        ]
        let parameters = (query ?? []).compactMap(\.document) + headers
        if !parameters.isEmpty { members["parameters"] = .list(parameters) }
        members["requestBody"] = body
        members["security"] = permission.security(publicCollections)
        return .object(members)
    }
}

extension RouteOperation.Permission {
    /// The security requirements of OpenAPI for a token or a session, one of which is required by default.
    static let credentials: [JSON] = [["token": []], ["session": []]]

    /// Returns the security requirements of OpenAPI; `nil` for the default.
    fileprivate func security(_ publicCollections: Set<String>) -> JSON? {
        switch self {
        case .everyone, .anyCaller:
            return []
        case .viewers, .operator, .users:
            return nil
        case .selectedReaders:
            return publicCollections.isEmpty ? nil : .list(Self.credentials + [[:]])
        case .readers(let collection):
            return publicCollections.contains(collection) ? .list(Self.credentials + [[:]]) : nil
        case .photoReaders(let collection):
            let links: [JSON] = Self.credentials + [["photoLink": []]]
            return .list(publicCollections.contains(collection) ? links + [[:]] : links)
        }
    }
}

/// A query parameter of an operation.
package struct QueryParameter: Sendable {
    let name: String
    /// Whether a request may contain the parameter several times.
    let isRepeatable: Bool
    private let makeDocument: @Sendable () -> JSON?

    /// Describes a parameter with an OpenAPI parameter object.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isRepeatable: Whether a request may contain the parameter several times.
    ///   - document: The object; `nil` for a parameter that another part of the document describes.
    package init(
        _ name: String,
        isRepeatable: Bool = false,
        document: @autoclosure @escaping @Sendable () -> JSON?
    ) {
        self.name = name
        self.isRepeatable = isRepeatable
        makeDocument = document
    }

    /// The OpenAPI parameter object; `nil` for a parameter that another part of the document describes.
    var document: JSON? { makeDocument() }

    /// Describes a parameter.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - meaning: The effect of the parameter.
    ///   - schema: The JSON schema of its value.
    ///   - isRequired: Whether a request must contain it.
    package init(
        _ name: String,
        _ meaning: String,
        schema: @autoclosure @escaping @Sendable () -> JSON,
        isRequired: Bool = false
    ) {
        self.init(
            name,
            document: [
                "name": .text(name),
                "in": "query",
                "required": .boolean(isRequired),
                "description": .text(meaning),
                "schema": schema(),
            ])
    }

    /// Describes a parameter whose value is `true` or `false`; the default is `false`.
    static func flag(_ name: String, _ meaning: String) -> QueryParameter {
        QueryParameter(
            name, meaning, schema: ["type": "string", "enum": ["true", "false"], "default": "false"])
    }

    /// Describes the parameter `f`, which selects the form of a response.
    ///
    /// - Parameter forms: The names of the forms, the default first.
    /// - Returns: The description.
    static func form(_ forms: [String]) -> QueryParameter {
        QueryParameter(
            "f", "Response format. Without the parameter, the header Accept selects the format.",
            schema: ["type": "string", "enum": .list(forms.map { .text($0) })])
    }

    /// The parameter `f` of a document with one form, which the document at `/api` does not mention.
    static let onlyJSON = QueryParameter("f", document: nil)
}

extension JSON {
    /// Describes a parameter of a path (an OpenAPI parameter object).
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - meaning: The meaning of its value.
    ///   - schema: The JSON schema of its value.
    /// - Returns: The object.
    static func pathParameter(_ name: String, _ meaning: String, schema: JSON = ["type": "string"]) -> JSON {
        [
            "name": .text(name),
            "in": "path",
            "required": true,
            "schema": schema,
            "description": .text(meaning),
        ]
    }

    /// Returns a reference to a schema of the document at `/api`.
    static func reference(_ name: String) -> JSON { ["$ref": .text("#/components/schemas/\(name)")] }

    /// Returns the content of a response or a body in one media type.
    package static func content(_ type: ContentType, schema: JSON) -> JSON { [type.text: ["schema": schema]] }

    /// The content of a response that is an HTML page.
    package static let pageContent = content(.html, schema: ["type": "string"])
}
