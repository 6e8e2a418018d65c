import StoreEngine

extension Session {
    /// Reads one row of the store, which fixes the snapshot that the transaction reads.
    ///
    /// A transaction without this call fixes its snapshot when it first reads a table.
    ///
    /// - Throws: An error of the engine if the store cannot be read.
    public func beginSnapshot() throws { _ = try first("SELECT 1 FROM account LIMIT 1") { _ in true } }
}
