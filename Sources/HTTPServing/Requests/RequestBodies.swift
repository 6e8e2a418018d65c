import Base
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads request bodies within the limits of size, time and memory.
package struct RequestBodies: Sendable {
    /// The largest record that is accepted, in bytes: a photo of the permitted size as base64, and the texts.
    package static let recordLimit = 256 << 10

    /// The size of the largest photo for which ``recordLimit`` suffices, in bytes.
    private static let standardPhotoLimit = 65_535

    /// Returns the size of the largest record with a photo, in bytes.
    ///
    /// - Parameter photoLimit: The maximum size of the photo, in bytes. The record contains it as base64.
    /// - Returns: The limit, which is at least ``recordLimit``.
    package static func recordLimit(photoLimit: Int) -> Int {
        let additional = max(0, photoLimit - standardPhotoLimit)
        return recordLimit + (additional * 4 + 2) / 3
    }

    /// Memory budget of bodies whose limit exceeds ``recordLimit``, that is, of large photos.
    let uploads: BodyBudget
    /// Memory budget of all other bodies.
    ///
    /// It is separate, so that stalled uploads leave room for records.
    let records: BodyBudget
    private let deadline: Duration

    /// Creates a reader without reservations.
    ///
    /// - Parameters:
    ///   - memory: Maximum memory for large bodies, in bytes. All other bodies have a third of it in addition.
    ///   - memoryPerRequester: Maximum memory for the large bodies of one user, in bytes. The user's other bodies have
    ///     an eighth of it in addition.
    ///   - deadline: Maximum time for receiving a body.
    package init(memory: Int, memoryPerRequester: Int, deadline: Duration) {
        uploads = BodyBudget(limit: memory, requesterLimit: memoryPerRequester)
        records = BodyBudget(limit: memory / 3, requesterLimit: memoryPerRequester / 8)
        self.deadline = deadline
    }

    /// The number of bytes that are reserved for bodies.
    package var reserved: Int { uploads.reserved + records.reserved }

    /// Calls `use` with the body of a request.
    ///
    /// Check the permissions of the request before the call. If this method is not called, the body is not read and the
    /// connection closes.
    /// - Parameters:
    ///   - request: The request with the body.
    ///   - requester: The user whose memory budget the body uses.
    ///   - limit: Maximum number of bytes.
    ///   - remedy: The advice for a client that sends a larger body.
    ///   - isOptional: Whether the body may be empty.
    ///   - use: Processes the body. The memory stays reserved until it returns.
    /// - Returns: The result of `use`.
    /// - Throws: 415 `content-encoding-unsupported`, `body-too-large`, `timeout` after the deadline of a request,
    ///   `row-invalid` for an empty body, `busy` or `too-many-requests` if the memory for bodies is exhausted, and the
    ///   errors of `use`.
    package func withBody<Result>(
        of request: Request,
        for requester: String,
        limit: Int = recordLimit,
        remedy: String = "send a smaller body",
        isOptional: Bool = false,
        _ use: ([UInt8]) async throws -> Result
    ) async throws -> Result {
        try requireIdentityEncoding(request)
        let tooLarge = Problem(
            .contentTooLarge,
            slug: ServerSlug.bodyTooLarge,
            detail: "the body is larger than the limit of \(limit) bytes: \(remedy)")
        let length = request.headers[.contentLength].flatMap { text in Int(text) }
        let declared = length.map { length in max(length, 0) }
        guard declared ?? 0 <= limit else { throw tooLarge }
        let budget = limit > Self.recordLimit ? uploads : records
        return try await budget.reserving(declared ?? limit, for: requester) {
            let bytes = try await receive(
                request.body,
                expecting: declared ?? 0,
                limit: limit,
                tooLarge: tooLarge)
            guard isOptional || !bytes.isEmpty else {
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
        let header = request.headers[.contentEncoding] ?? ""
        let encodings = header.split(separator: ",").map { name in
            name.trimmingCharacters(in: .whitespaces)
        }
        let other = encodings.first { name in !["", "identity"].contains(name.lowercased()) }
        guard let other else { return }
        throw Problem(
            .unsupportedMediaType,
            slug: ServerSlug.contentEncodingUnsupported,
            detail: "the body has the content encoding '\(other)': send it without compression",
            field: "Content-Encoding",
            headers: [.acceptEncoding: "identity"])
    }

    private func receive(
        _ body: RequestBody,
        expecting expected: Int,
        limit: Int,
        tooLarge: Problem
    ) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
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
                try await Task.sleep(for: deadline)
                throw Problem(
                    .requestTimeout,
                    slug: ErrorCode.timeout,
                    detail: "the body was not received in time: send the request again",
                    headers: [.connection: "close"])
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }
}
