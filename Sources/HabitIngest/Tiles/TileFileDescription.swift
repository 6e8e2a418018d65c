import Base
import Foundation
import Geo

/// The description of the vector tiles in a file, checked.
package struct TileFileDescription: Sendable, Equatable {
    /// A layer of the tiles.
    package struct Layer: Sendable, Equatable {
        /// The ID of the layer.
        package let id: String
        /// The types of the properties by their names.
        package let fields: [String: String]
    }

    /// The names of the layers and their properties.
    package let schema: TileSchema
    /// The layers.
    package let layers: [Layer]
    /// The zooms of the tiles.
    package let zooms: ClosedRange<Int>
    /// The area that the tiles cover.
    package let bounds: BoundingBox
    /// The credit for the data, which may contain HTML of any kind.
    package let attribution: String

    /// Maximum length of the attribution in bytes.
    private static let attributionSize = 1000
    /// Maximum number of layers, and of properties of a layer.
    private static let countLimit = 100
    /// Maximum length of the name of a layer or a property in bytes.
    private static let nameSize = 100

    /// Checks the description in a file.
    ///
    /// - Parameters:
    ///   - metadata: The values of the file by their names (MBTiles 1.3, section "Metadata").
    ///   - zooms: The zooms of the tiles.
    ///   - file: The name of the file in messages.
    /// - Throws: `format-not-recognised` if the tiles are not vector tiles with a known schema, and `field-invalid` if a
    ///   value is malformed.
    init(_ metadata: [String: String], zooms: ClosedRange<Int>, file: String) throws {
        let format = metadata["format"] ?? ""
        guard format == "pbf" else {
            let name = format.isEmpty ? "no format" : "the format '\(format.prefix(Self.nameSize))'"
            throw HabitError(
                .formatNotRecognised,
                "the file has \(name), but only vector tiles with the format 'pbf' are supported: use a file of tilemaker or planetiler",
                file: file)
        }
        layers = try Self.layers(metadata["json"] ?? "", file: file)
        guard let schema = TileSchema(layers: layers.map(\.id)) else {
            throw HabitError(
                .formatNotRecognised,
                "the layers of the file belong neither to OpenMapTiles nor to Shortbread: use a file with one of these schemas",
                file: file)
        }
        self.schema = schema
        self.zooms = zooms
        bounds = try Self.bounds(metadata["bounds"], file: file)
        attribution = metadata["attribution"] ?? ""
        guard attribution.utf8.count <= Self.attributionSize else {
            throw HabitError(
                .fieldInvalid,
                "the attribution is longer than \(Self.attributionSize) bytes: shorten it in the table 'metadata'",
                field: "attribution",
                file: file)
        }
    }

    /// Returns the zooms in the description of a file, or `nil` if it does not contain them.
    static func zooms(in metadata: [String: String]) -> ClosedRange<Int>? {
        guard let lowest = metadata["minzoom"].flatMap({ text in Int(text) }) else { return nil }
        guard let highest = metadata["maxzoom"].flatMap({ text in Int(text) }) else { return nil }
        return lowest <= highest ? lowest...highest : nil
    }

    /// Parses the layers in the value `json`.
    private static func layers(_ json: String, file: String) throws -> [Layer] {
        let listed = try? JSONParser.reading(json.utf8) { document in
            let list = document["vector_layers"]?.items ?? []
            return (layers: list.prefix(countLimit).compactMap(layer), count: list.count)
        }
        guard let listed, listed.count > 0 else {
            throw HabitError(
                .formatNotRecognised,
                "the file does not list the layers of its tiles ('vector_layers'): make it with tilemaker or planetiler",
                file: file)
        }
        let layers = listed.layers
        guard layers.count == listed.count, Set(layers.map(\.id)).count == layers.count else {
            throw HabitError(
                .fieldInvalid,
                "'vector_layers' has more than \(countLimit) layers, or a layer with a missing, long or repeated ID: make the file again",
                field: "json",
                file: file)
        }
        return layers
    }

    private static func layer(_ node: JSONNode) -> Layer? {
        guard let id = node["id"]?.text, !id.isEmpty, id.utf8.count <= nameSize else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in (node["fields"]?.members ?? []).prefix(countLimit) {
            let type = value.text ?? ""
            guard name.utf8.count <= nameSize, type.utf8.count <= nameSize else { continue }
            fields[name] = type
        }
        return Layer(id: id, fields: fields)
    }

    /// Parses a west, south, east and north edge; without them, the tiles cover the world.
    private static func bounds(_ text: String?, file: String) throws -> BoundingBox {
        guard let text else { return .world }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.trimmingCharacters(in: .whitespaces))
        }
        let edges = parts.compactMap(\.self)
        guard parts.count == 4, edges.count == 4,
            let box = BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
        else {
            throw HabitError(
                .fieldInvalid,
                "'\(text.prefix(nameSize))' is not a bounding box: write W,S,E,N in degrees into the table 'metadata'",
                field: "bounds",
                file: file)
        }
        return box
    }
}
