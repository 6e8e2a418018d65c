import CPostgres

/// What a statement gives, row by row as the server sends it; or from memory, where another statement was sent meanwhile.
final class PostGISResult {
    private let connection: PostGISConnection
    private var kept: ArraySlice<OpaquePointer> = []
    /// The row it is at.
    private(set) var row: OpaquePointer?
    /// False where nobody will ask for the rest.
    var isWanted = true
    /// How many rows a statement without a result has changed.
    private(set) var changes = 0

    init(on connection: PostGISConnection) { self.connection = connection }

    deinit {
        PQclear(row)
        for result in kept { PQclear(result) }
    }

    /// Goes to the next row; false where there is none.
    func next() throws -> Bool {
        PQclear(row)
        row = nil
        while let result = kept.popFirst() ?? connection.receive(self) {
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE:
                row = result
                return true
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                changes = Int(String(cString: PQcmdTuples(result))) ?? 0
                PQclear(result)
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
