import HabitTestSupport

@testable import Base

/// Random JSON values and texts.
struct RandomJSON {
    var random: SeededGenerator

    private static let parts = [
        "a", "B", "_", "9", "10", "é", "e\u{301}", "😀", "/", "\"",
        "\\", "\u{2028}", "\u{7F}", "\u{80}", "\u{FEFF}", "\u{FFFD}", "\u{1}", "\u{8}", "\u{C}",
        "\n", "\r", "\t", "\u{1F}", "{", "]", ",", ":",
    ]
    private static let numbers = [
        0.1, -0.0, 1e15, 1e16, 1e17, 123_456_789_012_345_680, 1e-5, 0.0001, .leastNonzeroMagnitude, 1e22,
        0.30000000000000004, -2.5,
        .greatestFiniteMagnitude,
    ]
    /// Parts of JSON texts, most of which make a text invalid.
    static let words = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u00e9", "\\n",
        "\\x", "é", "\u{FEFF}", " ", "\n", "\u{1}", "true", "nul", "1", "-0",
        "01", "-", "1.", ".5", "1e400", "\"a\"", "\"\\u0061\":1,",
    ]

    mutating func text() -> String {
        let count = Int.random(in: 0..<6, using: &random)
        return (0..<count).map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
    }

    /// Returns a value with at most four levels.
    mutating func value(depth: Int = 0) -> JSON {
        switch Int.random(in: 0..<(depth > 3 ? 5 : 8), using: &random) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &random))
        case 2:
            let integer = Int.random(in: .min ... .max, using: &random)
            return .integer(integer >> Int.random(in: 0..<64, using: &random))
        case 3: return .number(Self.numbers.randomElement(using: &random) ?? 0)
        case 4: return .text(text())
        case 5, 6:
            let count = Int.random(in: 0..<5, using: &random)
            let members = (0..<count).map { _ in (text(), value(depth: depth + 1)) }
            return .object(Dictionary(members) { first, _ in first })
        default:
            let count = Int.random(in: 0..<5, using: &random)
            return .list((0..<count).map { _ in value(depth: depth + 1) })
        }
    }
}

extension JSON {
    /// The value with numbers as their bits, so that `==` compares exactly.
    var exact: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): Self.exact(Double(number))
        case .number(let number): Self.exact(number)
        case .text(let text): Self.exact(text)
        case .list(let values): "[" + values.map(\.exact).joined(separator: ",") + "]"
        case .object(let members): Self.exact(members.mapValues(\.exact))
        case .ordered(let members):
            Self.exact(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.exact) }))
        case .verbatim(let bytes): "\(bytes)"
        }
    }

    static func exact(_ number: Double) -> String { number == 0 ? "0" : "\(number.bitPattern)" }

    static func exact(_ text: String) -> String { "\(Array(text.utf8))" }

    static func exact(_ members: [String: String]) -> String {
        let sorted = members.sorted { one, other in
            one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
        }
        return "{" + sorted.map { "\(exact($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }
}

extension OffsetJSON {
    var exact: String {
        switch value {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .number(let number): JSON.exact(number)
        case .text(let text): JSON.exact(text)
        case .list(let values): "[" + values.map(\.exact).joined(separator: ",") + "]"
        case .object(let members): JSON.exact(members.mapValues(\.exact))
        }
    }
}

extension JSONNode {
    var exact: String {
        if isNull { return "null" }
        if let boolean { return "\(boolean)" }
        if isNumber { return JSON.exact(number ?? .nan) }
        if let text { return JSON.exact(text) }
        if isArray { return "[" + items.map(\.exact).joined(separator: ",") + "]" }
        return JSON.exact(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.exact) }))
    }
}

extension JSONSlice {
    /// The value as a tree, which reads each part by itself.
    var exact: String {
        get throws {
            switch bytes.first {
            case UInt8(ascii: "{"): JSON.exact(try members().mapValues { try $0.exact })
            case UInt8(ascii: "["): "[" + (try elements().map { try $0.exact }).joined(separator: ",") + "]"
            case UInt8(ascii: "\""): JSON.exact(try text())
            case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"): String(decoding: bytes, as: UTF8.self)
            default: JSON.exact(try number())
            }
        }
    }
}
