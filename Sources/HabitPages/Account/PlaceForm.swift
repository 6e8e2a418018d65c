import Base
import Geo
import HTTPServing
import HabitAPI
import HabitModel

/// The fields of the form that adds a private place.
enum PlaceForm {
    static let name = "place"
    static let position = "position"
    static let radius = "radius"

    /// Reads the place of a form.
    ///
    /// - Parameter sent: The form.
    /// - Returns: The place.
    /// - Throws: `position-invalid`, `distance-invalid` or `field-invalid`, with the name of the field.
    static func place(of sent: FormBody) throws -> PrivatePlace {
        let position = try center(sent[Self.position] ?? "")
        let radius = try distance(sent[Self.radius] ?? "")
        do {
            return try PrivatePlace(name: sent[Self.name] ?? "", position: position, radius: radius)
        } catch {
            var refusal = error
            refusal.field = Self.name
            throw refusal
        }
    }

    private static func center(_ entered: String) throws -> Position {
        let text = String(HeaderValue.trimmed(entered[...]))
        guard let center = Position(latitudeCommaLongitude: text) else {
            throw HabitError(
                .positionInvalid,
                "the position is invalid: write the latitude and the longitude in degrees, such as 38.7223, -9.1393",
                field: position)
        }
        return center
    }

    private static func distance(_ entered: String) throws -> Distance {
        let text = HeaderValue.trimmed(entered[...])
        let radii = PrivatePlace.radii
        guard let meters = Int(text), radii.contains(.meters(Double(meters))) else {
            let least = Int(radii.lowerBound.meters)
            let most = Int(radii.upperBound.meters)
            throw HabitError(
                .distanceInvalid,
                "the radius is invalid: write whole meters from \(least) to \(most)",
                field: radius)
        }
        return .meters(Double(meters))
    }
}
