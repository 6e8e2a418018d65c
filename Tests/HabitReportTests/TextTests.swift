import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering

/// Tests that every special byte is found at every offset, because texts are processed eight bytes at a time.
@Suite struct TextTests {
    private func check(
        _ format: (OutputBuffer, Span<UInt8>) -> Void, _ expected: ([UInt8]) -> String
    ) throws {
        for count in 0...19 {
            for index in 0..<max(1, count) {
                for byte in UInt8.min...UInt8.max {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                    if count > 0 { text[index] = byte }
                    let output = OutputBuffer()
                    format(output, text.span)
                    let written = output.text
                    guard written != expected(text) else { continue }
                    Issue.record("\(text): \(written)")
                    return
                }
            }
        }
    }

    private func replaced(_ text: [UInt8], _ escape: (UInt8) -> String?) -> String {
        text.map { $0 >= 0x80 ? "\u{FFFD}" : escape($0) ?? String(Unicode.Scalar($0)) }.joined()
    }

    private func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    @Test(arguments: [false, true])
    func jsonTextIsEscapedAtEveryOffset(isQuoted: Bool) throws {
        try check({ output, text in isQuoted ? output.append(json: text) : output.append(jsonInside: text) }) { text in
            let inside = replaced(text) { byte in
                switch byte {
                case 0x09: "\\t"
                case 0x0A: "\\n"
                case 0x0D: "\\r"
                case 0..<0x20: "\\u00\(hexadecimal(byte))"
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
                default: nil
                }
            }
            return isQuoted ? "\"\(inside)\"" : inside
        }
    }

    @Test(arguments: [false, true])
    func csvTextIsQuotedAtEveryOffset(isSafe: Bool) throws {
        try check({ output, text in output.append(csv: text, spreadsheetSafe: isSafe) }) { text in
            let ends = [text.first, text.last].contains(UInt8(ascii: " "))
            let isQuoted = text.isEmpty || ends || text.contains { [0x0A, 0x0D, 0x22, 0x2C].contains($0) }
            let inside = replaced(text) { $0 == UInt8(ascii: "\"") ? "\"\"" : nil }
            let isFormula = text.first.map("=+-@\t\r\n".utf8.contains) ?? false
            let cell = isSafe && isFormula ? "'" + inside : inside
            return isQuoted ? "\"\(cell)\"" : cell
        }
    }
}
