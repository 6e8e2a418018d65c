/// A constant column that distinguishes the rows of one query from the rows of other queries.
public struct Label: Sendable, Equatable {
    /// The name of the column.
    public var name: String
    /// The value of the column in every row.
    public var value: String

    /// Creates a label from the name and the value of its column.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
