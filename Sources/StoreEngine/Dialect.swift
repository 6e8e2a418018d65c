import Geo

/// The SQL fragments that differ between the engines.
public protocol Dialect: Sendable {
    /// The properties of the engine on which the form of a query depends.
    var traits: EngineTraits { get }

    // MARK: Sources

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

    /// Returns a source for FROM with the rows of `table` that its search index finds for a text.
    ///
    /// The source has the form of ``candidates(in:of:column:orKeys:)``. Use it if no other condition limits the rows.
    ///
    /// - Parameters:
    ///   - text: The folded text to search for.
    ///   - table: The table with the search index.
    /// - Returns: The source and whether all its rows contain the text, or `nil` if the index cannot find the text
    ///   faster.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)?

    /// Returns a source for FROM with the rows of `table` that have these keys.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - keys: The keys of the rows and of their partitions.
    /// - Returns: The source, which binds the keys as `:row_keys`.
    func rows(of table: String, withKeys keys: [RowKey]) -> SQL

    // MARK: Conditions

    /// Returns a condition that is true if a point is in a region of the plane of longitude and latitude.
    ///
    /// - Parameters:
    ///   - region: The region.
    ///   - point: The column of the point, or an expression for it.
    /// - Returns: The condition.
    func isInside(_ region: SpatialRegion, _ point: SQL) -> SQL

    /// Returns a condition that is true if the complete text of an expression matches a pattern.
    ///
    /// Case matters. A character is a code point.
    ///
    /// - Parameters:
    ///   - expression: The expression for the text.
    ///   - pattern: The pattern.
    /// - Returns: The condition.
    func matches(_ expression: SQL, _ pattern: TextPattern) -> SQL

    /// Returns a condition that is true if a folded text contains the text or the words of a search.
    ///
    /// - Parameters:
    ///   - search: The folded text or words to search for.
    ///   - column: The column with the folded text. A search for words needs the column of the search index.
    ///   - table: The table with the column.
    ///   - usesIndex: Whether the planner may find the rows by the search index. A search for words ignores it.
    /// - Returns: The condition.
    func contains(_ search: TextSearch, in column: String, of table: String, usesIndex: Bool) -> SQL

    // MARK: Expressions

    /// Returns an expression for the folded form of a text, which the module `Base` defines as `String.folded`.
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

    /// Returns expressions for the coordinates of a point, in degrees on WGS 84.
    func coordinates(of point: SQL) -> CoordinatesSQL
}

/// A region of the plane of longitude and latitude.
public enum SpatialRegion: Sendable {
    /// A box with its edges.
    case box(BoundingBox)
    /// An area with or without its border.
    case area(Area, includesBorder: Bool)
}

/// A search in a folded text.
public enum TextSearch: Sendable {
    /// A folded text at any position.
    case text(String)
    /// A folded text that begins and ends at the borders of words.
    case words(String)
}

/// Expressions for the coordinates of a point, in degrees on WGS 84.
public struct CoordinatesSQL: Sendable {
    /// The expression for the longitude.
    package let longitude: SQL
    /// The expression for the latitude.
    package let latitude: SQL

    /// Creates the coordinates from their expressions.
    package init(longitude: SQL, latitude: SQL) {
        self.longitude = longitude
        self.latitude = latitude
    }
}

/// The key of a row and the key of its partition.
public struct RowKey: Sendable, Hashable {
    /// The key of the row.
    package let key: Int64
    /// The value of the partition's column in the row, which an engine without partitions does not use.
    package let partition: Int64

    /// Creates a key from the keys of a row and its partition.
    package init(_ key: Int64, partition: Int64) {
        self.key = key
        self.partition = partition
    }
}
