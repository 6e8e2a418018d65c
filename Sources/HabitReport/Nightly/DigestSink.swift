import HabitModel
import Rendering

/// Takes the size and the digest of what goes through it to another sink.
final class DigestSink: OutputSink {
    private let sink: any OutputSink
    private var hash = RunningSHA256()
    private(set) var count = 0

    /// SHA-256, as lower-case hexadecimal digits.
    var digest: String { hash.digest.hexadecimal }

    init(_ sink: any OutputSink) { self.sink = sink }

    func write(_ bytes: RawSpan) throws {
        try sink.write(bytes)
        hash.update(bytes)
        count += bytes.byteCount
    }

    func commit() throws { try sink.commit() }
}

extension [UInt8] {
    /// Two lower-case digits a byte.
    var hexadecimal: String {
        let text = OutputBuffer()
        text.append(hex: span)
        return text.text
    }
}
