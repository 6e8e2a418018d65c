import Base

/// The encoding of any text as a part of a file name.
public enum FileNameEncoding {
    /// Maximum length of an encoded text in bytes.
    ///
    /// File names have at most 255 bytes.
    static let mostBytes = 200
    /// Number of digits of the digest at the end of a shortened text.
    private static let digestLength = 16

    /// Returns the text as a part of a file name.
    ///
    /// ASCII letters, digits, `-`, `_` and `.` are unchanged. Each other byte of the UTF-8 is `%` and two hexadecimal
    /// digits. A text of more than 200 encoded bytes is shortened and ends with a digest. Different texts therefore
    /// have different names.
    ///
    /// - Parameter text: The text, for example the ID of a user.
    /// - Returns: The encoded text.
    public static func encode(_ text: String) -> String {
        var name = ""
        for byte in text.utf8 {
            if isSafe(byte) {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += "%" + [byte].hexadecimal.uppercased()
            }
        }
        guard name.utf8.count > mostBytes else { return name }
        let digest = text.utf8.sha256.hexadecimal.prefix(digestLength)
        // A tilde is encoded, so a text that is not shortened does not contain it.
        return name.prefix(mostBytes - digestLength - 1) + "~" + digest
    }

    /// Returns the relative URL of a file with this name.
    ///
    /// - Parameter name: A name with the characters of ``encode(_:)``.
    /// - Returns: The name, in which `%25` represents each percent sign.
    public static func url(of name: String) -> String { name.replacing("%", with: "%25") }

    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}
