import Geo

/// Degrees as text on a map: `38.72° N`, `0°`.
enum Degrees {
    static func latitude(_ degrees: Double, decimals: Int) -> String { text(degrees, decimals, "N", "S") }

    /// Returns a longitude as text.
    ///
    /// Multiples of 360 degrees are removed.
    static func longitude(_ degrees: Double, decimals: Int) -> String {
        var degrees = degrees - 360 * (degrees / 360).rounded()
        if degrees == -180 { degrees = 180 }
        return text(degrees, decimals, degrees == 180 ? "" : "E", "W")
    }

    /// Returns a number with all its decimals, so that names below each other are aligned.
    private static func fixed(_ number: Double, _ decimals: Int) -> String {
        var text = HTML.decimal(number, decimals: decimals)
        guard decimals > 0 else { return text }
        let written = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 }
        if written == nil { text += "." }
        return text + String(repeating: "0", count: decimals - (written ?? 0))
    }

    private static func text(_ degrees: Double, _ decimals: Int, _ positive: String, _ negative: String) -> String {
        let number = fixed(abs(degrees), decimals)
        if !number.contains(where: { "123456789".contains($0) }) { return "0°" }
        let side = degrees < 0 ? negative : positive
        return side.isEmpty ? number + "°" : "\(number)° \(side)"
    }
}

extension BoundingBox {
    /// The degrees from west to east, across the antimeridian if the box crosses it.
    var width: Double { crossesAntimeridian ? east + 360 - west : east - west }

    /// The center, with a longitude in the range from -180 to 180.
    var center: Position? {
        let longitude = west + width / 2
        return Position(
            longitude: longitude > 180 ? longitude - 360 : longitude, latitude: (south + north) / 2)
    }
}
