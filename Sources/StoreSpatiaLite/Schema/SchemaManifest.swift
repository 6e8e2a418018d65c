import StoreEngine

/// The objects that a store of a schema version contains, with the digests of their definitions.
///
/// The comparison with the digests takes less time than the creation of a new store with the same schema. A test
/// compares the manifest with new stores of all versions.
struct SchemaManifest {
    /// An object of the manifest.
    struct Entry {
        var digest: String
        /// Whether SpatiaLite creates the object in every database.
        var isOfSpatiaLite: Bool
    }

    /// The entries by the keys of the objects.
    private(set) var entries: [String: Entry] = [:]

    /// Reads the entries of a version.
    ///
    /// Each line has the first and the last version with this definition, the program that creates the object, its
    /// type, its name and the digest. The last version of a current definition is `-`.
    ///
    /// - Parameters:
    ///   - text: The text of the manifest.
    ///   - version: The version of the schema.
    init(_ text: String, version: Int) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 6, let first = Int(parts[0]), first <= version else { continue }
            if let last = Int(parts[1]), last < version { continue }
            let creator = parts[2]
            let key = "\(parts[3]) \(parts[4])"
            let digest = String(parts[5])
            entries[key] = Entry(digest: digest, isOfSpatiaLite: creator == Self.spatiaLite)
        }
    }

    /// The name of the creator of objects that SpatiaLite creates in every database.
    private static let spatiaLite = "spatialite"
    private static let habitat = "habitat"

    /// Returns the text of the manifest.
    ///
    /// - Parameters:
    ///   - versions: The objects of a store of each version, from version 1.
    ///   - base: The keys of the objects that SpatiaLite creates in every database.
    /// - Returns: The lines of the manifest, sorted by type and name.
    static func text(of versions: [[SchemaObject]], base: Set<String>) -> String {
        struct Definition: Hashable {
            var key: String
            var digest: String
        }
        var spans: [Definition: ClosedRange<Int>] = [:]
        for (version, objects) in zip(1..., versions) {
            for object in objects {
                let definition = Definition(key: object.key, digest: object.digest)
                let first = spans[definition]?.lowerBound ?? version
                spans[definition] = first...version
            }
        }
        // The key begins with the type and ends with the name.
        let sorted = spans.sorted { first, second in
            guard first.key.key == second.key.key else { return first.key.key < second.key.key }
            return first.value.lowerBound < second.value.lowerBound
        }
        var text = ""
        for (definition, span) in sorted {
            let last = span.upperBound == versions.count ? "-" : "\(span.upperBound)"
            let creator = base.contains(definition.key) ? spatiaLite : habitat
            text += "\(span.lowerBound) \(last) \(creator) \(definition.key) \(definition.digest)\n"
        }
        return text
    }
}
