import Geo
import StoreEngine

/// The part of a SELECT that restricts the rows of a table to an area: its source, its conditions and its columns.
struct SpatialSource {
    /// The source: the table, or the rows that the spatial index finds.
    let source: SQL
    /// The exact conditions on the position.
    let conditions: [SQL]
    /// The distance from the center of a circle, and the label of the circle.
    let columns: [SelectColumn]
    /// The distance from the center of a circle, or `nil` without a circle.
    let distance: SQL?

    /// Creates the source for a filter.
    ///
    /// - Parameters:
    ///   - filter: The conditions on the position.
    ///   - table: The table.
    ///   - position: The position that the viewer sees, or `nil` for the stored position.
    ///   - dialect: The SQL dialect of the engine.
    init(_ filter: SpatialFilter, of table: String, at position: VisiblePosition? = nil, dialect: any Dialect) {
        let position = position ?? .stored(in: table)
        let point = position.expression
        if let window = filter.window {
            source = dialect.candidates(
                in: window, of: table, column: position.column, orKeys: position.exceptions)
        } else {
            source = "\(raw: table)"
        }
        distance = filter.near.map { near in dialect.distance(from: near.center, to: point) }
        conditions = Self.conditions(filter, on: point, distance: distance, dialect: dialect)
        columns = Self.columns(of: filter.near, distance: distance)
    }

    private static func conditions(
        _ filter: SpatialFilter,
        on point: SQL,
        distance: SQL?,
        dialect: any Dialect
    ) -> [SQL] {
        var conditions: [SQL] = []
        if let box = filter.box {
            conditions.append(box.isWorld ? "\(point) IS NOT NULL" : dialect.isInside(.box(box), point))
        }
        if let area = filter.area {
            conditions.append(dialect.isInside(.area(area, includesBorder: true), point))
        }
        if let near = filter.near, let distance {
            conditions.append("\(distance) <= \(.number(near.distance.meters), as: "meters")")
        }
        return conditions
    }

    private static func columns(of near: Near?, distance: SQL?) -> [SelectColumn] {
        guard let near, let distance else { return [] }
        let column = SelectColumn(ResultShape.distance, distance)
        guard let label = near.label else { return [column] }
        return [column, SelectColumn(label)]
    }
}

extension SelectColumn {
    /// Creates a column that has the value of a label in every row.
    init(_ label: Label) {
        self.init(label.name, "CAST(\(.text(label.value), as: "label") AS TEXT)")
    }
}

extension Dialect {
    /// Returns the condition that a row is inside a box or has no position, without the spatial index.
    ///
    /// - Parameters:
    ///   - box: The box, or `nil` without a condition.
    ///   - position: The position that the viewer sees.
    /// - Returns: The condition, or `nil` if every row meets it.
    func isInsideOrUnlocated(_ box: BoundingBox?, at position: VisiblePosition) -> SQL? {
        guard let box, !box.isWorld else { return nil }
        let point = position.expression
        return "(\(point) IS NULL OR \(isInside(.box(box), point)))"
    }
}
