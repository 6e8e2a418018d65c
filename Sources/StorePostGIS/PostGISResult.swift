import CPostgres

/// What a statement gives, row by row as the server sends it; or from memory, where another statement was sent meanwhile or
/// several were sent together.
final class PostGISResult {
    private let connection: PostGISConnection
    private var kept: ArraySlice<OpaquePointer>
    /// The row it is at.
    private(set) var row: PostGISRow?
    /// False where nobody will ask for the rest.
    var isWanted = true
    /// How many rows a statement without a result has changed.
    private(set) var changes = 0

    /// With `kept`, all there is has come.
    init(on connection: PostGISConnection, kept: [OpaquePointer] = []) {
        self.connection = connection
        self.kept = kept[...]
    }

    deinit {
        PQclear(row?.result)
        for result in kept { PQclear(result) }
    }

    /// Whether there are rows in memory.
    var hasRows: Bool { kept.contains { PQntuples($0) > 0 } }

    /// Goes to the next row; false where there is none.
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

    func keepRest() {
        while let result = connection.receive(self) {
            if isWanted { kept.append(result) } else { PQclear(result) }
        }
    }
}
