import Base
import HabitModel
import StoreEngine

/// A lookup of records by ID that checks the permissions of the viewer.
public struct AccessChecker {
    let viewer: Viewer
    let session: any Session

    /// Creates a lookup for `viewer` in `session`.
    public init(viewer: Viewer, in session: any Session) {
        self.viewer = viewer
        self.session = session
    }

    /// Returns the key of a record if the viewer can perform an action on it.
    ///
    /// - Parameters:
    ///   - action: The action to perform.
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record.
    /// - Returns: The key of the record.
    /// - Throws: `not-found`, with the same message, if the record does not exist or the viewer cannot see it;
    ///   otherwise the error of ``HabitModel/Access``.
    @discardableResult
    public func require(_ action: Action, on kind: AccessObject.Kind, id: String) throws -> Int64 {
        guard let found = try find(kind, id) else {
            throw Access.notFound(kind, id)
        }
        try Access.require(action, by: viewer.principal, on: found.object)
        return found.key
    }

    /// Returns values of a record if the viewer can perform an action on it.
    ///
    /// One statement reads the values and the properties that determine the permission.
    ///
    /// - Parameters:
    ///   - action: The action to perform.
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record.
    ///   - columns: Expressions on the table of the kind.
    ///   - read: A closure that receives a row and the index of the first expression.
    /// - Returns: The result of `read`.
    /// - Throws: The errors of ``require(_:on:id:)``, and the error thrown by `read`.
    func require<Values>(
        _ action: Action,
        on kind: AccessObject.Kind,
        id: String,
        reading columns: [SQL],
        _ read: (any Row, _ firstIndex: Int) throws -> Values
    ) throws -> Values {
        let values = try first(kind, id: id, reading: columns) { object, row in
            try Access.require(action, by: viewer.principal, on: object)
            return try read(row, Source.columnCount)
        }
        guard let values else {
            throw Access.notFound(kind, id)
        }
        return values
    }

    /// Returns the version of a record if the viewer can perform an action on it.
    ///
    /// One statement reads the version and the properties that determine the permission.
    ///
    /// - Parameters:
    ///   - action: The action to perform, which only those can perform who may know the version.
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record.
    /// - Returns: The version: see ``RecordVersions``.
    /// - Throws: The errors of ``require(_:on:id:)``.
    public func version(for action: Action, on kind: AccessObject.Kind, id: String) throws -> Int64 {
        let source = Source(kind, visibility: Visibility(viewer: viewer), dialect: session.dialect)
        let version: SQL = "\(raw: source.table).version"
        return try require(action, on: kind, id: id, reading: [version]) { row, first in row.integer(first) }
    }

    /// The key of a stored record, and the properties that determine the permissions.
    public struct StoredObject {
        /// The key of the record.
        public var key: Int64
        /// The properties of the record.
        public var object: AccessObject
    }

    /// Returns a record regardless of its visibility, or `nil` if it does not exist.
    public func find(_ kind: AccessObject.Kind, _ id: String) throws -> StoredObject? {
        try first(kind, id: id) { object, row in
            StoredObject(key: row.integer(0), object: object)
        }
    }

    /// Returns the result of `body` for a record regardless of its visibility, or `nil` if it does not exist.
    private func first<Result>(
        _ kind: AccessObject.Kind,
        id: String,
        reading columns: [SQL] = [],
        _ body: (AccessObject, any Row) throws -> Result
    ) throws -> Result? {
        let visibility = Visibility(viewer: viewer)
        let source = Source(kind, visibility: visibility, dialect: session.dialect)
        let select = source.select(id: id, visibility, adding: columns)
        return try session.first(select) { row in
            let grant = row.text(2).flatMap(Share.init(rawValue:))
            var object = AccessObject(
                kind,
                id: id.composed,
                owner: row.text(1) ?? "",
                grant: grant)
            object.isNewest = row.integer(3) != 0
            object.isOtherSide = row.integer(4) != 0
            object.isDeleted = row.integer(5) != 0
            object.isBlocked = row.integer(6) != 0
            return try body(object, row)
        }
    }

    /// The table of a kind of record, with the expressions that decide what a viewer may do.
    private struct Source {
        /// The table.
        var table: String
        /// The column with the key of the owner.
        var owner: String
        /// Whether the owner grants followers a share of these records.
        var isShared = true
        /// An expression that is true if an event is the newest of its habit.
        var newest: SQL = "FALSE"
        /// An expression that is true if the viewer is the other party of the record.
        var otherSide: SQL = "FALSE"
        /// An expression that is true if the record is deleted.
        var deleted: SQL = "FALSE"
        /// An expression that is true if a block hides the record.
        var blocked: SQL

        init(_ kind: AccessObject.Kind, visibility: Visibility, dialect: any Dialect) {
            switch kind {
            case .user:
                self.init(table: "account", owner: "id", isShared: false, visibility)
            case .habit:
                self.init(table: "habit", owner: "user_id", visibility)
            case .pause:
                self.init(table: "pause", owner: "user_id", visibility)
            case .event:
                self.init(table: "event", owner: "user_id", visibility)
                newest = Visibility.newestOfHabit(dialect)
            case .item:
                self.init(table: "item", owner: "user_id", visibility)
                otherSide = """
                    EXISTS (
                        SELECT 1 FROM claim
                        WHERE claim.item_id = item.id
                          AND claim.user_id = \(visibility.key)
                          AND claim.state IN ('claimed', 'given')
                      )
                    """
            case .post:
                self.init(table: "post", owner: "user_id", visibility)
                deleted = "post.deleted_at IS NOT NULL"
            case .message:
                self.init(table: "message", owner: "sender_id", isShared: false, visibility)
                otherSide = "message.recipient_id = \(visibility.key)"
                let areBlocked = Visibility.parties(of: .messages)?.areBlocked ?? "FALSE"
                blocked = visibility.viewer == .operator ? "FALSE" : areBlocked
            }
        }

        private init(table: String, owner: String, isShared: Bool = true, _ visibility: Visibility) {
            self.table = table
            self.owner = owner
            self.isShared = isShared
            let isOperator = visibility.viewer == .operator
            blocked = isOperator ? "FALSE" : visibility.hides("\(raw: table).\(raw: owner)")
        }

        /// The number of columns before the columns that ``select(id:_:adding:)`` adds.
        static let columnCount = 7

        /// Returns a SELECT of the key, the owner's ID, the share that the owner grants to the viewer, the four
        /// conditions as 0 or 1, and more columns.
        func select(id: String, _ visibility: Visibility, adding columns: [SQL]) -> SQL {
            let grant: SQL = """
                (
                    SELECT follow.share
                    FROM follow
                    WHERE \(visibility.acceptedFollow) AND follow.followee_id = \(raw: table).\(raw: owner)
                  )
                """
            let conditions = [newest, otherSide, deleted, blocked]
            let flags = conditions.map { condition -> SQL in
                "CASE WHEN \(condition) THEN 1 ELSE 0 END"
            }
            let columns = (flags + columns).joined(separator: ", ")
            return """
                SELECT \(raw: table).id, owner.external_id, \(isShared ? grant : "NULL"), \(columns)
                FROM \(raw: table)
                JOIN account AS owner ON owner.id = \(raw: table).\(raw: owner)
                WHERE \(raw: table).external_id = \(.text(id.composed), as: "id")
                """
        }
    }
}
