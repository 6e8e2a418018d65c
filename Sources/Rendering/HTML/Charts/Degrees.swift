import Geo

/// Degrees as text on a map: `38.72° N`, `0°`.
enum Degrees {
    static func latitude(_ degrees: Double, decimals: Int) -> String {
        let hemisphere = degrees < 0 ? "S" : "N"
        return text(abs(degrees), hemisphere: hemisphere, decimals: decimals)
    }

    /// Returns a longitude as text.
    ///
    /// Multiples of 360 degrees are removed.
    static func longitude(_ degrees: Double, decimals: Int) -> String {
        let turns = (degrees / 360).rounded()
        let remainder = degrees - 360 * turns
        if abs(remainder) == 180 {
            return text(180, hemisphere: nil, decimals: decimals)
        }
        let hemisphere = remainder < 0 ? "W" : "E"
        return text(abs(remainder), hemisphere: hemisphere, decimals: decimals)
    }

    /// Returns `0°` if all digits of the number are zeros, otherwise the number and the hemisphere.
    private static func text(_ degrees: Double, hemisphere: String?, decimals: Int) -> String {
        let number = fixed(degrees, decimals: decimals)
        let isZero = !number.contains { "123456789".contains($0) }
        if isZero { return "0°" }
        guard let hemisphere else { return number + "°" }
        return "\(number)° \(hemisphere)"
    }

    /// Returns a number with all its decimals, so that names below each other are aligned.
    private static func fixed(_ number: Double, decimals: Int) -> String {
        let text = HTML.decimal(number, decimals: decimals)
        guard decimals > 0 else { return text }
        guard let point = text.firstIndex(of: ".") else {
            return text + "." + String(repeating: "0", count: decimals)
        }
        let written = text.distance(from: point, to: text.endIndex) - 1
        return text + String(repeating: "0", count: decimals - written)
    }
}

extension BoundingBox {
    /// The degrees from west to east, across the antimeridian if the box crosses it.
    var width: Double {
        crossesAntimeridian ? east + 360 - west : east - west
    }

    /// The larger of the width and the height, in degrees.
    var longestSide: Double { max(width, north - south) }

    /// The center, with a longitude in the range from -180 to 180.
    var center: Position? {
        let middle = west + width / 2
        let longitude = middle > 180 ? middle - 360 : middle
        let latitude = (south + north) / 2
        return Position(longitude: longitude, latitude: latitude)
    }
}
