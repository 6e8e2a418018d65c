import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import StoreEngine
import Testing

@testable import HabitServer

/// A request that must fail, with its status and slug.
struct RefusedRequest: CustomStringConvertible, Sendable {
    /// The name of a user, `operator`, or `nil` for a request without a token.
    var user: String?
    var method: HTTPRequest.Method
    /// The path below `/collections`.
    var resource: String
    var body: String?
    var status: Int
    var slug: String

    init(
        _ method: HTTPRequest.Method,
        _ resource: String,
        as user: String?,
        body: String? = nil,
        is status: Int,
        slug: String
    ) {
        self.user = user
        self.method = method
        self.resource = resource
        self.body = body
        self.status = status
        self.slug = slug
    }

    var description: String { "\(user ?? "nobody"): \(method) \(resource) \(body?.prefix(200) ?? "")" }
}

extension ServerFixture {
    /// Checks that requests fail with problem details and change nothing.
    func expectRefusals(_ requests: [RefusedRequest]) async throws {
        try await run { client in
            for request in requests {
                let before = try self.version
                let response = try await client.call(
                    request.method, request.resource, as: request.user, body: request.body)
                #expect(response.status == request.status, "\(request): \(response)")
                #expect(response.slug == request.slug, "\(request): \(response)")
                #expect(response.type == "application/problem+json", "\(request): \(response.type ?? "")")
                #expect(try self.version == before, "\(request) changed something")
            }
        }
    }

    /// The number of transactions that have changed the store, and the newest change in its log.
    private var version: [Int64] {
        get throws {
            try store.engine.read { session in
                let changes = try session.first("SELECT change FROM store") { row in row.integer(0) }
                let state = try LogState(of: .viewer(.operator), in: session)
                return [changes ?? 0, state.newest.number]
            }
        }
    }
}

extension ServerClient {
    /// Sends a request for a resource below `/collections`.
    @discardableResult
    func call(
        _ method: HTTPRequest.Method, _ resource: String, as user: String?, body: String? = nil
    ) async throws -> ServerResponse {
        try await send(method, path: "/collections/" + resource, as: user, body)
    }

    /// Reads a resource below `/collections`.
    func call(_ resource: String, as user: String?) async throws -> ServerResponse {
        try await call(.get, resource, as: user)
    }

    /// Returns the rows of a report.
    func report(_ report: String, as user: String) async throws -> [[String: Any]] {
        let response = try await send(path: "/reports/" + report, as: user)
        try #require(response.status == 200, "\(response)")
        return try JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]] ?? []
    }
}

extension ServerResponse {
    /// The names and values of the properties of a feature.
    var sortedProperties: [String] { properties.map { "\($0): \($1)" }.sorted() }

    /// Returns the values of a property of all features.
    func values<Value>(_ property: String, as type: Value.Type = String.self) -> [Value?] {
        features.map { ($0["properties"] as? [String: Any])?[property] as? Value }
    }
}
