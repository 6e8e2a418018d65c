import Base

/// The type of the JSON object at the beginning of an input, determined without a complete parse.
enum ObjectShape: Equatable {
    case collection
    case feature(spansLines: Bool)
    case plain(spansLines: Bool)
    /// The object does not end within the bytes, or the bytes are not JSON.
    case unfinished

    /// Examines the members of the object and stops at the first member that determines the type.
    init(of bytes: ArraySlice<UInt8>) {
        var reader = JSONReader(bytes)
        self = .unfinished
        _ = reader.peek()
        let start = bytes.startIndex + reader.offset
        guard reader.take("{") else { return }
        var isFeature = false
        while let next = reader.peek(), next != "}" {
            guard let member = Member(&reader) else { return }
            if member.isCollection {
                self = .collection
                return
            }
            isFeature = isFeature || member.isFeature
            guard reader.take(",") || reader.peek() == "}" else { return }
        }
        guard reader.peek() != nil else { return }
        let end = bytes.startIndex + reader.offset
        let spansLines = lineFeeds(in: bytes[start..<end].span) > 0
        self = isFeature ? .feature(spansLines: spansLines) : .plain(spansLines: spansLines)
    }

    /// The meaning of a member.
    private struct Member {
        var isCollection = false
        var isFeature = false

        /// Reads a member, or returns `nil` if it does not end within the bytes.
        ///
        /// The features of a collection are not read.
        init?(_ reader: inout JSONReader) {
            guard let name = reader.extent(), !name.isEmpty, reader.take(":"), let first = reader.peek()
            else { return nil }
            if first == "[", Self.equal(name, "features") {
                isCollection = true
                return
            }
            guard let value = reader.extent(), !value.isEmpty else { return nil }
            guard Self.equal(name, "type") else { return }
            isCollection = Self.equal(value, "FeatureCollection")
            isFeature = Self.equal(value, "Feature")
        }

        /// Whether `bytes` are the JSON string `text`, including its quotes.
        private static func equal(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
            bytes.elementsEqual("\"\(text)\"".utf8)
        }
    }
}
