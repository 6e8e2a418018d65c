import Base
import Geo
import HabitModel
import StoreEngine

/// The translation of a filter into a SQL condition.
///
/// The text of the condition consists of fixed fragments and of the expressions of the list's columns. Every value of the
/// filter is bound.
struct FilterTranslation {
    private let columns: [OutputColumn]
    private let dialect: any Dialect

    /// Returns the condition for a filter.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - columns: The columns of the list, with the values that the viewer can see.
    ///   - dialect: The SQL dialect of the engine.
    /// - Returns: The condition.
    /// - Throws: `parameter-invalid` if the filter has a property that is not a column of the list.
    static func condition(
        _ filter: FeatureFilter, over columns: [OutputColumn], _ dialect: any Dialect
    ) throws -> SQL {
        "(\(try FilterTranslation(columns: columns, dialect: dialect).sql(filter)))"
    }

    private init(columns: [OutputColumn], dialect: any Dialect) {
        self.columns = columns
        self.dialect = dialect
    }

    // MARK: Conditions

    private func sql(_ filter: FeatureFilter) throws -> SQL {
        switch filter {
        case .constant(let isTrue): return isTrue ? "TRUE" : "FALSE"
        case .all(let filters): return try joined(filters, by: " AND ")
        case .any(let filters): return try joined(filters, by: " OR ")
        case .not(let filter): return "NOT (\(try sql(filter)))"
        case .comparison(let first, let comparison, let second):
            if comparison == .equal, let keys = try keys(of: first, in: [second]) { return keys }
            return "\(try ordered(first)) \(raw: comparison.rawValue) \(try sql(second))"
        case .like(let value, let pattern):
            return dialect.matches(try sql(value), pattern)
        case .between(let value, let low, let high):
            let test: SQL = "\(try ordered(value)) BETWEEN \(try sql(low)) AND \(try sql(high))"
            return try guarded(test, by: [value, low, high].compactMap(\.queryable))
        case .membership(let value, let list):
            if let keys = try keys(of: value, in: list) { return keys }
            let values = try list.map { item in try sql(item) }
            return "\(try sql(value)) IN (\(values.joined(separator: ", ")))"
        case .isNull(let property):
            return "\(try sql(of: property)) IS NULL"
        case .spatial(let relation, let property, let geometry):
            return spatial(relation, try sql(of: property), geometry)
        case .temporal(let relation, let first, let second):
            return try temporal(relation, first, second)
        }
    }

    private func joined(_ filters: [FeatureFilter], by word: String) throws -> SQL {
        try filters.map { filter -> SQL in "(\(try sql(filter)))" }.joined(separator: word)
    }

    /// Returns a condition that is null if one of several properties is null.
    ///
    /// Otherwise a comparison that is false could decide before a comparison that is null.
    private func guarded(_ condition: SQL, by properties: [Queryable]) throws -> SQL {
        guard properties.count > 1 else { return condition }
        return try nullGuarded(condition, by: properties)
    }

    private func nullGuarded(_ condition: SQL, by properties: [Queryable]) throws -> SQL {
        let present = try properties.map { property -> SQL in "\(try sql(of: property)) IS NOT NULL" }
        return "CASE WHEN \(present.joined(separator: " AND ")) THEN \(condition) END"
    }

    // MARK: Values

    /// The name of every parameter of a filter.
    private static let name = "filter"

    private func sql(_ scalar: FeatureFilter.Scalar) throws -> SQL {
        switch scalar {
        case .property(let property): try sql(of: property)
        case .folded(let property): try folded(property)
        case .text(let text): "\(.text(text), as: Self.name)"
        case .number(let number): "\(.number(number), as: Self.name)"
        case .boolean(let flag): "\(.boolean(flag), as: Self.name)"
        case .day(let day): "\(.day(day), as: Self.name)"
        case .instant(let instant): "\(.integer(instant.microseconds), as: Self.name)"
        }
    }

    /// Returns a value whose comparisons order texts by their bytes.
    private func ordered(_ scalar: FeatureFilter.Scalar) throws -> SQL {
        let value = try sql(scalar)
        return scalar.kind == .text || scalar.kind == .day ? dialect.bytewise(value) : value
    }

    private func column(_ property: Queryable) throws -> OutputColumn {
        guard let column = columns.first(where: { $0.queryable == property }) else {
            throw HabitError(
                .parameterInvalid, "the list has no property '\(property.name)': use a property of the list",
                field: "filter")
        }
        return column
    }

    private func sql(of property: Queryable) throws -> SQL {
        switch try column(property).shown {
        // A filter compares the number that the list shows.
        case .expression(let sql, .number(let decimals?)): dialect.rounded(sql, decimals: decimals)
        case .expression(let sql, _), .instant(let sql, _), .position(let sql): sql
        case .isPresent(let stored): "CASE WHEN \(stored) IS NULL THEN 0 ELSE 1 END"
        case .reference(let text, let key): Self.lookup(text, key: key)
        }
    }

    /// Returns the folded form of a text property.
    private func folded(_ property: Queryable) throws -> SQL {
        switch try column(property).folded {
        case .expression(let sql, _)?: sql
        case .reference(let text, let key)?: Self.lookup(text, key: key)
        default: dialect.folded(try sql(of: property))
        }
    }

    /// Returns a subquery for a column of the row that a key references.
    ///
    /// A habit is stored with its user, so that the condition on the user selects the partition.
    private static func lookup(_ text: TextColumn, key: SQL) -> SQL {
        let table: SQL = "\(raw: text.table)"
        let ofUser: SQL = text.table == "habit" ? " AND habit.user_id = event.user_id" : ""
        return "(SELECT \(text.sql) FROM \(table) WHERE \(table).id = \(key)\(ofUser))"
    }

    /// Returns a condition on the key of a referenced row, which an index finds, or `nil` for other operands.
    private func keys(of value: FeatureFilter.Scalar, in list: [FeatureFilter.Scalar]) throws -> SQL? {
        guard case .property(let property) = value, case .reference(let text, let key) = try column(property).shown
        else { return nil }
        guard list.allSatisfy({ item in if case .text = item { true } else { false } }) else { return nil }
        let values = try list.map { item in try sql(item) }.joined(separator: ", ")
        return """
            \(key) IN (
              SELECT \(raw: text.table).id FROM \(raw: text.table) WHERE \(text.sql) IN (\(values))
            )
            """
    }

    // MARK: Space

    private func spatial(_ relation: SpatialRelation, _ point: SQL, _ geometry: FilterGeometry) -> SQL {
        switch (relation, geometry) {
        case (.disjoint, _): return "NOT (\(spatial(.intersects, point, geometry)))"
        case (.within, .box(let box)): return within(box, point)
        case (_, .area(let area)):
            return dialect.isInside(area, point, includesBorder: relation == .intersects)
        case (_, .point), (_, .box):
            guard let box = geometry.box else { return "FALSE" }
            return dialect.isInside(box, point)
        }
    }

    /// Returns the condition that a position is in the interior of a box.
    ///
    /// The interior of a box without width or height is a line without its ends, or a point. A box with all longitudes
    /// has no border in the west and in the east. The longitudes 180 and -180 are the same meridian.
    private func within(_ box: BoundingBox, _ point: SQL) -> SQL {
        let longitude = dialect.longitude(of: point)
        let height = interior(dialect.latitude(of: point), from: box.south, to: box.north)
        if box.west == -180, box.east == 180 { return height }
        // An edge on the meridian is in the hemisphere of the box.
        let hasWidth = abs(box.west) != 180 || abs(box.east) != 180
        guard hasWidth else { return "abs(\(longitude)) = 180 AND \(height)" }
        let west = box.west == 180 ? -180 : box.west
        let east = box.east == -180 ? 180 : box.east
        guard west > east else { return "\(interior(longitude, from: west, to: east)) AND \(height)" }
        let eastward: SQL = "\(longitude) > \(.number(west), as: Self.name)"
        let westward: SQL = "\(longitude) < \(.number(east), as: Self.name)"
        return "(\(eastward) OR \(westward)) AND \(height)"
    }

    private func interior(_ value: SQL, from low: Double, to high: Double) -> SQL {
        let lowest: SQL = "\(.number(low), as: Self.name)"
        guard low < high else { return "\(value) = \(lowest)" }
        return "\(value) > \(lowest) AND \(value) < \(.number(high), as: Self.name)"
    }

    // MARK: Time

    private func temporal(_ relation: TemporalRelation, _ first: TimeOperand, _ second: TimeOperand) throws -> SQL {
        guard relation != .disjoint else { return "NOT (\(try temporal(.intersects, first, second)))" }
        var tests: [SQL] = []
        var isFolded = false
        for (left, comparison, right) in relation.terms {
            let (a, b) = (Self.bound(left, first, second), Self.bound(right, first, second))
            if let isTrue = Self.fold(left, a, comparison, right, b) {
                isFolded = true
                if !isTrue { tests.append("FALSE") }
            } else {
                tests.append("\(try ordered(a)) \(raw: comparison.rawValue) \(try sql(b))")
            }
        }
        let condition = tests.isEmpty ? "TRUE" : tests.joined(separator: " AND ")
        let properties = first.properties + second.properties
        guard !properties.isEmpty else { return condition }
        return isFolded ? try nullGuarded(condition, by: properties) : try guarded(condition, by: properties)
    }

    private static func bound(
        _ side: TemporalRelation.Side, _ first: TimeOperand, _ second: TimeOperand
    ) -> TimeBound {
        switch side {
        case .b1: first.begin
        case .e1: first.end
        case .b2: second.begin
        case .e2: second.end
        }
    }

    /// Returns the result of a comparison with an open end, or `nil` if neither end is open.
    private static func fold(
        _ left: TemporalRelation.Side, _ a: TimeBound, _ comparison: FeatureFilter.Comparison,
        _ right: TemporalRelation.Side, _ b: TimeBound
    ) -> Bool? {
        guard a == .open || b == .open else { return nil }
        func rank(_ side: TemporalRelation.Side, _ bound: TimeBound) -> Int {
            guard bound == .open else { return 0 }
            return side == .b1 || side == .b2 ? -1 : 1
        }
        let (x, y) = (rank(left, a), rank(right, b))
        switch comparison {
        case .equal: return x == y
        case .notEqual: return x != y
        case .less: return x < y
        case .greater: return x > y
        case .lessOrEqual: return x <= y
        case .greaterOrEqual: return x >= y
        }
    }

    private func sql(_ bound: TimeBound) throws -> SQL {
        switch bound {
        case .property(let property): try sql(of: property)
        case .day(let day): "\(.day(day), as: Self.name)"
        case .instant(let instant): "\(.integer(instant.microseconds), as: Self.name)"
        case .open: "NULL"
        }
    }

    private func ordered(_ bound: TimeBound) throws -> SQL {
        let sql = try sql(bound)
        return bound.kind == .day ? dialect.bytewise(sql) : sql
    }
}

extension FeatureFilter.Scalar {
    fileprivate var queryable: Queryable? {
        switch self {
        case .property(let property), .folded(let property): property
        default: nil
        }
    }
}
