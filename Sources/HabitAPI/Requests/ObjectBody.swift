import Base

/// The body of a request that is one JSON object with texts.
struct ObjectBody {
    private let texts: [String: String]

    /// Reads a body.
    ///
    /// The result is `nil` if the body is not a JSON object, or if one of the members is not a text.
    ///
    /// - Parameters:
    ///   - body: The body in UTF-8.
    ///   - names: The names of the members to read. A member may be missing or null. The other members are ignored.
    init?(_ body: some Collection<UInt8>, reading names: [String]) {
        guard let parser = try? JSONParser() else { return nil }
        let texts = withExtendedLifetime(parser) {
            let object = try? parser.document(copying: body)
            return object.flatMap { object in Self.texts(names, of: object) }
        }
        guard let texts else { return nil }
        self.texts = texts
    }

    private static func texts(_ names: [String], of object: JSONNode) -> [String: String]? {
        guard object.isObject else { return nil }
        var texts: [String: String] = [:]
        for name in names {
            guard let member = object[name] else { continue }
            guard let text = member.text else { return nil }
            texts[name] = text
        }
        return texts
    }

    /// Returns the text of a member, or `nil` if it is missing or null.
    subscript(name: String) -> String? {
        texts[name]
    }
}
