import Geo

/// The SQL fragments that differ between the engines.
public protocol Dialect: Sendable {
    /// Returns a source for FROM with the rows of `table` that can be in a box.
    ///
    /// The source contains every row that the spatial index of a column finds in the box, and possibly a few rows
    /// near it. The table keeps its name in the source.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - table: The table.
    ///   - column: The column of the points, which has a spatial index.
    ///   - keys: SELECTs of the keys of other rows that the source contains too.
    /// - Returns: The source with the bindings of the box.
    func candidates(
        in box: BoundingBox,
        of table: String,
        column: String,
        orKeys keys: [SQL]
    ) -> SQL

    /// Returns a condition that is true if a point is in the box or on its edge.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - point: The column of the point, or an expression for it.
    /// - Returns: The condition.
    func isInside(_ box: BoundingBox, _ point: SQL) -> SQL

    /// Returns a condition that is true if a point is in the area.
    ///
    /// - Parameters:
    ///   - area: The area, in the plane of longitude and latitude.
    ///   - point: The column of the point, or an expression for it.
    ///   - includesBorder: Whether a point on the border is in the area.
    /// - Returns: The condition.
    func isInside(_ area: Area, _ point: SQL, includesBorder: Bool) -> SQL

    /// Returns a condition that is true if the complete text of an expression matches a pattern.
    ///
    /// Case matters. A character is a code point.
    ///
    /// - Parameters:
    ///   - expression: The expression for the text.
    ///   - pattern: The pattern.
    /// - Returns: The condition.
    func matches(_ expression: SQL, _ pattern: TextPattern) -> SQL

    /// Returns an expression for the folded form of a text, which ``HabitModel`` defines as `String.folded`.
    func folded(_ expression: SQL) -> SQL

    /// Returns an expression whose comparisons order texts by their bytes.
    func bytewise(_ expression: SQL) -> SQL

    /// Returns an expression for a number as outputs show it, rounded to a number of decimals.
    ///
    /// The exact binary value is rounded, with ties to even, as in C's `%.*f`.
    ///
    /// - Parameters:
    ///   - expression: The expression for the number, less than 10⁸.
    ///   - decimals: The number of decimals, at most 6.
    /// - Returns: The expression. It is null if the number is null.
    func rounded(_ expression: SQL, decimals: Int) -> SQL

    /// Returns an expression for the distance from a position to a point, in meters on the WGS 84 geodesic.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - point: The column of the point, or an expression for it.
    /// - Returns: The expression, which is null if the point is null.
    func distance(from position: Position, to point: SQL) -> SQL

    /// Returns a source for FROM with the rows of `table` that its search index finds for a text.
    ///
    /// The source has the form of ``candidates(in:of:)``. Use it if no other condition limits the rows.
    ///
    /// - Parameters:
    ///   - text: The folded text to search for.
    ///   - table: The table with the search index.
    /// - Returns: The source and whether all its rows contain the text, or `nil` if the index cannot find the text
    ///   faster.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)?

    /// Returns a condition that is true if a folded text contains another folded text.
    ///
    /// - Parameters:
    ///   - text: The text to search for.
    ///   - column: The column with the text to search.
    /// - Returns: The condition.
    func contains(_ text: String, in column: SQL) -> SQL

    /// Returns a condition that is true if the folded comment of `table` contains `word` (folded) as whole words.
    func containsWord(_ word: String, in table: String) -> SQL

    /// Returns an expression for the longitude of a point, in degrees on WGS 84.
    func longitude(of point: SQL) -> SQL
    /// Returns an expression for the latitude of a point, in degrees on WGS 84.
    func latitude(of point: SQL) -> SQL

    /// The keyword of a JOIN … ON whose left source the engine should read first.
    var orderedJoin: String { get }

    /// A clause that joins the newest `event` of each `habit`.
    var newestEventJoin: String { get }

    /// Returns the text after FROM that selects the events of some habits from `:from_day` on.
    ///
    /// The rows have the name `event`.
    ///
    /// - Parameter keys: The keys of the habits as a SELECT.
    /// - Returns: The source and its conditions.
    func events(ofHabits keys: String) -> String

    /// Returns a SELECT of the keys in a text that consists of decimal numbers, separated by commas.
    ///
    /// - Parameter parameter: The parameter with the text.
    /// - Returns: A SELECT with one column.
    func keys(listedIn parameter: String) -> String

    /// The source `event` for FROM in a query that selects only skipped events of a habit.
    var skippedEvents: String { get }

    /// Returns a source for FROM with the events that have these keys.
    ///
    /// Each key includes the key of the user. The source binds `:event_keys`.
    func events(withKeys keys: [EventKey]) -> SQL

    /// Whether the table `event_map` counts the events of each user by tiles of the map.
    var hasEventMap: Bool { get }

    /// Returns a condition, after AND, that the user of a record is the user of its habit.
    ///
    /// The condition is true for all records of one habit. It selects a partition or a server. It is empty if the engine
    /// does not partition tables by user.
    ///
    /// - Parameters:
    ///   - column: The column `user_id` of a table.
    ///   - user: The user of the habit, as an expression.
    /// - Returns: The condition, or an empty text.
    func andUser(_ column: String, is user: String) -> String

    /// Whether the tables of users' records are distributed over several servers.
    ///
    /// The servers then do not accept a correlated subquery of such a table whose outer table is not one of them.
    var isDistributed: Bool { get }

    /// Whether the foreign keys between tables of users' records include the user.
    ///
    /// A record can then not belong to another user than its habit.
    var hasUserInForeignKeys: Bool { get }

    /// The number of habits whose events one statement should read.
    ///
    /// The value is 1 if a statement costs no more than a lookup.
    var habitsAtOnce: Int { get }

    /// The number of viewers whose rows one statement should read.
    ///
    /// The value is 1 if a statement for each viewer does not cost more.
    var viewersAtOnce: Int { get }

    /// The end of a SELECT that the engine must evaluate before it applies conditions from outside.
    ///
    /// Without it, a function that fails on a row could be called for a row that the SELECT excludes.
    var optimizationFence: String { get }
}

/// The key of an event and the key of its user.
///
/// Some engines partition events by user.
public struct EventKey: Sendable, Hashable {
    /// The key of the event.
    package var event: Int64
    /// The key of the account that owns the event.
    package var user: Int64

    /// Creates a key from the keys of an event and its user.
    package init(event: Int64, user: Int64) {
        self.event = event
        self.user = user
    }
}

extension Dialect {
    /// Returns `false`.
    package var hasEventMap: Bool { false }

    /// Returns `false`.
    package var isDistributed: Bool { false }

    /// Returns `false`.
    package var hasUserInForeignKeys: Bool { false }

    /// Returns 1.
    package var viewersAtOnce: Int { 1 }

    /// Returns the table `event`.
    package var skippedEvents: String { "event" }

    /// Returns a SELECT that parses the text as JSON.
    package func keys(listedIn parameter: String) -> String {
        "SELECT value FROM json_each('[' || \(parameter) || ']')"
    }

    /// Returns the events of the habits by a condition on `habit_id` and `day`.
    package func events(ofHabits keys: String) -> String {
        "event\nWHERE event.habit_id IN (\(keys)) AND event.day >= :from_day"
    }
}
