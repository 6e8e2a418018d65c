/// A place on the Earth, in degrees on WGS 84, in the order of RFC 7946: longitude first.
public struct Position: Hashable, Sendable, BitwiseCopyable {
    /// Degrees east of Greenwich, -180...180.
    public let longitude: Double
    /// Degrees north of the equator, -90...90.
    public let latitude: Double

    /// Longitude 0, latitude 0: a legal place, and what broken sensors report.
    public static let nullIsland = Position(0, 0)

    private init(_ longitude: Double, _ latitude: Double) { (self.longitude, self.latitude) = (longitude, latitude) }

    /// Nil where a value is not finite or out of its range.
    public init?(longitude: Double, latitude: Double) {
        guard (-180...180).contains(longitude), (-90...90).contains(latitude) else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }

    /// Reads `LAT,LON` as people write it: `38.7223,-9.1393`, `38.7223N,9.1393W`, spaces around the comma allowed.
    public init?(latitudeCommaLongitude text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Self.degrees(parts[0], axis: .latitude),
            let longitude = Self.degrees(parts[1], axis: .longitude)
        else { return nil }
        self.init(longitude: longitude, latitude: latitude)
    }

    public enum Axis: Sendable {
        case longitude, latitude

        var positive: Character { self == .longitude ? "E" : "N" }
        var negative: Character { self == .longitude ? "W" : "S" }
    }

    /// Degrees from a decimal number, one with a hemisphere letter behind it (`9.1393W`), or an E7 integer
    /// (`-91393000`: degrees times 10⁷, as location logs have it). Nil for anything else; the range is not checked.
    public static func degrees(_ text: String, axis: Axis) -> Double? {
        var text = text
        return text.withUTF8(plainDecimal) ?? degrees(text[...], axis: axis)
    }

    static func degrees(_ text: Substring, axis: Axis) -> Double? {
        var text = text.trimmingSpaces()
        var sign = 1.0
        if let last = text.last.map({ Character($0.uppercased()) }), last == axis.positive || last == axis.negative {
            guard !text.hasPrefix("-"), !text.hasPrefix("+") else { return nil }
            sign = last == axis.negative ? -1 : 1
            text = text.dropLast().trimmingSpaces()
        }
        guard let value = decimal(text) else { return nil }
        // No degree has six digits before the point, so a large integer can only be E7. A smaller one stays what it
        // says, and is refused by its range: better than to take a slip of the pen for a place.
        let isE7 = abs(value) >= 100_000 && text.utf8.allSatisfy { $0 != UInt8(ascii: ".") }
        return sign * (isE7 ? value / 1e7 : value)
    }

    /// Digits with a point among them, and perhaps a minus before them: what nearly every file has. Nil for all else.
    ///
    /// With at most 15 digits both the digits and the power of ten are exact, and so is their quotient's rounding (Clinger,
    /// "How to Read Floating Point Numbers Accurately", PLDI 1990).
    private static func plainDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var digits: Int64 = 0
        var count = 0
        var decimals: Int?
        var isNegative = false
        var isFirst = true
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
                count += 1
                guard count <= 15 else { return nil }
                decimals = decimals.map { $0 + 1 }
            case UInt8(ascii: ".") where decimals == nil && count > 0: decimals = 0
            case UInt8(ascii: "-") where isFirst: isNegative = true
            default: return nil
            }
            isFirst = false
        }
        guard let decimals, decimals > 0 else { return nil }
        let value = Double(digits) / powersOfTen[decimals]
        return isNegative ? -value : value
    }

    private static let powersOfTen = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// A finite number in plain decimal or exponent notation: no hexadecimal, no `inf`, no `nan`.
    private static func decimal(_ text: Substring) -> Double? {
        guard text.utf8.allSatisfy({ ($0 &- 48) < 10 || "+-.eE".utf8.contains($0) }), let value = Double(text),
            value.isFinite
        else { return nil }
        return value
    }
}

extension Substring {
    func trimmingSpaces() -> Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
