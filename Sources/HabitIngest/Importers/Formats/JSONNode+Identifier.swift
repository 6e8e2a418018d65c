import Base

extension JSONNode {
    /// The text or the number as an identifier, or `nil` for a blank text or any other value.
    var identifier: String? { anyText.flatMap { $0.trimmed.isEmpty ? nil : $0 } }
}
