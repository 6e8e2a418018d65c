import Base
import HabitModel
import Rendering

/// A sink that computes the size and the SHA-256 digest of the bytes that it passes to another sink.
final class DigestSink: OutputSink {
    private let sink: any OutputSink
    private var hash = RunningSHA256()
    /// The number of bytes written.
    private(set) var count = 0

    /// The SHA-256 digest as lowercase hexadecimal digits.
    var digest: String { hash.digest.hexadecimal }

    init(_ sink: any OutputSink) { self.sink = sink }

    func write(_ bytes: RawSpan) throws {
        try sink.write(bytes)
        hash.update(bytes)
        count += bytes.byteCount
    }

    func commit() throws { try sink.commit() }
}
