/// A length along the surface of the Earth.
public struct Distance: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The length in meters, finite and not negative.
    public let meters: Double

    /// Creates a distance from a length in meters, which must be finite and not negative.
    public static func meters(_ value: Double) -> Distance { Distance(unchecked: value) }
    /// Creates a distance from a length in kilometers, which must be finite and not negative.
    public static func kilometers(_ value: Double) -> Distance { Distance(unchecked: value * 1000) }

    /// The maximum distance between two positions: half the meridional circumference of the WGS 84 ellipsoid.
    public static let farthest = Distance.meters(20_003_931.5)

    /// The maximum distance that the parser accepts: the length of the equator.
    public static let limit = Distance.meters(40_075_017)

    private init(unchecked meters: Double) { self.meters = meters }

    /// Parses a number with a unit: `5km`, `800m`, `2.5 km`, `3mi` (1,609.344 m each) or `200ft` (0.3048 m each).
    ///
    /// Only `0` needs no unit. Other numbers without a unit are ambiguous, because users disagree whether `5` means
    /// meters or kilometers. Returns `nil` for any other text, and for a distance above ``limit``.
    public init?(_ text: String) {
        let text = Substring(text.lowercased()).trimmingSpaces()
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "e" || $0 == "+" || $0 == "-") }
        guard let value = Double(number), value.isFinite, value >= 0 else { return nil }
        switch text.dropFirst(number.count).trimmingSpaces() {
        case "m": self = .meters(value)
        case "km": self = .kilometers(value)
        case "mi": self = .meters(value * 1609.344)
        case "ft": self = .meters(value * 0.3048)
        case "" where value == 0: self = .meters(0)
        default: return nil
        }
        guard self <= Self.limit else { return nil }
    }

    /// The distance in a form that the initializer accepts: `5km` for whole kilometers, otherwise meters as in `800m`.
    public var description: String {
        func whole(_ value: Double) -> String? { Int(exactly: value).map { "\($0)" } }
        if meters >= 1000, let kilometers = whole(meters / 1000) { return "\(kilometers)km" }
        return "\(whole(meters) ?? "\(meters)")m"
    }

    /// Compares two distances by their length.
    public static func < (a: Distance, b: Distance) -> Bool { a.meters < b.meters }
}
