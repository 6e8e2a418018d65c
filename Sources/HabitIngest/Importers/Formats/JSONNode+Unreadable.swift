import Base

extension JSONNode {
    /// Whether the value is neither a number nor a blank text.
    var isUnreadableNumber: Bool {
        if number != nil { return false }
        return text.map { text in !text.allSatisfy(\.isWhitespace) } ?? true
    }

    /// Whether the value is neither an integer nor a blank text.
    var isUnreadableInteger: Bool { integer == nil && (number != nil || isUnreadableNumber) }
}
