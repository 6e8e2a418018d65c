import Foundation

/// A header value of the form `word; name=value; name="value"` (RFC 9110, section 5.6.6).
package struct HeaderValue {
    /// The first word in lower case, such as a media type.
    package private(set) var word = ""
    /// The parameters by lowercase name.
    package private(set) var parameters: [String: String] = [:]

    /// Parses a value, or returns `nil` if it has another form or a parameter is repeated.
    package init?(_ text: String) {
        var reader = HeaderReader(text)
        word = reader.readWord().lowercased()
        guard !word.isEmpty else { return nil }
        while reader.skip(.semicolon) {
            reader.skipSpaces()
            // A semicolon may end the value.
            if reader.isAtEnd { return }
            guard readParameter(&reader) else { return nil }
            reader.skipSpaces()
            guard reader.isAtEnd || reader.next == .semicolon else {
                return nil
            }
        }
    }

    /// Reads a parameter, and returns whether it is valid and is not repeated.
    private mutating func readParameter(_ reader: inout HeaderReader) -> Bool {
        let name = reader.readToken().lowercased()
        guard !name.isEmpty,
            reader.skip(.equalsSign),
            let value = reader.readValue()
        else { return false }
        return parameters.updateValue(value, forKey: name) == nil
    }

    /// Returns the text without spaces and tabs at its ends.
    package static func trimmed(_ text: Substring) -> String {
        let spaceAndTab = CharacterSet(charactersIn: " \t")
        return text.trimmingCharacters(in: spaceAndTab)
    }

    /// Whether a byte may appear in a token (RFC 9110, section 5.6.2).
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

/// Reads the parts of a header value in their order.
private struct HeaderReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text.utf8[...]
    }

    var isAtEnd: Bool {
        rest.isEmpty
    }

    var next: UInt8? {
        rest.first
    }

    /// Skips a byte, and returns whether it was the next one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skipSpaces() {
        rest = rest.drop(while: \.isSpaceOrTab)
    }

    /// Reads the text before the first parameter.
    mutating func readWord() -> String {
        let text = read { byte in byte != .semicolon }
        return HeaderValue.trimmed(text)
    }

    /// Reads a token, which is empty if no token follows.
    mutating func readToken() -> String {
        String(read(while: HeaderValue.isTokenByte))
    }

    /// Reads a token or a quoted text.
    mutating func readValue() -> String? {
        if skip(.quotationMark) { return readQuotedText() }
        let token = readToken()
        return token.isEmpty ? nil : token
    }

    /// Reads a text up to its second quotation mark.
    private mutating func readQuotedText() -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != .quotationMark {
            // A backslash escapes a quote or a backslash. Browsers send other backslashes unescaped.
            if byte == .backslash, next == .quotationMark || next == .backslash {
                bytes.append(rest.removeFirst())
            } else {
                bytes.append(byte)
            }
            if rest.isEmpty { return nil }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private mutating func read(while isWanted: (UInt8) -> Bool) -> Substring {
        let taken = rest.prefix(while: isWanted)
        rest = rest[taken.endIndex...]
        return Substring(taken)
    }
}
