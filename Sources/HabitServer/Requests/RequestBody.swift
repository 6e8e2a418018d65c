import Base
import Foundation
import HTTPTypes
import HabitModel
import Hummingbird
import NIOCore

/// Methods that read request bodies within the limits of size, time and memory.
extension HabitatServer {
    /// The largest record that is accepted, in bytes: a photo of the permitted size as base64, and the texts.
    static let bodyLimit = 256 << 10

    /// Calls `use` with the body of a request.
    ///
    /// Check the permissions of the request before the call. If this method is not called, the body is not read and the
    /// connection closes.
    /// - Parameters:
    ///   - request: The request with the body.
    ///   - holder: The user whose memory budget the body uses.
    ///   - limit: Maximum number of bytes.
    ///   - remedy: The advice for a client that sends a larger body.
    ///   - use: Processes the body. The memory stays reserved until it returns.
    /// - Returns: The result of `use`.
    /// - Throws: 415 `content-encoding-unsupported`, `body-too-large`, `timeout` after the deadline of a request, `row-invalid` for an empty body, `busy`
    ///   or `too-many-requests` if the memory for bodies is exhausted, and the errors of `use`.
    func withBody<Result>(
        of request: Request, for holder: String, limit: Int = bodyLimit, remedy: String = "send a smaller body",
        _ use: ([UInt8]) async throws -> Result
    ) async throws -> Result {
        try requireIdentityEncoding(request)
        let tooLarge = Problem(
            .contentTooLarge, "body-too-large",
            "the body is larger than the limit of \(limit) bytes: \(remedy)")
        let declared = request.headers[.contentLength].flatMap { Int($0) }.map { max($0, 0) }
        guard declared ?? 0 <= limit else { throw tooLarge }
        let budget = limit > Self.bodyLimit ? uploads : records
        return try await budget.reserving(declared ?? limit, for: holder) {
            let bytes = try await receive(request.body, declared ?? 0, limit, tooLarge)
            guard !bytes.isEmpty else {
                throw HabitError(
                    .rowInvalid, "the body is empty: send a GeoJSON Feature or a JSON object with the fields")
            }
            return try await use(bytes)
        }
    }

    /// Checks that a body is not compressed.
    ///
    /// - Throws: 415 `content-encoding-unsupported`, with the supported encoding (RFC 9110, section 15.5.16).
    private func requireIdentityEncoding(_ request: Request) throws {
        let encodings = (request.headers[.contentEncoding] ?? "").split(separator: ",").map { name in
            name.trimmingCharacters(in: .whitespaces)
        }
        guard let other = encodings.first(where: { !["", "identity"].contains($0.lowercased()) }) else { return }
        throw Problem(
            .unsupportedMediaType, "content-encoding-unsupported",
            "the body has the content encoding '\(other)': send it without compression", field: "Content-Encoding",
            headers: [.acceptEncoding: "identity"])
    }

    private func receive(
        _ body: RequestBody, _ expected: Int, _ limit: Int, _ tooLarge: Problem
    ) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { [options] group in
            group.addTask {
                var bytes: [UInt8] = []
                bytes.reserveCapacity(expected)
                for try await block in body {
                    guard bytes.count + block.readableBytes <= limit else { throw tooLarge }
                    bytes += block.readableBytesView
                }
                return bytes
            }
            group.addTask {
                try await Task.sleep(for: options.deadline)
                throw Problem(
                    .requestTimeout, ErrorCode.timeout.slug,
                    "the body was not received in time: send the request again",
                    headers: [.connection: "close"])
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }
}
