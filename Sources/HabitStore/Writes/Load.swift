import StoreEngine

extension Engine {
    /// Writes many records in one transaction.
    ///
    /// The store then contains all of them, or none after an error.
    ///
    /// Indexes may be missing until `body` returns, so `body` must not query the store. After `body`, this method
    /// completes the indexes and updates derived columns.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a record that the store contains with other values.
    ///   - body: A closure that writes the records.
    ///   - beforeCommit: A closure that runs after all writes and before the commit. An error rolls back the load.
    /// - Throws: The errors of `body` and `beforeCommit`. The store is then unchanged.
    public func load(
        policy: ConflictPolicy = .update,
        _ body: (RecordWriter) throws -> Void,
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
    /// - Parameters:
    ///   - policy: The treatment of a record that the store contains with other values.
    ///   - body: A closure that writes the records.
    /// - Returns: The result of `body`.
    /// - Throws: The error thrown by `body`, or an error of the engine. This method does not roll back earlier writes.
    public func writeRecords<Result>(
        policy: ConflictPolicy = .update,
        _ body: (RecordWriter) throws -> Result
    ) throws -> Result {
        let writer = try RecordWriter(self, policy: policy, isLoad: false)
        let result = try body(writer)
        try writer.finish()
        return result
    }
}
