/// A piece of HTML or SVG, written as a string literal: the literal's own text is markup, and what is interpolated is not.
///
/// A `String` is escaped, whatever stands in it; a `Double` has at most two decimals. Only another `HTML` goes in as it is,
/// so that text of a user cannot become markup by oversight.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    static func += (a: inout HTML, b: HTML) { a.text += b.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 8 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ html: HTML) { text += html.text }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ number: Double) { text += HTML.decimal(number, decimals: 2) }

        /// Text between tags or within the quotes of an attribute.
        mutating func appendInterpolation(_ string: String) {
            let buffer = OutputBuffer()
            buffer.append(html: string.utf8.span)
            text += buffer.text
        }

        /// Text between tags that may run from right to left: it must not turn around what stands beside it.
        mutating func appendInterpolation(isolated string: String) {
            if string.utf8.allSatisfy({ $0 < 0x80 }) { return appendInterpolation(string) }
            text += "<bdi>"
            appendInterpolation(string)
            text += "</bdi>"
        }
    }

    /// The number without zeros at its end; `0` for what is not finite, which no drawing should hold.
    static func decimal(_ number: Double, decimals: Int) -> String {
        let buffer = OutputBuffer()
        guard buffer.append(number, decimals: decimals) else { return "0" }
        return buffer.text
    }
}

extension OutputBuffer {
    func append(_ html: HTML) { append(html.text) }

    /// Appends text for a place between tags or within the quotes of an attribute.
    ///
    /// What HTML does not take is shown as a symbol: control characters, bytes that are not UTF-8.
    func append(html bytes: Span<UInt8>) {
        if !hasControls(bytes) { return append(escaping: bytes) }
        var text = String.UnicodeScalarView()
        for scalar in bytes.text.unicodeScalars {
            text.append(scalar.isControl ? scalar.symbol : scalar)
        }
        append(escaping: String(text).utf8.span)
    }

    private func hasControls(_ bytes: Span<UInt8>) -> Bool {
        // 0xC2 leads the second half of the controls, U+0080 to U+009F, and a few letters that are not.
        !bytes.allSatisfy { ($0 >= 0x20 || $0 == 0x0A || $0 == 0x09) && $0 != 0x7F && $0 != 0xC2 }
    }
}

extension Unicode.Scalar {
    /// Whether HTML forbids the character: every control but tab and line feed.
    fileprivate var isControl: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0: true
        default: false
        }
    }
}
