/// A set of names of the layers and properties of vector tiles.
package enum TileSchema: String, Sendable {
    /// The schema of tilemaker and planetiler (openmaptiles.org/schema).
    case openMapTiles = "OpenMapTiles"
    /// The schema of Geofabrik and VersaTiles (shortbread-tiles.org/schema).
    case shortbread = "Shortbread"

    /// Recognizes a schema by its layer of streets, or returns `nil` if the layers belong to another schema.
    init?(layers: [String]) {
        if layers.contains("transportation") {
            self = .openMapTiles
        } else if layers.contains("streets") {
            self = .shortbread
        } else {
            return nil
        }
    }
}
