import Base

extension JSON {
    /// The member of an object, or `null` if the value is not an object with this member.
    package subscript(_ name: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// The text, or `nil` if the value is not a text.
    package var textValue: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The elements of a list, or an empty array if the value is not a list.
    package var elements: [JSON] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// The address of a document: the link `self`, or `nil` without this link.
    package var ownAddress: String? {
        let links = self["links"].elements
        let own = links.first { link in link["rel"].textValue == "self" }
        return own?["href"].textValue
    }
}
