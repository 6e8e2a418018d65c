import AsyncHTTPClient
import Base
import Foundation
import HabitModel
import NIOCore
import NIOHTTP1

/// A request of the server to an issuer.
///
/// It does not use a proxy, even if the environment configures one. Redirects are not followed, because they would change
/// the server that provides the response.
struct IssuerRequest: Sendable {
    /// The `http` or `https` URL.
    let url: String
    /// The form that the request sends; `nil` for GET.
    var form: String?
    /// The value of the header `Authorization`.
    var authorization: String?

    /// The largest response, in bytes.
    private static let sizeLimit = 1 << 20

    /// A response to a request.
    struct Response: Sendable {
        let status: Int
        /// The value of the header `Content-Type`.
        let type: String?
        /// The body, which has at most 1 MiB.
        let body: [UInt8]
    }

    /// Sends the request.
    ///
    /// - Parameter timeout: Maximum time until the response is complete.
    /// - Returns: The response, with any status.
    /// - Throws: `input-unreadable` with the error of the connection as its cause.
    func response(within timeout: Duration) async throws(HabitError) -> Response {
        do {
            return try await withThrowingTaskGroup(of: Response.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await send(connectingWithin: timeout) }
                group.addTask {
                    try await Task.sleep(for: timeout)
                    throw HabitError(.timeout, "the server took longer than \(timeout)")
                }
                guard let first = try await group.next() else { throw CancellationError() }
                return first
            }
        } catch {
            throw HabitError(
                .inputUnreadable,
                "the request to '\(shownURL)' failed",
                cause: error)
        }
    }

    /// Downloads a document.
    ///
    /// - Parameter timeout: Maximum time for the complete download.
    /// - Returns: The document.
    /// - Throws: `input-unreadable` for another status than 200, and the errors of ``response(within:)``.
    func document(within timeout: Duration) async throws(HabitError) -> [UInt8] {
        let response = try await response(within: timeout)
        guard response.status == 200 else {
            throw HabitError(
                .inputUnreadable,
                "the request to '\(shownURL)' failed",
                cause: HabitError(.inputUnreadable, "the status is \(response.status)"))
        }
        return response.body
    }

    private func send(connectingWithin timeout: Duration) async throws -> Response {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Otherwise the client has a limit of its own for the connection, 10 s.
        configuration.timeout.connect = TimeAmount(timeout)
        // The error of a refused connection would otherwise be a timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let response = try await client.execute(request, deadline: .distantFuture)
            let body = try await response.body.collect(upTo: Self.sizeLimit)
            return Response(
                status: Int(response.status.code),
                type: response.headers.first(name: "Content-Type"),
                body: Array(body.readableBytesView))
        }
    }

    private var request: HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "application/json")
        if let authorization {
            request.headers.add(name: "Authorization", value: authorization)
        }
        if let form {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: form))
        }
        return request
    }

    /// The URL without user, password and query for the log.
    private var shownURL: String {
        guard var parts = URLComponents(string: url) else { return "?" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        return parts.string ?? "?"
    }
}

extension HTTPClientError: LoggableError {
    /// The description of the kind of error, without values such as the URL.
    public var logText: String { "HTTPClientError: \(shortDescription)" }
}
