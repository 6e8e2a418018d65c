import Base

extension JSONNode {
    /// The text or the number as an identifier, or `nil` for a blank text or any other value.
    var identifier: String? {
        guard let text = anyText else { return nil }
        let isBlank = text.allSatisfy(\.isWhitespace)
        return isBlank ? nil : text
    }
}
