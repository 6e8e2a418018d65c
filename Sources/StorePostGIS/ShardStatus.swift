import StoreEngine

/// What is known of a shard.
public struct ShardStatus: Sendable {
    /// The number of the shard, from 0.
    public var number: Int
    /// Host, port and database.
    public var place: String
    /// Nil where it does not answer.
    public var contents: (events: Int64, posts: Int64, bytes: Int64)?
    /// Why it cannot be used; nil where it can.
    public var problem: String?

    /// The columns of a row with the status of a shard.
    public static let shape = ResultShape(
        columns: [
            Column("shard", .integer, at: 0), Column("place", .text, at: 1), Column("events", .integer, at: 2),
            Column("posts", .integer, at: 3), Column("bytes", .integer, at: 4), Column("status", .text, at: 5),
        ],
        identity: ["shard"])

    /// The status as a row of ``shape``.
    public var row: ValueRow {
        ValueRow([
            .integer(Int64(number)), .text(place), .integer(contents?.events), .integer(contents?.posts),
            .integer(contents?.bytes), .text(problem ?? "ok"),
        ])
    }
}
