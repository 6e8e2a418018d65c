import Base

/// The body of a request that is one JSON object with texts.
package struct ObjectBody {
    private let texts: [String: String]

    /// Reads a body.
    ///
    /// The result is `nil` if the body is not a JSON object, or if one of the members is not a text.
    ///
    /// - Parameters:
    ///   - body: The body in UTF-8.
    ///   - names: The names of the members to read. A member may be missing or null. The other members are ignored.
    package init?(_ body: some Collection<UInt8>, reading names: [String]) {
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
    package subscript(name: String) -> String? {
        texts[name]
    }

    /// The member `label`, or `nil` if it is missing or null.
    ///
    /// - Throws: `field-invalid` if the label is too long, and `text-invalid` if it has several lines.
    var label: String? {
        get throws {
            guard let label = self["label"] else { return nil }
            try OwnTokens.checkLabel(label)
            return label
        }
    }
}
