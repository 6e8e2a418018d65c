import Base
import CPostgres

/// The result of a statement, whose rows are read one by one.
///
/// The rows come from the server. They come from memory if another statement was sent before the end of the result, or
/// if several statements were sent together.
final class PostGISResult {
    private let connection: PostGISConnection
    private var kept: ArraySlice<OpaquePointer>
    /// The current row.
    private(set) var row: PostGISRow?
    /// Whether the remaining rows are still required.
    var isWanted = true
    /// The number of rows changed by a statement without a result.
    private(set) var changes = 0

    /// Creates a result.
    ///
    /// If `kept` is not empty, it contains all rows.
    init(on connection: PostGISConnection, kept: [OpaquePointer] = []) {
        self.connection = connection
        self.kept = kept[...]
    }

    deinit {
        PQclear(row?.result)
        for result in kept { PQclear(result) }
    }

    /// Whether memory contains rows.
    var hasRows: Bool {
        kept.contains { result in PQntuples(result) > 0 }
    }

    /// Moves to the next row.
    ///
    /// Returns `false` after the last row.
    func next() throws -> Bool {
        if let row, row.index + 1 < PQntuples(row.result) {
            self.row?.index += 1
            return true
        }
        PQclear(row?.result)
        row = nil
        while let result = kept.popFirst() ?? connection.receive(self) {
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                changes = Int(String(cString: PQcmdTuples(result))) ?? 0
                guard PQntuples(result) > 0 else {
                    PQclear(result)
                    continue
                }
                row = PostGISRow(result: result)
                return true
            default:
                let error = connection.failure(result)
                PQclear(result)
                throw error
            }
        }
        return false
    }

    /// Moves the remaining rows into one result for each number from 1 to `count`.
    ///
    /// The last column contains the number of the result to which a row belongs.
    ///
    /// - Parameter count: The number of results.
    /// - Returns: The results in the order of their numbers. All rows are in memory.
    /// - Throws: An error of the server.
    func split(into count: Int) throws -> [PostGISResult] {
        let results = (0..<count).map { _ in PostGISResult(on: connection) }
        while try next(), let row {
            let lastColumn = Int(PQnfields(row.result)) - 1
            let number = row.integer(lastColumn)
            let slot = Int(number) - 1
            guard results.indices.contains(slot), PQntuples(row.result) == 1 else {
                throw HabitError(.internal, "the server returned a row of another lookup")
            }
            results[slot].kept.append(row.result)
            self.row = nil
        }
        return results
    }

    func bufferRemainingRows() {
        while let result = connection.receive(self) {
            if isWanted { kept.append(result) } else { PQclear(result) }
        }
    }
}
