/// The treatment of a record whose key is in the store with other values.
///
/// `update` stores the new values, `keep` keeps the stored values, and `reject` rejects the record with
/// `duplicate-key`.
public enum ConflictPolicy: String, Sendable, CaseIterable {
    case update, keep, reject
}

/// The result of writing a record.
public enum WriteOutcome: Sendable {
    case inserted, updated, unchanged
}
