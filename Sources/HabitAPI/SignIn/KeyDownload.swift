import AsyncHTTPClient
import Base
import Foundation
import HabitModel
import NIOCore

/// Downloads the key set of an issuer.
///
/// The download does not use a proxy, even if the environment configures one.
enum KeyDownload {
    /// The largest key set, in bytes.
    private static let sizeLimit = 1 << 20

    /// Downloads the document at an `http` or `https` URL.
    ///
    /// Redirects are not followed, because they would change the server that provides the keys.
    /// - Parameters:
    ///   - url: The URL of the document, which has at most 1 MiB.
    ///   - timeout: Maximum time for the complete download.
    /// - Returns: The document.
    /// - Throws: `input-unreadable` with the error of the connection as its cause.
    static func text(from url: String, timeout: Duration = .seconds(10)) async throws(HabitError) -> String {
        do {
            return try await withThrowingTaskGroup(of: String.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await download(url) }
                group.addTask {
                    try await Task.sleep(for: timeout)
                    throw HabitError(.timeout, "the server took longer than \(timeout)")
                }
                return try await group.next() ?? ""
            }
        } catch {
            throw HabitError(
                .inputUnreadable,
                "the keys at '\(shown(url))' cannot be downloaded",
                cause: error)
        }
    }

    private static func download(_ url: String) async throws -> String {
        let configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let request = HTTPClientRequest(url: url)
            let response = try await client.execute(request, deadline: .distantFuture)
            guard response.status == .ok else {
                throw HabitError(.inputUnreadable, "the status is \(response.status.code)")
            }
            let body = try await response.body.collect(upTo: sizeLimit)
            return String(buffer: body)
        }
    }

    /// Returns the URL without user, password and query for the log.
    private static func shown(_ url: String) -> String {
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
