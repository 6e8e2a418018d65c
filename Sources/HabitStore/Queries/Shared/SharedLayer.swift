import Base
import HabitModel
import StoreEngine

/// A layer of a shared view: the kind of its records and the columns that strangers see.
///
/// A view has no column with another person, with an ID that the store uses, with a photo, or with the time of an event.
package struct SharedLayer: Sendable, Equatable {
    /// The kind of the records.
    package let kind: ViewDefinition.Layer
    /// Whether the records have the current status of their habits.
    package let showsStatus: Bool
    /// The names of the columns that strangers see.
    package let columns: [String]
    /// The shape of the rows: the ID, the columns and the rounded position.
    package let shape: ResultShape

    /// Creates the layer of records of a kind.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - showsStatus: Whether events have the current status of their habits. Other records have no status.
    package init(_ kind: ViewDefinition.Layer, showsStatus: Bool = false) {
        self.kind = kind
        self.showsStatus = showsStatus && kind == .events
        columns = Self.storedColumns(of: kind) + (self.showsStatus ? [HabitStatuses.column] : [])
        shape = Self.shape(of: columns)
    }

    /// The names of the columns that the query of the records has.
    var storedColumns: [String] { Self.storedColumns(of: kind) }

    private static func storedColumns(of kind: ViewDefinition.Layer) -> [String] {
        switch kind {
        case .events: ["title", "day", "outcome", "comment", "amount", "unit"]
        case .posts: ["caption", "posted_at"]
        case .items: ["name", "description", "state", "posted_at", "expires"]
        }
    }

    /// The names of the properties that a point in a tile has.
    package var tileProperties: [String] {
        switch kind {
        case .events: ["id", "title", "day", "outcome"] + (showsStatus ? [HabitStatuses.column] : [])
        case .posts: ["id", "caption"]
        case .items: ["id", "name", "state"]
        }
    }

    /// The column with a title for people.
    package var titleColumn: String {
        columns[0]
    }

    private static func shape(of names: [String]) -> ResultShape {
        var columns = [Column("id", .text, at: 0)]
        var next = 1
        for name in names {
            let value = value(of: name)
            if value == .instant(offset: nil) {
                columns.append(Column(name, .instant(offset: next + 1), at: next))
                next += 2
            } else {
                columns.append(Column(name, value, at: next))
                next += 1
            }
        }
        columns.append(Column("longitude", .longitude, at: next))
        columns.append(Column("latitude", .latitude, at: next))
        var shape = ResultShape(columns: columns, geometry: next, identity: ["id"])
        shape.coordinates = ["longitude", "latitude"]
        return shape
    }

    /// Returns the type of a column.
    private static func value(of column: String) -> Column.Value {
        switch column {
        case "posted_at": .instant(offset: nil)
        case "day", "expires": .day
        case "amount": .number(decimals: nil)
        default: .text
        }
    }
}
