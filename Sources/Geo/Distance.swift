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
        let number = text.prefix(while: Self.isPartOfNumber)
        let unit = text.dropFirst(number.count).trimmingSpaces()
        guard let value = Double(number), value.isFinite, value >= 0 else { return nil }
        if value == 0, unit.isEmpty {
            self = .meters(0)
            return
        }
        guard let factor = Self.meters(in: unit) else { return nil }
        self = .meters(value * factor)
        guard self <= Self.limit else { return nil }
    }

    private static func isPartOfNumber(_ character: Character) -> Bool {
        switch character {
        case "0"..."9", ".", "e", "+", "-": true
        default: false
        }
    }

    /// Returns the length of a unit in meters, or `nil` for an unknown unit.
    private static func meters(in unit: Substring) -> Double? {
        switch unit {
        case "m": 1
        case "km": 1000
        case "mi": 1609.344
        case "ft": 0.3048
        default: nil
        }
    }

    /// The distance in a form that the initializer accepts: `5km` for whole kilometers, otherwise meters as in `800m`.
    public var description: String {
        if meters >= 1000, let kilometers = Int(exactly: meters / 1000) {
            return "\(kilometers)km"
        }
        if let whole = Int(exactly: meters) {
            return "\(whole)m"
        }
        return "\(meters)m"
    }

    /// Compares two distances by their length.
    public static func < (first: Distance, second: Distance) -> Bool { first.meters < second.meters }
}
