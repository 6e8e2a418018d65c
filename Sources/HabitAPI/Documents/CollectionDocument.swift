import Base
import Geo
import HTTPServing
import HabitModel
import HabitStore

/// The documents of collections (OGC API - Features, Part 1, sections 7.13 and 7.14).
enum CollectionDocument {
    /// Returns the document of the collections that a caller can read.
    ///
    /// - Parameters:
    ///   - readable: The collections.
    ///   - caller: The caller.
    ///   - base: The prefix of links.
    ///   - extents: The extents of the collections by ID.
    /// - Returns: The document.
    static func list(
        of readable: [FeatureCollection],
        for caller: Caller,
        base: String,
        _ extents: [String: JSON]
    ) -> JSON {
        let documents = readable.map { collection in
            json(of: collection, base: base, extents)
        }
        return [
            "description": caller == .nobody
                ? "The public collections. With a token, the list contains all collections that its user can read."
                : "The collections that you can read.",
            "links": [FeaturePage.link("self", to: "\(base)/collections", type: .json)],
            "collections": .list(documents),
        ]
    }

    /// Returns the document of a collection, with its extent if `extents` contains it.
    static func json(
        of collection: FeatureCollection,
        base: String,
        _ extents: [String: JSON]
    ) -> JSON {
        let address = "\(base)/collections/\(collection.id)"
        let items = "\(address)/items"
        let title = collection.title
        let links = [
            FeaturePage.link("self", to: address, type: .json),
            FeaturePage.link(
                "items",
                to: items,
                type: .geoJSON,
                title: "\(title) as GeoJSON"),
            FeaturePage.link(
                "items",
                to: "\(items)?f=csv",
                type: .csv,
                title: "\(title) as CSV"),
            FeaturePage.link(
                "items",
                to: "\(items)?f=parquet",
                type: .parquet,
                title: "\(title) as a Parquet file"),
            FeaturePage.link(
                "items",
                to: "\(items)?f=html",
                type: .html,
                title: "\(title) as a web page"),
            FeaturePage.link(
                CollectionSchema.relation,
                to: "\(address)/schema",
                type: .schema,
                title: "Schema"),
            FeaturePage.link(
                CollectionSchema.queryablesRelation,
                to: "\(address)/queryables",
                type: .schema,
                title: "Properties for filters"),
        ]
        var members: [String: JSON] = [
            "id": .text(collection.id),
            "title": .text(title),
            "description": .text(collection.description),
            "itemType": "feature",
            "crs": ["http://www.opengis.net/def/crs/OGC/1.3/CRS84"],
            "links": .list(links + TileDocument.links(of: collection, address)),
        ]
        members["extent"] = extents[collection.id]
        return .object(members)
    }
}

extension Extent {
    /// The member `extent` of a collection (OGC API - Features, Part 1, section 7.14.2), or `nil` if it is empty.
    var document: JSON? {
        var members: [String: JSON] = [:]
        if let box {
            let sides: JSON = [
                .number(box.west),
                .number(box.south),
                .number(box.east),
                .number(box.north),
            ]
            members["spatial"] = ["bbox": [sides], "crs": .text(FilterNode.crs)]
        }
        if from != nil || to != nil {
            members["temporal"] = [
                "interval": [[JSON(Self.text(from)), JSON(Self.text(to))]],
                "trs": "http://www.opengis.net/def/uom/ISO-8601/0/Gregorian",
            ]
        }
        return members.isEmpty ? nil : .object(members)
    }

    private static func text(_ instant: Instant?) -> String? {
        guard let instant else { return nil }
        let value = OffsetInstant(instant, offset: nil)
        return value.isInRange ? value.description : nil
    }
}
