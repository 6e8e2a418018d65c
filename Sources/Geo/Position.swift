import Base

/// A longitude/latitude pair in degrees on WGS 84, in the coordinate order of RFC 7946 (longitude first).
public struct Position: Hashable, Sendable, BitwiseCopyable {
    /// Degrees east of Greenwich, -180...180.
    public let longitude: Double
    /// Degrees north of the equator, -90...90.
    public let latitude: Double

    /// Longitude 0, latitude 0: a valid position that broken sensors often report.
    public static let nullIsland = Position(uncheckedLongitude: 0, latitude: 0)

    private init(uncheckedLongitude longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }

    /// Creates a position, or returns `nil` if a value is not finite or out of range.
    public init?(longitude: Double, latitude: Double) {
        guard (-180...180).contains(longitude), (-90...90).contains(latitude) else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }

    /// Parses `LAT,LON`, such as `38.7223,-9.1393` or `38.7223N,9.1393W`.
    ///
    /// Spaces around the comma are allowed.
    ///
    /// Returns `nil` if the text is malformed or a value is out of range.
    public init?(latitudeCommaLongitude text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        guard let latitude = Self.degrees(parts[0], axis: .latitude) else { return nil }
        guard let longitude = Self.degrees(parts[1], axis: .longitude) else { return nil }
        self.init(longitude: longitude, latitude: latitude)
    }

    /// The coordinate that a text contains.
    public enum Axis: Sendable {
        case longitude, latitude

        /// The hemisphere letter of positive values.
        var positive: Character { self == .longitude ? "E" : "N" }
        /// The hemisphere letter of negative values.
        var negative: Character { self == .longitude ? "W" : "S" }

        /// Returns the hemisphere letter in uppercase at the end of a text, or `nil` if the text ends in another
        /// character.
        ///
        /// The uppercase of one character can be several characters, as for ß.
        fileprivate func hemisphere(endingText text: Substring) -> Character? {
            let last = text.last?.uppercased()
            if last == String(positive) { return positive }
            if last == String(negative) { return negative }
            return nil
        }
    }

    /// Parses a coordinate in degrees.
    ///
    /// The range is not checked.
    ///
    /// The text is a decimal number, a decimal number followed by a hemisphere letter (`9.1393W`), or an E7 integer
    /// (`-91393000`: degrees times 10⁷, the form used by location logs).
    ///
    /// - Parameters:
    ///   - text: The text to parse.
    ///   - axis: The coordinate, which determines the allowed hemisphere letters.
    /// - Returns: Degrees, or `nil` for any other text.
    public static func degrees(_ text: String, axis: Axis) -> Double? {
        plainDecimal(text.utf8.span) ?? degrees(text[...], axis: axis)
    }

    /// Parses a coordinate in any of the accepted forms.
    ///
    /// This is the slower path of the public overload.
    static func degrees(_ text: Substring, axis: Axis) -> Double? {
        let text = text.trimmingSpaces()
        guard let hemisphere = axis.hemisphere(endingText: text) else {
            return degrees(withoutHemisphere: text)
        }
        guard !text.hasPrefix("-"), !text.hasPrefix("+") else { return nil }
        let number = text.dropLast().trimmingSpaces()
        guard let value = degrees(withoutHemisphere: number) else { return nil }
        return hemisphere == axis.negative ? -value : value
    }

    /// Parses a decimal number in degrees or an E7 integer, without a hemisphere letter.
    private static func degrees(withoutHemisphere text: Substring) -> Double? {
        guard let value = Double(decimal: text) else { return nil }
        // A coordinate in degrees never has six digits before the decimal point, so a large integer can only be E7. A
        // smaller integer is read as degrees and fails the range check. This is safer than interpreting a typing error
        // as a position.
        let isInteger = !text.utf8.contains(UInt8(ascii: "."))
        let isE7 = isInteger && abs(value) >= 100_000
        return isE7 ? value / 1e7 : value
    }

    /// Parses digits with a decimal point and an optional minus sign, the form in most files.
    ///
    /// Returns `nil` for all other forms.
    ///
    /// With at most 15 digits, the digits and the power of ten are exact, so their quotient is rounded correctly
    /// (Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990).
    private static func plainDecimal(_ text: Span<UInt8>) -> Double? {
        var digits: Int64 = 0
        var count = 0
        var decimals: Int?
        var isNegative = false
        var isFirst = true
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
                count += 1
                guard count <= 15 else { return nil }
                if let known = decimals { decimals = known + 1 }
            case UInt8(ascii: ".") where decimals == nil && count > 0:
                decimals = 0
            case UInt8(ascii: "-") where isFirst:
                isNegative = true
            default:
                return nil
            }
            isFirst = false
        }
        guard let decimals, decimals > 0 else { return nil }
        let value = Double(digits) / powersOfTen[decimals]
        return isNegative ? -value : value
    }

    /// The powers of ten with the exponents 0...15, which are exact.
    private static let powersOfTen = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}

extension Substring {
    /// Returns the text without leading and trailing spaces (U+0020).
    func trimmingSpaces() -> Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
