import Base
import Geo
import HabitModel
import StoreEngine

/// A kind of record that a ``RecordQuery`` lists, with the options that only this kind has.
public protocol ListedRecords: Sendable {
    /// Returns the rows of the kind that a viewer can see.
    ///
    /// - Parameters:
    ///   - query: The query, whose options of all kinds the rows may depend on.
    ///   - session: The session that runs the query.
    /// - Returns: The rows.
    /// - Throws: `not-found` if an option names a record that does not exist; an error of the engine.
    func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows
}

/// The rows of a kind of record: their table and columns, and the conditions that all of them meet.
public struct RecordRows: Sendable {
    /// The table.
    var table: String
    /// The text after FROM if it does not begin with the table, or `nil`.
    var source: SQL?
    /// The joins that the columns and the conditions need.
    var joins: SQL = ""
    /// The columns of the list.
    var outputs: [OutputColumn]
    /// The columns of a text table for people.
    var textTable: [TableColumn] = []
    /// Columns that only texts for people show.
    var textOutputs: [SelectColumn] = []
    /// The names of the columns that identify a record.
    var identity = ["id"]
    /// The conditions that every row meets: that the viewer can see it, and the options of the kind.
    var conditions: [SQL?] = []
    /// The order by time without the ID, or the natural order of a kind whose records have no ID.
    var order: [OrderTerm]
    /// The ORDER BY clause of a complete result that is sorted again after the limit, or `nil`.
    var completeOrder: SQL?
    /// The time of a record, or `nil` for a kind without a time.
    var time: RecordTime?
    /// The position of a record that the viewer sees, or `nil` for a kind without positions.
    var position: VisiblePosition?
    /// Returns the rows that indexes by owner find for some owners, or `nil` if the spatial index finds the rows.
    var owned: (@Sendable (_ users: [Int64]?, _ session: any Session) -> OwnedSource)?
}

/// The columns with the time of a record.
struct RecordTime: Sendable {
    /// The column with the instant in microseconds.
    var instant: SQL
    /// The column with the UTC offset in minutes.
    var offset: SQL
    /// The column with the name of the user's time zone.
    var zone: SQL
}

/// A query for the records of one kind that a viewer can see.
///
/// A `nil` value or an empty array adds no condition. The options that only one kind has are members of the query too: see
/// ``ItemRecords``, ``PostRecords``, ``ClaimRecords``, ``FollowRecords``, ``MessageRecords`` and ``UserRecords``.
@dynamicMemberLookup
public struct RecordQuery<Records: ListedRecords>: Sendable {
    /// The viewer of the query.
    public var viewer: Viewer
    /// The options that only this kind has.
    public var records: Records
    /// The ID of the record to find, or `nil` for all records.
    public var id: String?
    /// The IDs of the users who own the records.
    public var users: [String] = []
    /// A circle that contains the records, or `nil`.
    public var near: Near?
    /// A bounding box that contains the records, or `nil`.
    public var box: BoundingBox?
    /// An area that contains the records in it or on its border, or `nil`.
    public var area: Area?
    /// A bounding box that contains the records that have a position, or `nil`.
    public var boxOrUnlocated: BoundingBox?
    /// The time span of the records, or `nil`.
    ///
    /// Records without a time match every time span, as OGC API - Features requires for `datetime`.
    public var during: TimeSpan?
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// The order of the rows.
    ///
    /// A kind without positions has only its natural order.
    public var sort = SortOrder.newest
    /// Whether the rows have the name of the owner in addition.
    ///
    /// Only items and posts have it.
    public var showsUserName = false
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?

    /// Creates a query for the records that `viewer` can see.
    ///
    /// - Parameters:
    ///   - records: The kind with its options.
    ///   - viewer: The viewer of the query.
    public init(_ records: Records, viewer: Viewer) {
        self.records = records
        self.viewer = viewer
    }

    /// An option that only this kind has.
    public subscript<Value>(dynamicMember option: WritableKeyPath<Records, Value>) -> Value {
        get { records[keyPath: option] }
        set { records[keyPath: option] = newValue }
    }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `not-found` if a user, or a record that an option names, does not exist; `parameter-invalid` if the
    ///   cursor of the page does not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        let rows = try records.rows(of: self, in: session)
        let ownerName: [OutputColumn] = showsUserName ? [.userName] : []
        let projection = Projection(rows.outputs + ownerName, identity: rows.identity)
        let spatial = SpatialFilter(near: near, box: box ?? condition?.requiredBox, area: area)
        let keys = try users.map { user in try Lookup.user(user, visibleTo: viewer, in: session) }
        var select: Select
        if let position = rows.position {
            let located = SpatialSource(spatial, of: rows.table, at: position, dialect: session.dialect)
            var source = located.source
            if id != nil {
                // The index on IDs finds the only row.
                source = "\(raw: rows.table)"
            } else if let window = spatial.window, let owned = rows.owned {
                source = try owned(users.isEmpty ? nil : keys, session).rows(in: window)
            }
            select = Select(
                projection.columns + located.columns,
                from: source,
                joins: rows.joins,
                order: sort.terms(of: rows.table, distance: located.distance, newest: rows.order))
            select.require(all: located.conditions)
            select.require(session.dialect.isInsideOrUnlocated(boxOrUnlocated, at: position))
        } else {
            select = Select(
                projection.columns,
                from: rows.source ?? "\(raw: rows.table)",
                joins: rows.joins,
                order: rows.order)
        }
        for condition in rows.conditions {
            select.require(condition)
        }
        if let id {
            select.require("\(raw: rows.table).external_id = \(.text(id.composed), as: "id")")
        }
        if !users.isEmpty {
            // With a spatial filter, the plus keeps the planner from the index on users: the spatial index selects
            // fewer rows.
            let plus = spatial.window == nil ? "" : "+"
            select.require(.membership(of: "\(raw: plus)\(raw: rows.table).user_id", in: keys, as: "user"))
        }
        if let during, let time = rows.time {
            select.require(try during.condition(onDaysOf: time, in: session))
            select.require(during.condition(time.instant, includesUnknown: true))
        }
        if let condition {
            select.require(try FilterTranslation.condition(condition, over: rows.outputs, session.dialect))
        }
        select.limit = limit
        var shape = projection.shape
        shape.table = rows.textTable
        if page == nil {
            for output in rows.textOutputs {
                shape.textColumns.append(Column(output.name, .text, at: select.columns.count))
                select.columns.append(output)
            }
        }
        var selection = try select.selection(shape.near(near), page: page)
        if page == nil, let order = rows.completeOrder {
            selection.sql = selection.sql.nested(as: "latest", order)
        }
        return selection
    }
}
