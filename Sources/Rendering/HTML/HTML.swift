/// A piece of HTML or SVG from a string literal.
///
/// The text of the literal is markup, interpolated text is not. An interpolated `String` is always escaped. A `Double`
/// has at most two decimals. Only another `HTML` is inserted verbatim, so that user-supplied text cannot accidentally
/// become markup.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
    /// The markup.
    package private(set) var text: String

    /// Creates a piece of markup from a literal.
    package init(stringLiteral text: String) { self.text = text }

    /// Creates a piece of markup from a literal with escaped values.
    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Appends a piece of markup.
    package static func += (a: inout HTML, b: HTML) { a.text += b.text }

    /// The parts of a literal: markup and escaped values.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Creates an empty text.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 8 * interpolationCount)
        }

        /// Appends markup.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends another piece of markup verbatim.
        package mutating func appendInterpolation(_ html: HTML) { text += html.text }

        /// Appends an integer.
        package mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// Appends a number with at most two decimals.
        package mutating func appendInterpolation(_ number: Double) { text += HTML.decimal(number, decimals: 2) }

        /// Appends text between tags or within the quotes of an attribute.
        package mutating func appendInterpolation(_ string: String) {
            let buffer = OutputBuffer()
            buffer.append(html: string.utf8.span)
            text += buffer.text
        }

        /// Appends text between tags that may be right-to-left.
        ///
        /// Its direction does not affect the adjacent text.
        package mutating func appendInterpolation(isolated string: String) {
            let isASCII = string.utf8.allSatisfy { byte in byte < 0x80 }
            if isASCII { return appendInterpolation(string) }
            text += "<bdi>"
            appendInterpolation(string)
            text += "</bdi>"
        }
    }

    /// Returns the number without trailing zeros.
    ///
    /// A number that is not finite, which no drawing should contain, is `0`.
    static func decimal(_ number: Double, decimals: Int) -> String {
        let buffer = OutputBuffer()
        guard buffer.append(number, decimals: decimals) else { return "0" }
        return buffer.text
    }
}

extension OutputBuffer {
    func append(_ html: HTML) { append(html.text) }

    /// Appends text between tags or within the quotes of an attribute.
    ///
    /// Characters that HTML does not permit are replaced by symbols: control characters and ill-formed UTF-8.
    func append(html bytes: Span<UInt8>) {
        if !hasControls(bytes) { return append(escaping: bytes) }
        var text = String.UnicodeScalarView()
        for scalar in bytes.text.unicodeScalars {
            text.append(scalar.isControl ? scalar.symbol : scalar)
        }
        append(escaping: String(text).utf8.span)
    }

    /// Returns whether the bytes may contain a control other than a tab and a line feed.
    private func hasControls(_ bytes: Span<UInt8>) -> Bool {
        let areSafe = bytes.allSatisfy { byte in
            switch byte {
            case 0x09, 0x0A: true
            // 0xC2 is the first byte of the controls U+0080 to U+009F, and of some characters that are not controls.
            case 0..<0x20, 0x7F, 0xC2: false
            default: true
            }
        }
        return !areSafe
    }
}

extension Unicode.Scalar {
    /// Whether HTML forbids the character: all controls except tab and line feed.
    fileprivate var isControl: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0: true
        default: false
        }
    }
}
