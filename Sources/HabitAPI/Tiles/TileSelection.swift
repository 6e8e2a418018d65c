import HTTPServing
import HabitModel
import HabitStore

/// The collections of a request for tiles with a layer for each of them.
struct TileSelection {
    /// The name of the parameter with the IDs of the collections.
    static let parameter = "collections"

    /// The collections, in the order of the request.
    let collections: [FeatureCollection]

    /// Creates a selection of one collection.
    init(_ collection: FeatureCollection) {
        collections = [collection]
    }

    /// Parses the IDs of collections, with commas between them.
    ///
    /// - Parameters:
    ///   - text: The IDs, or `nil` if the request does not contain them.
    ///   - name: The name of the parameter.
    ///   - sections: The parts that the server shows.
    /// - Throws: `parameter-invalid` if there is no ID, if an ID is empty or occurs twice, and if the server has no tiles
    ///   of a collection with an ID.
    init(_ text: String?, of name: String, in sections: Sections) throws {
        let known = Self.available(in: sections)
        let list = known.map(\.id).joined(separator: ", ")
        guard let text else { throw Problem.invalid(name, "'\(name)' is missing: send some of \(list)") }
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { id in String(id) }
        guard Set(ids).count == ids.count else {
            throw Problem.invalid(name, "'\(name)' contains a collection twice: send each collection once")
        }
        collections = try ids.map { id in
            guard let collection = known.first(where: { known in known.id == id }) else {
                throw Problem.invalid(name, "there are no tiles of '\(id)': use \(list), separated by commas")
            }
            return collection
        }
    }

    /// Returns the collections that a selection can have.
    ///
    /// - Parameter sections: The parts that the server shows.
    /// - Returns: The collections with tiles.
    static func available(in sections: Sections) -> [FeatureCollection] {
        FeatureCollection.all.filter { collection in collection.hasMap && sections.shows(collection) }
    }

    /// The title of the tiles.
    var title: String { collections.map(\.title).joined(separator: ", ") }

    /// The content of the tiles.
    var description: String { collections.map(\.description).joined(separator: " ") }

    /// Checks that each parameter applies to one of the collections.
    ///
    /// - Throws: `parameter-invalid`.
    func requireApplicable(_ parameters: RequestParameters) throws {
        let applicable = Set(collections.flatMap(\.tileParameters).map(\.rawValue))
        guard let name = parameters.values.keys.filter({ name in !applicable.contains(name) }).min() else { return }
        throw Problem.invalid(name, "'\(name)' does not apply to these collections: omit it")
    }

    /// Returns the layers of the tiles with the properties of their points.
    ///
    /// - Parameters:
    ///   - names: The names in the parameter `properties`, or `nil` without this parameter. A layer has the properties
    ///     that its collection has.
    ///   - isPublic: Whether the request has no token.
    /// - Returns: The layers in the order of the collections.
    /// - Throws: `parameter-invalid` if no collection has a property with a name, or if a name occurs twice.
    func layers(with names: [String]?, isPublic: Bool) throws -> [TileJSON.Layer] {
        let known = collections.map { collection in collection.knownTileProperties(isPublic: isPublic) }
        var all: [String] = []
        for name in known.joined() where !all.contains(name) { all.append(name) }
        if let names { try FeatureRequest.checkProperties(names, among: all) }
        return try zip(collections, known).map { collection, known in
            let own = names.map { names in names.filter(known.contains) }
            let properties = try collection.tileProperties(named: own, isPublic: isPublic)
            return TileJSON.Layer(collection, properties: properties)
        }
    }
}

extension [FeatureView] {
    /// The part of the log that the caller of the views can see.
    var part: LogPart {
        if count == 1 { return self[0].part }
        var kinds: [RecordKind] = []
        for view in self {
            switch view.part {
            case .viewer: return view.part
            case .everyone: kinds += [.settings, .users, .items]
            case .shared(let own): kinds += own
            }
        }
        let names = Set(kinds)
        return .shared(RecordKind.allCases.filter(names.contains))
    }
}
