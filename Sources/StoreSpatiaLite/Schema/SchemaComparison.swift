import Base
import GRDB
import StoreEngine

/// The comparison of the schema of a store with the schema that Habitat creates in a store of its version.
///
/// SQLite runs the triggers of a store at each write, and reads the tables that its views and virtual tables name. A file
/// from elsewhere must therefore contain only the definitions of Habitat.
struct SchemaComparison {
    /// The objects with which a store is refused: changed definitions of Habitat's objects, unknown triggers, and virtual
    /// tables of modules that can read files.
    private(set) var refusedObjects: [SchemaObject] = []
    /// The titles of ``refusedObjects``.
    var refused: [String] { refusedObjects.map(\.title) }
    /// The other objects that Habitat has not created.
    ///
    /// Habitat neither reads nor writes them.
    private(set) var others: [String] = []
    /// The objects of Habitat that the store lacks, if they were to be found.
    private(set) var missing: [SchemaObject] = []

    /// Compares the schema of a store.
    ///
    /// A new store with the same version is created in memory only if a definition differs from the manifest.
    ///
    /// - Parameters:
    ///   - stored: The schema of the store.
    ///   - schema: The schema of the current version.
    ///   - findsMissing: Whether to find the missing objects.
    /// - Throws: `store-unavailable` if SpatiaLite cannot be loaded, or an error of SQLite.
    init(_ stored: StoredSchema, _ schema: StoreSchema, findsMissing: Bool) throws {
        let manifest = SchemaManifest(schema.objects, version: stored.version)
        var found: Set<String> = []
        var strange: [SchemaObject] = []
        for object in stored.objects {
            found.insert(object.key)
            if manifest.entries[object.key]?.digest != object.digest {
                strange.append(object)
            }
        }
        let lacksObjects = manifest.entries.contains { key, entry in
            !entry.isOfSpatiaLite && !found.contains(key)
        }
        let isJudgedByModel = strange.contains { object in Self.needsModel(object, manifest) }
        let isModelNeeded = isJudgedByModel || (findsMissing && lacksObjects)
        let model = try Model(schema.upTo(stored.version), manifest, isNeeded: isModelNeeded)
        layerViews = schema.declaration.layerViews
        for object in strange {
            judge(object, model)
        }
        guard findsMissing else {
            return
        }
        missing = model.objects.filter { object in
            !model.isOfSpatiaLite(object.key) && !found.contains(object.key)
        }
    }

    private static func needsModel(_ object: SchemaObject, _ manifest: SchemaManifest) -> Bool {
        manifest.entries[object.key] != nil || object.creation == .trigger
    }

    /// The names of the views for other programs.
    ///
    /// Another program can have created a table with such a name before Habitat had the views. The migration keeps the
    /// table, which Habitat does not read. A view with such a name must be the view of Habitat, because recipes read it.
    private let layerViews: Set<String>

    /// The modules whose virtual tables contain only data of the store.
    private static let safeModules: Set<String> = [
        "rtree", "rtree_i32", "geopoly", "fts3", "fts4", "fts5", "fts4aux", "fts5vocab", "virtualspatialindex",
        "virtualelementary", "virtualknn", "virtualknn2",
    ]

    private mutating func judge(_ object: SchemaObject, _ model: Model) {
        if let original = model.object(object.key) {
            if original.hasSameDefinition(as: object) {
                return
            }
            guard model.isOfSpatiaLite(object.key) else {
                refusedObjects.append(object)
                return
            }
        }
        if isAccepted(object, model) {
            others.append(object.title)
        } else if !model.isTriggerOfLayer(object) {
            refusedObjects.append(object)
        }
    }

    /// Whether Habitat neither reads nor writes an object that it has not created.
    private func isAccepted(_ object: SchemaObject, _ model: Model) -> Bool {
        switch object.creation {
        case .view where layerViews.contains(object.name.lowercased()):
            false
        case .table, .view, .index:
            !model.isOwnName(object.name)
        case .virtualTable(let module):
            Self.safeModules.contains(module) && !model.isOwnName(object.name)
        case .trigger, nil:
            false
        }
    }

    /// A new store of the same version.
    private struct Model {
        let objects: [SchemaObject]
        private var byKey: [String: SchemaObject] = [:]
        private let manifest: SchemaManifest
        private var names: Set<String> = []
        private let declaration: SchemaDeclaration

        init(_ schema: StoreSchema, _ manifest: SchemaManifest, isNeeded: Bool) throws {
            self.manifest = manifest
            declaration = schema.declaration
            objects = isNeeded ? try Self.objects(of: schema) : []
            for object in objects where byKey[object.key] == nil {
                byKey[object.key] = object
            }
            let own = manifest.entries.filter { entry in !entry.value.isOfSpatiaLite }
            for key in own.map(\.key) + byKey.keys {
                let name = key.drop { character in character != " " }.dropFirst()
                names.insert(String(name))
            }
        }

        /// Returns the objects of a new store.
        private static func objects(of schema: StoreSchema) throws -> [SchemaObject] {
            let engine = try SpatiaLiteEngine.temporary(schema)
            return try engine.queue.inDatabase { db in try SchemaObject.all(in: db) }
        }

        func object(_ key: String) -> SchemaObject? {
            byKey[key]
        }

        func isOfSpatiaLite(_ key: String) -> Bool {
            manifest.entries[key]?.isOfSpatiaLite == true
        }

        /// Whether Habitat has an object with this name, which can be of another type.
        func isOwnName(_ name: String) -> Bool {
            let name = name.lowercased()
            guard names.contains(name), !declaration.layerViews.contains(name) else {
                return false
            }
            let keys = ["table", "view", "index"].map { type in "\(type) \(name)" }
            return !keys.contains(where: isOfSpatiaLite)
        }

        /// Whether SpatiaLite creates such a trigger for each table with a geometry.
        ///
        /// QGIS and ogr2ogr add such tables to a store.
        func isTriggerOfLayer(_ object: SchemaObject) -> Bool {
            let prefix = object.name.prefix(3)
            let start = "\(prefix)_\(object.table)_"
            guard object.creation == .trigger, object.name.hasPrefix(start) else {
                return false
            }
            guard let known = declaration.locatedTables.first?.name else {
                return false
            }
            guard let template = byKey["trigger \(prefix)_\(known)_geometry"] else {
                return false
            }
            let column = String(object.name.dropFirst(start.count))
            let words = template.words.map { word in
                guard word.kind == .quotedName || word.kind == .string else {
                    return word
                }
                var word = word
                switch word.text {
                case known:
                    word.text = object.table
                case "geometry":
                    word.text = column
                default:
                    word.text = word.text.replacing("\(known)_geometry", with: "\(object.table)_\(column)")
                        .replacing("\(known).geometry", with: "\(object.table).\(column)")
                }
                return word
            }
            return words == object.words
        }
    }
}
