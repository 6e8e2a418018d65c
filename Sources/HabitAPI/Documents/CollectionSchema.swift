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

    /// A property and its schema.
    private struct Property: Sendable {
        let name: String
        let schema: JSON

        /// Returns the property with additional members of its schema.
        func adding(_ members: JSON) -> Property {
            Property(name: name, schema: schema.merging(members))
        }
    }

    /// Returns the schema of the features: the properties in responses and in request bodies.
    func returnables(at url: String) -> JSON {
        var properties: [Property] = []
        if collection.identity == nil {
            properties.append(Self.compositeID)
        }
        for queryable in collection.queryables(isPublic: isPublic) {
            let property = property(queryable)
            let isReadOnly = !collection.isReceivable(queryable)
            properties.append(isReadOnly ? property.adding(["readOnly": true]) : property)
        }
        properties += derived
        properties += writeOnly
        let names = properties.map(\.name)
        let required: JSON = ["required": Self.list(names.filter(isRequired))]
        return document(url, properties: properties).merging(required)
    }

    /// Returns whether a feature always has a property.
    private func isRequired(_ name: String) -> Bool {
        guard name != "id" else { return false }
        return collection.kind.requiredFields.contains { alternatives in
            alternatives.map(\.name) == [name]
        }
    }

    /// Returns the schema of the properties that filters accept.
    func queryables(at url: String) -> JSON {
        let queryables = collection.queryables(isPublic: isPublic)
        return document(url, properties: queryables.map(property))
    }

    private func document(_ url: String, properties: [Property]) -> JSON {
        var members: [String: JSON] = [:]
        for (index, property) in properties.enumerated() {
            let position = JSON.integer(index + 1)
            let numbered = property.adding(["x-ogc-propertySeq": position])
            members[property.name] = numbered.schema
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": .text(url),
            "type": "object",
            "title": .text(collection.title),
            "description": .text(collection.description),
            "properties": .object(members),
            "additionalProperties": false,
        ]
    }

    // MARK: Properties

    private func property(_ queryable: Queryable) -> Property {
        let name = queryable.name
        let property = Property(name: name, schema: Self.type(queryable.kind))
            .adding(limits(of: queryable))
            .adding(["title": Self.title(of: name)])
        guard let role = role(of: queryable) else { return property }
        return property.adding(["x-ogc-role": .text(role)])
    }

    private static let string: JSON = ["type": "string"]
    private static let integer: JSON = ["type": "integer"]
    private static let number: JSON = ["type": "number"]
    private static let boolean: JSON = ["type": "boolean"]
    private static let date: JSON = ["type": "string", "format": "date"]
    private static let instant: JSON = ["type": "string", "format": "date-time"]

    private static func type(_ kind: Queryable.Kind) -> JSON {
        switch kind {
        case .text: string
        case .integer: integer
        case .number: number
        case .boolean: boolean
        case .day: date
        case .instant: instant
        case .point: ["format": "geometry-point"]
        }
    }

    /// The allowed values of a property that is a field of the records.
    private func limits(of property: Queryable) -> JSON {
        let isState = property.name == FeatureParameter.state.rawValue
        if collection.kind == .items, isState {
            let states = ItemQuery.State.allCases.map(\.rawValue)
            return ["enum": Self.list(states)]
        }
        guard let field = Field(named: property.name),
            collection.kind.fields.contains(field)
        else { return [:] }
        return switch field.form(in: collection.kind) {
        case .choice(let values): ["enum": Self.list(values)]
        case .count: ["minimum": 1]
        case .amount: ["minimum": 0]
        case .integer(let range): Self.bounds(of: range)
        case .timeOfDay: Self.timeOfDay
        default: [:]
        }
    }

    /// Returns the members of a schema that limit a whole number.
    static func bounds(of range: ClosedRange<Int>) -> JSON {
        ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// The member of a schema that limits a text to a time such as `07:30`.
    static let timeOfDay: JSON = ["pattern": .text("^\(timePattern)$")]

    /// A regular expression for times such as `07:30`.
    static let timePattern = "([01][0-9]|2[0-3]):[0-5][0-9]"

    private static func list(_ texts: [String]) -> JSON {
        .list(texts.map { text in .text(text) })
    }

    /// Returns the name of a property in words, such as "Posted at".
    private static func title(of name: String) -> JSON {
        let initial = name.prefix(1).uppercased()
        let rest = name.dropFirst().replacing("_", with: " ")
        return .text(initial + rest)
    }

    private func role(of property: Queryable) -> String? {
        switch property.name {
        case collection.identity: "id"
        case Queryable.geometry: "primary-geometry"
        case collection.kind.instantField?.name: "primary-instant"
        case Field.start.name, Field.from.name: "primary-interval-start"
        case Field.end.name, Field.to.name: "primary-interval-end"
        default: nil
        }
    }

    private static let compositeID = Property(
        name: "id",
        schema: [
            "type": "string",
            "title": "ID",
            "readOnly": true,
            "x-ogc-role": "id",
        ])

    /// The properties that the server computes and that filters do not accept.
    private var derived: [Property] {
        var properties: [Property] = []
        if collection.kind == .events {
            properties += [Self.status, Self.color]
        }
        if collection.isSpatial {
            properties.append(Self.distance)
        }
        if collection.hasPhotos {
            properties.append(Self.photoAddress)
        }
        if collection.optionalProperties.contains(FeatureCollection.userName) {
            properties.append(Self.userName)
        }
        if isPublic {
            let visible = collection.publicColumns ?? []
            properties.removeAll { property in !visible.contains(property.name) }
        }
        return properties.map { property in
            property.adding([
                "title": Self.title(of: property.name),
                "readOnly": true,
            ])
        }
    }

    private static let status = Property(
        name: "status",
        schema: ["type": "string", "description": "Status of the habit."])

    private static let color = Property(
        name: "color",
        schema: ["type": "string", "description": "Color of the status."])

    private static let distance = Property(
        name: "distance_m",
        schema: [
            "type": "number",
            "minimum": 0,
            "x-ogc-unit": "m",
            "description": "Distance from the position of the parameter 'near'.",
        ])

    private static let userName = Property(
        name: FeatureCollection.userName,
        schema: [
            "type": "string",
            "description": "Name of the user, only if the parameter 'properties' contains it.",
        ])

    private static let photoAddress = Property(
        name: "photo_url",
        schema: ["type": "string", "format": "uri"])

    /// The fields of request bodies that are not properties of features.
    private var writeOnly: [Property] {
        var readable: Set<String> = []
        for property in collection.properties {
            readable.insert(property.name)
            readable.formUnion(property.columns)
        }
        let fields = collection.receivableFields.filter { field in
            !readable.contains(field.name)
        }
        return fields.map { field in
            let property = Property(name: field.name, schema: type(of: field))
            return property.adding([
                "title": Self.title(of: field.name),
                "writeOnly": true,
            ])
        }
    }

    private func type(of field: Field) -> JSON {
        switch field.form(in: collection.kind) {
        case .photo: ["type": "string", "contentEncoding": "base64"]
        case .flag: Self.boolean
        case .day: Self.date
        case .instant: Self.instant
        case .count: ["type": "integer", "minimum": 1]
        case .integer(let range): Self.integer.merging(Self.bounds(of: range))
        case .timeOfDay: Self.string.merging(Self.timeOfDay)
        case .amount, .longitude, .latitude: Self.number
        case .text, .schedule, .offset, .choice: Self.string
        }
    }
}

extension FeatureCollection {
    /// The fields that a request body may contain, or no fields if the collection is read-only.
    var receivableFields: [Field] {
        guard writes != nil else { return [] }
        let computed: [Field] = [.user, .utcOffset, .postedAt, .deletedAt]
        return kind.fields.filter { field in !computed.contains(field) }
    }

    /// Whether a request body may contain a property.
    fileprivate func isReceivable(_ property: Queryable) -> Bool {
        receivableFields.contains { field in
            property.columns.contains(field.name)
        }
    }

    /// Returns the properties that filters accept.
    ///
    /// - Parameter isPublic: Whether to return only the properties that are visible without a token.
    /// - Returns: The properties, in the order of the columns.
    func queryables(isPublic: Bool) -> [Queryable] {
        guard isPublic, let visible = publicColumns else { return properties }
        return properties.filter { property in
            visible.isSuperset(of: property.columns)
        }
    }
}
