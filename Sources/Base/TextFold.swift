import CUtf8proc

extension String {
    /// The form in which texts are compared: full Unicode case folding and canonical composition (NFC).
    ///
    /// `ÉTÉ` matches `été` but not `ete`, and `STRASSE` matches `straße`. See Unicode 15, section 3.13, D145
    /// (`toCasefold(NFD(X))`, composed). ASCII texts are folded without a call of utf8proc.
    public var folded: String {
        guard utf8.allSatisfy({ $0 < 0x80 }) else {
            let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
            return mapped(options)
        }
        let hasCapital = utf8.contains { (0x41...0x5a).contains($0) }
        return hasCapital ? lowercased() : self
    }

    /// The text in Unicode normalization form C (NFC), in which texts are stored.
    public var composed: String {
        guard utf8.allSatisfy({ $0 < 0x80 }) else {
            let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
            return mapped(options)
        }
        return self
    }

    /// Returns the text transformed by utf8proc with `options`, or the unchanged text if utf8proc fails.
    func mapped(_ options: UInt32) -> String {
        var text = self
        return text.withUTF8 { bytes in
            var result: UnsafeMutablePointer<UInt8>?
            let length = utf8proc_map(
                bytes.baseAddress,
                utf8proc_ssize_t(bytes.count),
                &result,
                utf8proc_option_t(rawValue: options))
            defer { free(result) }
            guard length >= 0, let result else {
                return String(decoding: bytes, as: UTF8.self)
            }
            let mapped = UnsafeBufferPointer(start: result, count: length)
            return String(decoding: mapped, as: UTF8.self)
        }
    }
}
