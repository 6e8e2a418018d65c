import HabitModel
import StoreEngine

/// The columns and rows of lists of private places.
enum PrivatePlaceShape {
    /// The columns of a list of private places.
    static let list = ResultShape(
        columns: [
            Column("name", .text, at: 0),
            Column("longitude", .longitude, at: 1),
            Column("latitude", .latitude, at: 1),
            Column("radius_m", .integer, at: 2),
        ],
        geometry: 1,
        identity: ["name"])

    /// Returns the row of a private place.
    static func row(_ place: PrivatePlace) -> ValueRow {
        ValueRow([
            .text(place.name),
            .point(place.position),
            .integer(Int64(place.radius.meters)),
        ])
    }
}
