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
            entries["\(parts[3]) \(parts[4])"] = Entry(
                digest: String(parts[5]), isOfSpatiaLite: parts[2] == Self.spatiaLite)
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
        for (index, objects) in versions.enumerated() {
            for object in objects {
                let definition = Definition(key: object.key, digest: object.digest)
                spans[definition] = (spans[definition]?.lowerBound ?? index + 1)...index + 1
            }
        }
        var lines: [String] = []
        for (definition, span) in spans {
            let last = span.upperBound == versions.count ? "-" : "\(span.upperBound)"
            let creator = base.contains(definition.key) ? spatiaLite : habitat
            lines.append("\(span.lowerBound) \(last) \(creator) \(definition.key) \(definition.digest)")
        }
        let sorted = lines.sorted { first, second in
            let (a, b) = (first.split(separator: " "), second.split(separator: " "))
            return (a[3], a[4], Int(a[0]) ?? 0) < (b[3], b[4], Int(b[0]) ?? 0)
        }
        return sorted.joined(separator: "\n") + "\n"
    }
}
