/// A length along the surface of the Earth.
public struct Distance: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Metres, finite and not negative.
    public let meters: Double

    public static func meters(_ value: Double) -> Distance { Distance(unchecked: value) }
    public static func kilometers(_ value: Double) -> Distance { Distance(unchecked: value * 1000) }

    /// No two places are further apart: half the circumference of the WGS 84 ellipsoid through the poles.
    public static let farthest = Distance.meters(20_003_931.5)

    /// The largest distance that is read: the length of the equator.
    public static let limit = Distance.meters(40_075_017)

    private init(unchecked meters: Double) { self.meters = meters }

    /// Reads a number with a unit: `5km`, `800m`, `2.5 km`, `3mi` (1,609.344 m), `200ft` (0.3048 m each); a bare `0` needs none.
    ///
    /// Nil for anything else and for more than ``limit``, so that `5` is never taken for metres by one person and kilometres by the next.
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

    /// Whole kilometers or meters as the initializer reads them: `5km`, `800m`.
    public var description: String {
        func whole(_ value: Double) -> String? { Int(exactly: value).map { "\($0)" } }
        if meters >= 1000, let kilometers = whole(meters / 1000) { return "\(kilometers)km" }
        return "\(whole(meters) ?? "\(meters)")m"
    }

    public static func < (a: Distance, b: Distance) -> Bool { a.meters < b.meters }
}
