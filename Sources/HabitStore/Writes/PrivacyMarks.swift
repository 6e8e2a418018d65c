import Base
import Geo
import HabitModel
import StoreEngine

/// The column `is_private` of events and posts: whether others see no position of the record.
///
/// It is 1 if the position is in the hidden area of the private places of the record's user, otherwise 0.
enum PrivacyMarks {
    /// The name of the column.
    static let column = "is_private"

    /// The kinds of records whose tables have the column.
    static let kinds: [RecordKind] = [.events, .posts]

    /// Updates the marks of all records of a user after a change of the private places.
    ///
    /// The change of each record is logged for all who see the record.
    ///
    /// - Parameters:
    ///   - user: The key of the user.
    ///   - area: The hidden area of the user's private places.
    ///   - context: The session of the writes and the rows that they change.
    /// - Throws: An error of the engine.
    static func update(recordsOf user: Int64, in area: HiddenArea, _ context: WriteContext) throws {
        for kind in kinds {
            let wrong = try wrongMarks(kind, of: user, in: area, context.session)
            for mark in wrong {
                try context.session.run(
                    """
                    UPDATE \(raw: kind.table)
                    SET is_private = \(.boolean(mark.isPrivate), as: "is_private"),
                      version = \(.integer(RecordVersion.new()), as: "version")
                    WHERE id = \(.integer(mark.key), as: "id") AND user_id = \(.integer(user), as: "user")
                    """)
                context.changed.of(kind).insert(mark.key)
            }
        }
    }

    /// The key of a record and the right value of its mark.
    private struct Mark {
        var key: Int64
        var isPrivate: Bool
    }

    private static func wrongMarks(
        _ kind: RecordKind,
        of user: Int64,
        in area: HiddenArea,
        _ session: any Session
    ) throws -> [Mark] {
        let sql: SQL = """
            SELECT id, geometry, is_private
            FROM \(raw: kind.table)
            WHERE user_id = \(.integer(user), as: "user") AND geometry IS NOT NULL
            ORDER BY id
            """
        var wrong: [Mark] = []
        try session.query(sql) { row in
            guard let position = row.position(1) else { return true }
            let isPrivate = area.contains(position)
            if isPrivate != (row.integer(2) != 0) {
                wrong.append(Mark(key: row.integer(0), isPrivate: isPrivate))
            }
            return true
        }
        return wrong
    }
}

extension HiddenArea {
    /// Creates the hidden area of the private places in a text of the store, or an empty area for `nil`.
    ///
    /// - Throws: `field-invalid` if the stored text is damaged.
    init(stored text: String?) throws {
        self = try PrivatePlaces(text ?? "").hiddenArea
    }

    /// Returns the value of the column `is_private` of a record, or `nil` if the record does not specify a position.
    func mark(_ position: FieldInput<Position>) -> Value? {
        switch position {
        case .absent: nil
        case .null: .boolean(false)
        case .value(let position): .boolean(contains(position))
        }
    }
}

/// The audience of the changes of positions of one table.
///
/// A change from one hidden position to another concerns only the owner.
final class PositionAudience {
    private let session: any Session
    private let table: String
    /// Whether others will see the position of the record that is being written.
    private var isShown = false

    init(_ kind: RecordKind, in session: any Session) {
        self.session = session
        table = kind.table
    }

    /// Stores the position of a record that is about to be written, and returns the value of the column `is_private`.
    ///
    /// - Parameters:
    ///   - position: The position in the record.
    ///   - area: The hidden area of the owner.
    /// - Returns: The value, or `nil` if the record does not specify a position.
    func mark(_ position: FieldInput<Position>, in area: HiddenArea) -> Value? {
        let mark = area.mark(position)
        isShown = position.value != nil && mark == .boolean(false)
        return mark
    }

    /// Returns the audience of a change, or `nil` if it is the usual audience of the record.
    ///
    /// - Parameters:
    ///   - key: The key of the stored record.
    ///   - columns: The columns that change.
    /// - Returns: The audience, or `nil`.
    /// - Throws: An error of the engine.
    func audience(of key: Int64, changing columns: Set<String>) throws -> Audience? {
        guard columns.isSubset(of: ["geometry", PrivacyMarks.column]), !isShown else { return nil }
        let sql: SQL = """
            SELECT 1
            FROM \(raw: table)
            WHERE id = \(.integer(key), as: "id") AND geometry IS NOT NULL AND is_private = 0
            """
        let wasShown = try session.first(sql) { _ in true } ?? false
        return wasShown ? nil : .party
    }
}
