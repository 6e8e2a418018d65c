import HTTPTypes
import HabitModel
import Hummingbird
import NIOCore

/// Reading request bodies within their limit, their time and the memory for all of them.
extension HabitatServer {
    /// The largest record that is accepted, in bytes: a photo of the permitted size as base64, and the texts.
    static let bodyLimit = 256 << 10

    /// Calls `use` with the body of a request.
    ///
    /// Check what the request may do before: the body is not read if this method is not called, and the connection closes.
    /// - Parameters:
    ///   - holder: The user whose share of the memory the body takes.
    ///   - limit: Maximum number of bytes.
    ///   - remedy: What the client can do about a larger body.
    /// - Throws: `body-too-large`, `timeout` after the deadline of a request, `row-invalid` for an empty body, `busy` or
    ///   `too-many-requests` if the memory for bodies is exhausted, and the errors of `use`.
    func withBody<Result>(
        of request: Request, for holder: String, limit: Int = bodyLimit, remedy: String = "send less",
        _ use: ([UInt8]) async throws -> Result
    ) async throws -> Result {
        let tooLarge = Problem(
            .contentTooLarge, "body-too-large",
            "the body is larger than the \(limit) bytes that are taken here: \(remedy)")
        let declared = request.headers[.contentLength].flatMap { Int($0) }.map { max($0, 0) }
        guard declared ?? 0 <= limit else { throw tooLarge }
        let budget = limit > Self.bodyLimit ? uploads : records
        return try await budget.reserving(declared ?? limit, for: holder) {
            let bytes = try await receive(request.body, declared ?? 0, limit, tooLarge)
            guard !bytes.isEmpty else {
                throw HabitError(
                    .rowInvalid, "the body is empty: send a GeoJSON Feature, or the fields as a JSON object")
            }
            return try await use(bytes)
        }
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
                    .requestTimeout, ErrorCode.timeout.slug, "the body did not come in time",
                    headers: [.connection: "close"])
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }
}
