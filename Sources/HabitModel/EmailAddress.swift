import Base

/// The rule for email addresses.
///
/// An address is an argument of mail programs, which read `-x` as an option, `|command` as a command, `/path` and
/// `+path` as a file, and a comma as the end of an address. Addresses of RFC 5322 with quotes, comments or routes are
/// refused as well.
///
/// A character outside ASCII counts as a letter (RFC 6531, section 3.3), except most spaces, some invisible
/// characters, and the wide and small forms of punctuation. The schema has the same rule, so that every stored address is
/// valid.
public enum EmailAddress {
    /// The characters of a local part, in addition to letters and digits.
    private static let symbols: Set<Unicode.Scalar> = Set(".#$&'*+-=?^_{}~".unicodeScalars)
    /// The maximum length, in bytes (RFC 5321, section 4.5.3.1.3).
    private static let limit = 254

    /// Whether a text is one email address.
    public static func isValid(_ text: String) -> Bool {
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= limit else { return false }
        return isLocalPart(parts[0]) && isDomain(parts[1])
    }

    /// Checks that a text is one email address.
    ///
    /// - Parameters:
    ///   - text: The text in the input.
    ///   - field: The name of the field that contains the text, for the error.
    /// - Returns: The address in NFC.
    /// - Throws: `field-invalid`.
    public static func check(_ text: String, field: String = Field.email.name) throws(HabitError) -> String {
        let address = text.composed
        guard isValid(address) else {
            throw HabitError(
                .fieldInvalid, "the \(field) is not an email address: write one address, such as ann@example.org",
                field: field)
        }
        return address
    }

    /// Returns the form in which addresses are compared: the ASCII letters are in lower case.
    ///
    /// Two addresses that differ in other letters, such as `ss` and `ß`, may belong to different persons.
    ///
    /// - Parameter address: The address in NFC, or a part of one.
    /// - Returns: The form.
    public static func comparable(_ address: String) -> String {
        let bytes = address.utf8.map { byte in
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            return isCapital ? byte + 32 : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a text can precede `@`: letters, digits and some symbols, with a letter, a digit or `_` at the start.
    private static func isLocalPart(_ text: Substring.UnicodeScalarView) -> Bool {
        guard let first = text.first else { return false }
        guard first == "_" || isWord(first) else { return false }
        return text.allSatisfy { scalar in isWord(scalar) || symbols.contains(scalar) }
    }

    /// Whether a text is a domain: labels of letters, digits and inner hyphens, with periods between them.
    private static func isDomain(_ text: Substring.UnicodeScalarView) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy(isLabel)
    }

    /// Whether a text consists of letters, digits and inner hyphens.
    private static func isLabel(_ text: Substring.UnicodeScalarView) -> Bool {
        guard let first = text.first, first != "-" else { return false }
        guard let last = text.last, last != "-" else { return false }
        return text.allSatisfy { scalar in isWord(scalar) || scalar == "-" }
    }

    /// Whether a character is a digit, a letter, or a character outside ASCII that counts as a letter.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z": true
        case "\u{1680}", "\u{2000}"..."\u{206F}", "\u{3000}"..."\u{3003}", "\u{FE50}"..."\u{FE6F}", "\u{FEFF}",
            "\u{FF00}"..."\u{FF0F}", "\u{FF1A}"..."\u{FF20}", "\u{FF61}":
            false
        default: scalar.value >= 0xA1
        }
    }
}
