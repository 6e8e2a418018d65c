import Base
import HabitModel
import HabitStore

/// The JSON Schemas of a collection (OGC 23-058r2; OGC 19-079, clause 6).
struct CollectionSchema {
    /// The link relation of a schema.
    static let relation = "http://www.opengis.net/def/rel/ogc/1.0/schema"
    /// The link relation of the properties that filters accept.
    static let queryablesRelation = "http://www.opengis.net/def/rel/ogc/1.0/queryables"

    let collection: FeatureCollection
    /// Whether the schemas contain only the properties that are visible without a token.
    let isPublic: Bool

    private typealias Property = (name: String, schema: JSON)

    /// Returns the schema of the features: the properties in responses and in request bodies.
    func returnables(at url: String) -> JSON {
        var properties: [Property] = []
        if collection.identity == nil { properties.append(("id", Self.compositeID)) }
        properties += collection.queryables(isPublic: isPublic).map { property in
            let isWritable = collection.isReceivable(property)
            return (property.name, schema(of: property).merging(isWritable ? [:] : ["readOnly": true]))
        }
        properties += derived + writeOnly
        let required = collection.kind.requiredFields.filter { $0.count == 1 }.flatMap(\.self).map(\.name)
        let names = properties.map(\.name).filter { required.contains($0) && $0 != "id" }
        return document(url, properties).merging(["required": .list(names.map { .text($0) })])
    }

    /// Returns the schema of the properties that filters accept.
    func queryables(at url: String) -> JSON {
        document(url, collection.queryables(isPublic: isPublic).map { ($0.name, schema(of: $0)) })
    }

    private func document(_ url: String, _ properties: [Property]) -> JSON {
        var members: [String: JSON] = [:]
        for (index, property) in properties.enumerated() {
            members[property.name] = property.schema.merging(["x-ogc-propertySeq": .integer(index + 1)])
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": .text(url), "type": "object",
            "title": .text(collection.title), "description": .text(collection.description),
            "properties": .object(members), "additionalProperties": false,
        ]
    }

    // MARK: Properties

    private func schema(of property: Queryable) -> JSON {
        let schema = Self.type(property.kind).merging(limits(of: property))
            .merging(["title": .text(Self.title(property.name))])
        return role(of: property).map { schema.merging(["x-ogc-role": .text($0)]) } ?? schema
    }

    private static func type(_ kind: Queryable.Kind) -> JSON {
        switch kind {
        case .text: ["type": "string"]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .day: ["type": "string", "format": "date"]
        case .instant: ["type": "string", "format": "date-time"]
        case .point: ["format": "geometry-point"]
        }
    }

    /// The allowed values of a property that is a field of the records.
    private func limits(of property: Queryable) -> JSON {
        if collection.kind == .items, property.name == FeatureParameter.state.rawValue {
            return Self.choice(ItemQuery.State.allCases.map(\.rawValue))
        }
        guard let field = Field(named: property.name), collection.kind.fields.contains(field) else { return [:] }
        return switch field.form(in: collection.kind) {
        case .choice(let values): Self.choice(values)
        case .count: ["minimum": 1]
        case .amount: ["minimum": 0]
        default: [:]
        }
    }

    private static func choice(_ values: [String]) -> JSON { ["enum": .list(values.map { .text($0) })] }

    /// The name of a property in words, such as "Posted at".
    private static func title(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst().replacing("_", with: " ")
    }

    private func role(of property: Queryable) -> String? {
        switch property.name {
        case collection.identity: "id"
        case Queryable.geometry: "primary-geometry"
        case collection.kind.instantField?.name: "primary-instant"
        case Field.start.name: "primary-interval-start"
        case Field.end.name: "primary-interval-end"
        default: nil
        }
    }

    private static let compositeID: JSON = [
        "type": "string", "title": "ID", "readOnly": true, "x-ogc-role": "id",
    ]

    /// The properties that the server computes and that filters do not accept.
    private var derived: [Property] {
        var properties: [Property] = []
        func add(_ name: String, _ schema: JSON) {
            if isPublic, collection.publicColumns?.contains(name) != true { return }
            properties.append((name, schema.merging(["title": .text(Self.title(name)), "readOnly": true])))
        }
        if collection.kind == .events {
            add("status", ["type": "string", "description": "Status of the habit."])
            add("color", ["type": "string", "description": "Color of the status."])
        }
        if collection.isSpatial {
            add(
                "distance_m",
                [
                    "type": "number", "minimum": 0, "x-ogc-unit": "m",
                    "description": "Distance from the position of the parameter 'near'.",
                ])
        }
        if collection.hasPhotos { add("photo_url", ["type": "string", "format": "uri"]) }
        return properties
    }

    /// The fields of request bodies that are not properties of features.
    private var writeOnly: [Property] {
        let names = Set(collection.properties.flatMap { [$0.name] + $0.columns })
        return collection.receivableFields.filter { !names.contains($0.name) }.map { field in
            let schema: JSON =
                switch field.form(in: collection.kind) {
                case .photo: ["type": "string", "contentEncoding": "base64"]
                case .flag: ["type": "boolean"]
                case .day: ["type": "string", "format": "date"]
                case .instant: ["type": "string", "format": "date-time"]
                case .count: ["type": "integer", "minimum": 1]
                case .amount, .longitude, .latitude: ["type": "number"]
                case .text, .schedule, .offset, .choice: ["type": "string"]
                }
            return (field.name, schema.merging(["title": .text(Self.title(field.name)), "writeOnly": true]))
        }
    }
}

extension FeatureCollection {
    /// The fields that a request body may contain, or no fields if the collection is read-only.
    var receivableFields: [Field] {
        writes == nil ? [] : kind.fields.filter { ![.user, .utcOffset, .postedAt, .deletedAt].contains($0) }
    }

    /// Whether a request body may contain a property.
    fileprivate func isReceivable(_ property: Queryable) -> Bool {
        receivableFields.contains { property.columns.contains($0.name) }
    }

    /// Returns the properties that filters accept.
    ///
    /// - Parameter isPublic: Whether to return only the properties that are visible without a token.
    /// - Returns: The properties, in the order of the columns.
    func queryables(isPublic: Bool) -> [Queryable] {
        guard isPublic, let visible = publicColumns else { return properties }
        return properties.filter { visible.isSuperset(of: $0.columns) }
    }
}
