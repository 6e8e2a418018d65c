import CExpat

/// The single-byte encodings that older programs declare and that Expat does not support.
enum XMLEncodings {
    /// Sets the handler for these encodings.
    static func register(with parser: XML_Parser) {
        XML_SetUnknownEncodingHandler(
            parser,
            { _, name, encoding in
                guard let name, let encoding, let high = XMLEncodings.highCharacters(of: String(cString: name)) else {
                    return Int32(XML_STATUS_ERROR.rawValue)
                }
                withUnsafeMutableBytes(of: &encoding.pointee.map) { bytes in
                    let map = bytes.bindMemory(to: Int32.self)
                    for index in map.indices {
                        map[index] = Int32(index < 0x80 ? UInt32(index) : high[index - 0x80].value)
                    }
                }
                encoding.pointee.data = nil
                encoding.pointee.convert = nil
                encoding.pointee.release = nil
                return Int32(XML_STATUS_OK.rawValue)
            }, nil)
    }

    /// The characters of ISO 8859-15 that differ from ISO 8859-1, by byte.
    private static let latin9: [Int: Unicode.Scalar] = [
        0xA4: "€",
        0xA6: "Š",
        0xA8: "š",
        0xB4: "Ž",
        0xB8: "ž",
        0xBC: "Œ",
        0xBD: "œ",
        0xBE: "Ÿ",
    ]

    /// Returns the characters of the bytes from 0x80 on, or `nil` if the encoding is unknown.
    private static func highCharacters(of name: String) -> [Unicode.Scalar]? {
        let latin = (UInt8(0x80)...0xFF).map { Unicode.Scalar($0) }
        switch name.lowercased() {
        case "windows-1252", "cp1252", "cp-1252", "latin1", "latin-1", "iso8859-1", "iso_8859-1", "ansi":
            return Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars) + latin[32...]
        case "iso-8859-15", "latin9", "latin-9":
            var characters = latin
            for (byte, character) in latin9 {
                characters[byte - 0x80] = character
            }
            return characters
        case "windows-1251", "cp1251":
            let first =
                "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї"
            return Array(first.unicodeScalars) + (0x410...0x44F).compactMap { Unicode.Scalar(UInt32($0)) }
        case "windows-1250", "cp1250":
            return Array(
                ("€\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż"
                    + "ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙").unicodeScalars)
        default: return nil
        }
    }
}
