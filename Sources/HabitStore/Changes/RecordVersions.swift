import HabitModel
import StoreEngine

/// The versions of the records of one kind that a viewer may edit: the viewer's own records, and those in which the
/// viewer is a party.
///
/// A version is a number that each change of the record replaces. It never leaves the store: a client gets a keyed
/// digest of it. The operator edits no record as a user, so the operator has no versions.
public struct RecordVersions {
    private let kind: RecordKind
    private let viewer: Viewer
    private let session: any Session

    /// Creates a reader of versions.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records, which clients can copy.
    ///   - viewer: The viewer.
    ///   - session: A session of the store.
    public init(_ kind: RecordKind, viewer: Viewer, in session: any Session) {
        self.kind = kind
        self.viewer = viewer
        self.session = session
    }

    /// Reads the version of each record that the viewer may edit.
    ///
    /// The cost is one query for each party of the kind. It looks up the records by ID. For relations, whose IDs have
    /// no index, it reads all relations of the viewer.
    ///
    /// - Parameter ids: The IDs of the records. The ID of a relation is a ``CompositeID`` of two IDs.
    /// - Returns: The versions by ID, without the records that do not exist, that the viewer may not edit, or that a
    ///   block hides from the viewer.
    /// - Throws: An error of the engine.
    public func all(of ids: [String]) throws -> [String: Int64] {
        guard viewer != .operator, !ids.isEmpty else { return [:] }
        let key: SQL = "\(.integer(viewer.key), as: "viewer")"
        let list = ids.map { id -> SQL in "\(.text(id), as: "id")" }.joined(separator: ", ")
        var versions: [String: Int64] = [:]
        // SQLite would read all records of the viewer by the index on users. The plus leaves it only the index on IDs.
        // A cluster needs the user to find the server of the records.
        let readsByID = kind.fields.contains(.id) && !session.dialect.traits.isDistributed
        for party in LoggedParty.all(of: kind) {
            let user: SQL = readsByID ? "+\(party.user)" : party.user
            let isVisible = party.isVisible ?? "TRUE"
            let sql: SQL = """
                SELECT \(party.id), \(raw: kind.table).version
                FROM \(raw: kind.table)
                \(party.joins)
                WHERE \(user) = \(key) AND \(party.id) IN (\(list)) AND \(isVisible)
                """
            try session.query(sql) { row in
                versions[row.text(0) ?? ""] = row.integer(1)
                return true
            }
        }
        return versions
    }
}
