import Base
import HTTPServing
import HabitModel
import HabitStore

extension SyncedCollection {
    /// The names of all collections that clients copy.
    static let names = allCases.map(\.rawValue)
}

extension SyncFilter {
    private static let collectionsName = "collections"
    private static let fromName = "from"
    private static let nearName = FeatureParameter.near.rawValue
    private static let withinName = FeatureParameter.within.rawValue

    /// The query parameters that select the records of a copy.
    static let queryParameters = [collectionsParameter, fromParameter, nearParameter, withinParameter]

    private static let collectionsParameter = QueryParameter(
        collectionsName,
        document: [
            "name": .text(collectionsName),
            "in": "query",
            "required": false,
            "description":
                "Collections to copy: names separated by commas. The default is all collections. `user` is your account.",
            "schema": [
                "type": "array",
                "items": [
                    "type": "string",
                    "enum": .list(SyncedCollection.names.map { name in .text(name) }),
                ],
                "minItems": 1,
            ],
            "style": "form",
            "explode": false,
        ])

    private static let fromParameter = QueryParameter(
        fromName,
        "First day of the events and posts to copy. A post without a time has no day and is always copied. The default is all days.",
        schema: ["type": "string", "format": "date"])

    private static let nearParameter = QueryParameter(
        nearName,
        document: [
            "name": .text(nearName),
            "in": "query",
            "required": false,
            "description":
                "Copies only the items near this position: longitude,latitude in degrees (the order of RFC 7946).",
            "schema": [
                "type": "array",
                "items": ["type": "number"],
                "minItems": 2,
                "maxItems": 2,
            ],
            "style": "form",
            "explode": false,
        ])

    private static let withinParameter = FeatureParameter.within.queryParameter(sorts: [])

    /// Parses the parameters of a request.
    ///
    /// - Parameter parameters: The query parameters of the request.
    /// - Returns: The filter, or `nil` if the request selects no records.
    /// - Throws: ``Problem`` and `HabitError` that name the invalid parameter.
    static func read(_ parameters: RequestParameters) throws -> SyncFilter? {
        let isFiltered = queryParameters.contains { parameter in parameters[parameter.name] != nil }
        guard isFiltered else { return nil }
        let collections = try collections(in: parameters)
        let from = try parameters[fromName].map { text in try Parse.day(text, field: fromName) }
        let near = try near(in: parameters)
        if from != nil {
            try require(fromName, [.events, .posts], among: collections)
        }
        if near != nil {
            try require(nearName, [.items], among: collections)
        }
        return SyncFilter(collections, from: from, near: near)
    }

    private static func collections(in parameters: RequestParameters) throws -> Set<SyncedCollection> {
        guard let text = parameters[collectionsName] else { return Set(SyncedCollection.allCases) }
        let names = parameters.list(collectionsName)
        let collections = names.compactMap { name in SyncedCollection(rawValue: name) }
        guard !names.isEmpty, collections.count == names.count else {
            let list = SyncedCollection.names.joined(separator: ", ")
            throw Problem.invalid(
                collectionsName,
                "'\(text)' is not a list of collections: use \(list), separated by commas")
        }
        return Set(collections)
    }

    private static func near(in parameters: RequestParameters) throws -> Near? {
        let distance = try parameters[withinName].map { text in
            try Parse.distance(text, field: withinName)
        }
        guard let text = parameters[nearName] else {
            guard distance == nil else {
                throw Problem.invalid(withinName, "'within' requires a position: add near=LONGITUDE,LATITUDE")
            }
            return nil
        }
        guard let center = FeatureRequest.position(text) else {
            throw HabitError(
                .positionInvalid,
                "'\(text)' is not a position: write LONGITUDE,LATITUDE in degrees, such as -9.1393,38.7223",
                field: nearName)
        }
        return Near(center: center, within: distance ?? Near.defaultDistance)
    }

    /// Checks that a copy has a collection to which a parameter applies.
    private static func require(
        _ parameter: String,
        _ affected: [SyncedCollection],
        among collections: Set<SyncedCollection>
    ) throws {
        guard collections.isDisjoint(with: affected) else { return }
        let names = affected.map(\.rawValue).joined(separator: " or ")
        throw Problem.invalid(
            parameter,
            "'\(parameter)' selects \(names), which 'collections' omits: add the collection, or omit '\(parameter)'")
    }
}
