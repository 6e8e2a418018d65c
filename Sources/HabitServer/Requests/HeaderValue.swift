import Foundation

/// A header value of the form `word; name=value; name="value"` (RFC 9110, section 5.6.6).
struct HeaderValue {
    /// The first word in lower case, such as a media type.
    private(set) var word = ""
    /// The parameters by lowercase name.
    private(set) var parameters: [String: String] = [:]

    /// Parses a value, or returns `nil` if it has another form or a parameter is repeated.
    init?(_ text: String) {
        var rest = text.utf8[...]
        word = Self.text(Self.take(from: &rest) { $0 != UInt8(ascii: ";") }).lowercased()
        guard !word.isEmpty else { return nil }
        while rest.popFirst() == UInt8(ascii: ";") {
            rest = rest.drop(while: Self.isSpace)
            // A semicolon may end the value.
            if rest.isEmpty { return }
            let name = Self.text(Self.take(from: &rest, while: Self.isTokenByte)).lowercased()
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = Self.value(&rest),
                parameters.updateValue(value, forKey: name) == nil
            else { return nil }
            rest = rest.drop(while: Self.isSpace)
            guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }
        }
    }

    /// Reads a token or a quoted text.
    private static func value(_ rest: inout Substring.UTF8View) -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            let token = take(from: &rest, while: isTokenByte)
            return token.isEmpty ? nil : String(Substring(token))
        }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            // A backslash escapes a quote or a backslash. Browsers send other backslashes unescaped.
            let isEscape = byte == UInt8(ascii: "\\") && (rest.first == UInt8(ascii: "\"") || rest.first == byte)
            bytes.append(isEscape ? rest.removeFirst() : byte)
            if rest.isEmpty { return nil }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func take(
        from rest: inout Substring.UTF8View, while isWanted: (UInt8) -> Bool
    ) -> Substring.UTF8View {
        let taken = rest.prefix(while: isWanted)
        rest = rest[taken.endIndex...]
        return taken
    }

    private static func text(_ bytes: Substring.UTF8View) -> String { trimmed(Substring(bytes)) }

    /// Returns the text without spaces and tabs at its ends.
    static func trimmed(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Whether a byte may appear in a token (RFC 9110, section 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
