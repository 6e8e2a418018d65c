import HabitModel

/// The meaning of a column or member name in records of one kind.
enum NameMeaning: Equatable {
    case field(Field)
    /// The name of the record kind.
    case kind
    /// A name in a file of rejected rows. It describes an earlier error, which does not apply to the new load.
    case ignored
    case unknown

    init(_ name: String, in kind: RecordKind) {
        let folded = name.lowercased()
        if folded == "kind" {
            self = .kind
        } else if let field = Field(spelling: name, in: kind) {
            self = .field(field)
        } else {
            self = folded == "rejected" || folded.hasPrefix("rejected_") ? .ignored : .unknown
        }
    }
}
