import Base
import HabitModel

/// The type of the JSON object at the beginning of an input, determined without a complete parse.
enum ObjectShape: Equatable {
    case collection
    case feature(spansLines: Bool)
    case plain(spansLines: Bool)
    /// The object does not end within the bytes, or the bytes are not JSON.
    case unfinished

    /// Examines the members of the object and stops at the first member that determines the type.
    init(of bytes: Span<UInt8>) {
        self = .unfinished
        guard let brace = Self.skip(from: 0, in: bytes), bytes[brace] == UInt8(ascii: "{")
        else { return }
        var isFeature = false
        var position = brace + 1
        while let start = Self.skip(from: position, in: bytes), bytes[start] != UInt8(ascii: "}") {
            guard let name = Self.value(at: start, in: bytes),
                let colon = Self.skip(from: name.upperBound, in: bytes), bytes[colon] == UInt8(ascii: ":"),
                let beginning = Self.skip(from: colon + 1, in: bytes)
            else { return }
            if bytes[beginning] == UInt8(ascii: "["), Self.equal(bytes.extracting(name), "features") {
                self = .collection
                return
            }
            guard let value = Self.value(at: beginning, in: bytes) else { return }
            if Self.equal(bytes.extracting(name), "type") {
                if Self.equal(bytes.extracting(value), "FeatureCollection") {
                    self = .collection
                    return
                }
                isFeature = isFeature || Self.equal(bytes.extracting(value), "Feature")
            }
            guard let comma = Self.skip(from: value.upperBound, in: bytes) else { return }
            position = bytes[comma] == UInt8(ascii: ",") ? comma + 1 : comma
            if position == comma, bytes[comma] != UInt8(ascii: "}") { return }
        }
        guard let end = Self.skip(from: position, in: bytes) else { return }
        let spansLines = lineFeeds(in: bytes.extracting(brace..<end)) > 0
        self = isFeature ? .feature(spansLines: spansLines) : .plain(spansLines: spansLines)
    }

    private static func skip(from position: Int, in bytes: Span<UInt8>) -> Int? {
        (position..<bytes.count).first { !InputContent.isSpace(bytes[$0]) }
    }

    private static func value(at start: Int, in bytes: Span<UInt8>) -> Range<Int>? {
        var extent = JSONExtent()
        guard let end = extent.end(in: bytes, from: start), end > start else { return nil }
        return start..<end
    }

    /// Whether `bytes` are the JSON string `text`, including its quotes.
    private static func equal(_ bytes: Span<UInt8>, _ text: String) -> Bool { bytes.isEqual(to: "\"\(text)\"") }
}
