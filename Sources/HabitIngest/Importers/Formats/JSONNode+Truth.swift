import Base

extension JSONNode {
    /// The Boolean, also if it is written as a number or a text, or `nil` for any other value.
    var truth: Bool? {
        if let boolean { return boolean }
        if let number { return number != 0 }
        switch text?.trimmed.lowercased() {
        case "true": return true
        case "false": return false
        default: return nil
        }
    }
}
