import StoreEngine

extension Engine {
    /// Writes many records in one transaction: all of them are stored, or none.
    ///
    /// Indexes may be missing until `body` returns, so `body` must not query the store. After `body`, this method completes the indexes
    /// and updates derived columns.
    ///
    /// - Parameters:
    ///   - policy: Decides about a record that the store has with other values.
    ///   - body: Writes the records.
    ///   - beforeCommit: Runs after everything is written and before anything is final. Its error undoes the load.
    /// - Throws: The errors of `body` and `beforeCommit`, after which the store is unchanged.
    public func load(
        policy: ConflictPolicy = .update, _ body: (RecordWriter) throws -> Void,
        beforeCommit: (any Session) throws -> Void = { _ in }
    ) throws {
        try bulkWrite { session in
            let writer = try session.deferringIndexes {
                let writer = try RecordWriter(session, policy: policy, isLoad: true)
                try body(writer)
                try writer.flushInserts()
                return writer
            }
            try writer.finish()
            try beforeCommit(session)
        }
    }
}

extension Session {
    /// Writes records, and then updates the columns derived from them.
    ///
    /// - Returns: The result of `body`.
    public func writeRecords<Result>(
        policy: ConflictPolicy = .update, _ body: (RecordWriter) throws -> Result
    ) throws -> Result {
        let writer = try RecordWriter(self, policy: policy, isLoad: false)
        let result = try body(writer)
        try writer.finish()
        return result
    }
}
