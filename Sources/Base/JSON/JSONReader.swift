/// A reader that moves through a JSON text (RFC 8259) in memory, from value to value.
///
/// The reader finds the extent of a value without parsing it, parses texts and numbers, and knows the offset of an error.
/// It reads a text from the beginning, so it can also read the beginning of a text that is cut off.
package struct JSONReader {
    /// An error in a text.
    package struct Fault: Error, Equatable {
        /// The reason why a text is not JSON.
        package enum Reason: Equatable {
            /// The text has another character than this one, or ends.
            case expected(Unicode.Scalar)
            case valueExpected, textExpected, wordExpected(String)
            case controlCharacter, escapeInvalid, textUnterminated, notUTF8
            case repeatedName(String)
            case unexpectedEnd
            /// A value follows the value of the document.
            case secondValue
            case tooDeep
        }

        package var reason: Reason
        /// The offset of the error in the text, in bytes.
        package var offset: Int
    }

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    /// Creates a reader at the beginning of a text.
    ///
    /// - Parameter bytes: The text in UTF-8.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The number of bytes before the reader.
    package var offset: Int {
        index - bytes.startIndex
    }

    /// Returns an error at the reader.
    package func fault(_ reason: Fault.Reason) -> Fault {
        Fault(reason: reason, offset: min(index, bytes.endIndex) - bytes.startIndex)
    }

    /// The next byte as a character, or `nil` at the end of the text.
    ///
    /// A byte of a character outside ASCII has a value of 0x80 or more.
    private var next: Unicode.Scalar? {
        index < bytes.endIndex ? Unicode.Scalar(bytes[index]) : nil
    }

    // MARK: Separators

    /// Skips white space and returns the next byte as a character, or `nil` at the end of the text.
    package mutating func peek() -> Unicode.Scalar? {
        index = bytes[index...].firstIndex { !$0.isJSONSpace } ?? bytes.endIndex
        return next
    }

    /// Skips white space, and consumes an ASCII character if it follows.
    ///
    /// - Parameter scalar: The character.
    /// - Returns: Whether the character follows.
    package mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        index += 1
        return true
    }

    /// Skips white space, and consumes an ASCII character.
    ///
    /// - Parameter scalar: The character.
    /// - Throws: A fault if another character follows.
    package mutating func expect(_ scalar: Unicode.Scalar) throws(Fault) {
        guard take(scalar) else { throw fault(.expected(scalar)) }
    }

    /// Checks that only white space follows.
    ///
    /// - Throws: A fault if another character follows.
    package mutating func expectEnd() throws(Fault) {
        guard peek() == nil else { throw fault(.secondValue) }
    }

    // MARK: Extents

    /// Consumes the next value as far as ``JSONExtent`` finds it.
    ///
    /// - Returns: The bytes of the value, or `nil` if the text ends within the value or directly after a number or word.
    ///   The reader is then at the end of the text.
    package mutating func extent() -> ArraySlice<UInt8>? {
        _ = peek()
        let start = index
        var extent = JSONExtent()
        guard let end = extent.end(in: bytes.span, from: offset) else {
            index = bytes.endIndex
            return nil
        }
        index = bytes.startIndex + end
        return bytes[start..<index]
    }

    /// Consumes the next value of an object, an array or a document.
    ///
    /// Characters between the value and the next separator belong to the value, so that its parser rejects them.
    ///
    /// - Returns: The bytes of the value.
    /// - Throws: A fault if no value follows, or if the text ends within the value.
    package mutating func value() throws(Fault) -> ArraySlice<UInt8> {
        _ = peek()
        let start = index
        scan: while let character = next {
            switch character {
            case "{", "[":
                try skipExtent()
                break scan
            case "\"": try skipExtent()
            case ",", ":", "}", "]", " ", "\n", "\r", "\t": break scan
            default: index += 1
            }
        }
        guard index > start else { throw fault(.valueExpected) }
        return bytes[start..<index]
    }

    private mutating func skipExtent() throws(Fault) {
        guard extent() != nil else { throw fault(.unexpectedEnd) }
    }

    // MARK: Values

    /// Consumes `true`, `false` or `null`.
    ///
    /// - Parameter word: The word.
    /// - Throws: A fault if another word follows.
    package mutating func expect(word: String) throws(Fault) {
        guard bytes[index...].starts(with: word.utf8) else { throw fault(.wordExpected(word)) }
        index += word.utf8.count
    }

    /// Parses a number.
    ///
    /// - Returns: The number, which is finite.
    /// - Throws: A fault at the beginning of the number if it has not the form of RFC 8259, section 6, or if it is out of
    ///   range.
    package mutating func number() throws(Fault) -> Double {
        let characters = bytes[index...].prefix { "0123456789+-.eE".utf8.contains($0) }
        let written = String(decoding: characters, as: UTF8.self)
        let form =
            #/
            -?
            (?: 0 | [1-9][0-9]* )
            (?: \.[0-9]+ )?
            (?: [eE][+\-]?[0-9]+ )?
            /#
        guard written.wholeMatch(of: form) != nil, let number = Double(decimal: written) else {
            throw fault(.valueExpected)
        }
        index = characters.endIndex
        return number
    }

    /// Parses a text.
    ///
    /// - Parameter allowsNUL: Whether the text may contain the escape of U+0000.
    /// - Returns: The text without its quotes and escapes.
    /// - Throws: A fault if the text is malformed.
    package mutating func text(allowsNUL: Bool = false) throws(Fault) -> String {
        guard next == "\"" else { throw fault(.textExpected) }
        index += 1
        var text: [UInt8] = []
        while let character = next {
            index += 1
            switch character {
            case "\"":
                guard let text = String(validating: text, as: UTF8.self) else { throw fault(.notUTF8) }
                return text
            case "\\":
                let scalar = try escape()
                guard allowsNUL || scalar != "\0" else { throw fault(.escapeInvalid) }
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            case ..<" ": throw fault(.controlCharacter)
            default: text.append(bytes[index - 1])
            }
        }
        throw fault(.textUnterminated)
    }

    /// Parses the rest of an escape after its backslash.
    private mutating func escape() throws(Fault) -> Unicode.Scalar {
        if let scalar = next.flatMap({ Self.escapes[$0] }) {
            index += 1
            return scalar
        }
        guard let unit = codeUnit() else { throw fault(.escapeInvalid) }
        var units = [unit]
        if UTF16.isLeadSurrogate(unit) {
            guard next == "\\", index + 1 < bytes.endIndex else { throw fault(.escapeInvalid) }
            index += 1
            guard let low = codeUnit() else { throw fault(.escapeInvalid) }
            units.append(low)
        }
        let text = String(validating: units, as: UTF16.self)
        guard let scalar = text?.unicodeScalars.first else { throw fault(.escapeInvalid) }
        return scalar
    }

    /// The characters that an escape represents, by the character after its backslash.
    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"",
        "\\": "\\",
        "/": "/",
        "b": "\u{8}",
        "f": "\u{C}",
        "n": "\n",
        "r": "\r",
        "t": "\t",
    ]

    /// Consumes `uXXXX`, or returns `nil` if other characters follow.
    private mutating func codeUnit() -> UInt16? {
        guard next == "u", index + 4 < bytes.endIndex else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[index + 1...index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        index += 5
        return unit
    }
}

extension UInt8 {
    /// Whether the byte is white space as defined in RFC 8259, section 2.
    @inlinable package var isJSONSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}
