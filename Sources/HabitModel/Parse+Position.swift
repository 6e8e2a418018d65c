import Base
import Foundation
import Geo

extension Parse {
    /// Parses a position in the form `LATITUDE,LONGITUDE`, in degrees.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - field: The name of the option or parameter, for the error.
    /// - Returns: The position.
    /// - Throws: `position-invalid`. Its remedy states whether the position would be valid with swapped coordinates.
    public static func position(_ text: String, field: String) throws -> Position {
        if let position = Position(latitudeCommaLongitude: text) { return position }
        let text = text.trimmingCharacters(in: .whitespaces)
        let turned = text.split(separator: ",").reversed().joined(separator: ",")
        throw HabitError(
            .positionInvalid, "'\(text)' is not a position", field: field,
            .writePosition(isReversed: Position(latitudeCommaLongitude: turned) != nil))
    }

    /// Parses a distance with a unit, such as `5km`.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - field: The name of the option or parameter, for the error.
    /// - Returns: The distance.
    /// - Throws: `distance-invalid`, also if the distance exceeds ``Distance/limit``.
    public static func distance(_ text: String, field: String) throws -> Distance {
        guard let distance = Distance(text) else {
            throw HabitError(
                .distanceInvalid,
                "'\(text)' is not a distance: write a number with a unit, such as 5km, 800m or 3mi, up to 40075km",
                field: field)
        }
        return distance
    }

    /// Parses a bounding box in the form `WEST,SOUTH,EAST,NORTH`, in degrees.
    ///
    /// - Parameter text: The value of the option or parameter `bbox`.
    /// - Returns: The bounding box.
    /// - Throws: `position-invalid`.
    public static func box(_ text: String) throws -> BoundingBox {
        guard let box = BoundingBox(text) else {
            throw HabitError(
                .positionInvalid,
                "'\(text.trimmingCharacters(in: .whitespaces))' is not a bounding box: write WEST,SOUTH,EAST,NORTH in degrees, south below north, such as -9.3,38.6,-9.0,38.9",
                field: "bbox")
        }
        return box
    }
}
