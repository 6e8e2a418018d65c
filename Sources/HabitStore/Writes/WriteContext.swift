import StoreEngine

/// The session and the lookups that the writers of all kinds of records share.
struct WriteContext {
    /// The session of the writes.
    let session: any Session
    /// The treatment of a record that the store contains with other values.
    let policy: ConflictPolicy
    /// The lookups of referenced records.
    let references: References
    /// The photos of the records.
    let photos: PhotoWriter
    /// The rows that the writers change.
    let changed: ChangedRows
    /// Whether no other statement reads the events before ``RecordWriter/flushInserts()``.
    let isLoad: Bool
    /// The version of the records that the writers insert.
    ///
    /// No record that they update has it.
    let insertedVersion = RecordVersion.new()

    /// Creates the context of a session.
    ///
    /// - Parameters:
    ///   - session: The session of the writes.
    ///   - policy: The treatment of a record that the store contains with other values.
    ///   - isLoad: Whether no other statement reads the events before ``RecordWriter/flushInserts()``.
    /// - Throws: An error of the engine.
    init(_ session: any Session, policy: ConflictPolicy, isLoad: Bool) throws {
        self.session = session
        self.policy = policy
        self.isLoad = isLoad
        references = References(session)
        photos = PhotoWriter(session)
        changed = try ChangedRows(session, isLoad: isLoad)
    }
}
