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
        _ filter: FeatureFilter,
        over columns: [OutputColumn],
        _ dialect: any Dialect
    ) throws -> SQL {
        let translation = FilterTranslation(columns: columns, dialect: dialect)
        return "(\(try translation.sql(filter)))"
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
            if comparison == .equal, let keys = try keys(of: first, in: [second]) {
                return keys
            }
            let left = try ordered(first)
            let right = try sql(second)
            return "\(left) \(raw: comparison.rawValue) \(right)"
        case .like(let value, let pattern):
            return dialect.matches(try sql(value), pattern)
        case .between(let value, let low, let high):
            let middle = try ordered(value)
            let lowest = try sql(low)
            let highest = try sql(high)
            let operands = [value, low, high]
            return try guarded(
                "\(middle) BETWEEN \(lowest) AND \(highest)",
                by: operands.compactMap(\.queryable))
        case .membership(let value, let list):
            if let keys = try keys(of: value, in: list) {
                return keys
            }
            let values = try values(of: list)
            return "\(try sql(value)) IN (\(values))"
        case .isNull(let property):
            return "\(try sql(of: property)) IS NULL"
        case .spatial(let relation, let property, let geometry):
            let point = try sql(of: property)
            return spatial(relation, of: point, to: geometry)
        case .temporal(let relation, let first, let second):
            return try temporal(relation, of: first, to: second)
        }
    }

    private func values(of list: [FeatureFilter.Scalar]) throws -> SQL {
        let values = try list.map { item in try sql(item) }
        return values.joined(separator: ", ")
    }

    private func joined(_ filters: [FeatureFilter], by word: String) throws -> SQL {
        let conditions = try filters.map { filter -> SQL in
            "(\(try sql(filter)))"
        }
        return conditions.joined(separator: word)
    }

    /// Returns a condition that is null if one of several properties is null.
    ///
    /// Otherwise a comparison that is false could decide before a comparison that is null.
    private func guarded(_ condition: SQL, by properties: [Queryable]) throws -> SQL {
        guard properties.count > 1 else { return condition }
        return try nullGuarded(condition, by: properties)
    }

    private func nullGuarded(_ condition: SQL, by properties: [Queryable]) throws -> SQL {
        let tests = try properties.map { property -> SQL in
            "\(try sql(of: property)) IS NOT NULL"
        }
        let present = tests.joined(separator: " AND ")
        return "CASE WHEN \(present) THEN \(condition) END"
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
        switch scalar.kind {
        case .text, .day: return dialect.bytewise(value)
        default: return value
        }
    }

    private func column(_ property: Queryable) throws -> OutputColumn {
        guard let column = columns.first(where: { $0.queryable == property }) else {
            throw HabitError(
                .parameterInvalid,
                "the list has no property '\(property.name)': use a property of the list",
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
        guard case .property(let property) = value else {
            return nil
        }
        guard case .reference(let text, let key) = try column(property).shown else {
            return nil
        }
        guard list.allSatisfy(\.isLiteralText) else {
            return nil
        }
        let values = try values(of: list)
        return """
            \(key) IN (
              SELECT \(raw: text.table).id FROM \(raw: text.table) WHERE \(text.sql) IN (\(values))
            )
            """
    }

    // MARK: Space

    private func spatial(
        _ relation: SpatialRelation,
        of point: SQL,
        to geometry: FilterGeometry
    ) -> SQL {
        switch (relation, geometry) {
        case (.disjoint, _):
            let opposite = spatial(.intersects, of: point, to: geometry)
            return "NOT (\(opposite))"
        case (.within, .box(let box)):
            return within(box, point)
        case (_, .area(let area)):
            let includesBorder = relation == .intersects
            return dialect.isInside(.area(area, includesBorder: includesBorder), point)
        case (_, .point), (_, .box):
            guard let box = geometry.box else { return "FALSE" }
            return dialect.isInside(.box(box), point)
        }
    }

    /// Returns the condition that a position is in the interior of a box.
    ///
    /// The interior of a box without width or height is a line without its ends, or a point. A box with all longitudes
    /// has no border in the west and in the east. The longitudes 180 and -180 are the same meridian.
    private func within(_ box: BoundingBox, _ point: SQL) -> SQL {
        let coordinates = dialect.coordinates(of: point)
        let longitude = coordinates.longitude
        let latitude = coordinates.latitude
        let height = interior(latitude, from: box.south, to: box.north)
        if box.west == -180, box.east == 180 {
            return height
        }
        // An edge on the meridian is in the hemisphere of the box.
        let hasWidth = abs(box.west) != 180 || abs(box.east) != 180
        guard hasWidth else {
            return "abs(\(longitude)) = 180 AND \(height)"
        }
        let west = box.west == 180 ? -180 : box.west
        let east = box.east == -180 ? 180 : box.east
        guard west > east else {
            let width = interior(longitude, from: west, to: east)
            return "\(width) AND \(height)"
        }
        let eastward: SQL = "\(longitude) > \(.number(west), as: Self.name)"
        let westward: SQL = "\(longitude) < \(.number(east), as: Self.name)"
        return "(\(eastward) OR \(westward)) AND \(height)"
    }

    private func interior(_ value: SQL, from low: Double, to high: Double) -> SQL {
        let lowest: SQL = "\(.number(low), as: Self.name)"
        guard low < high else {
            return "\(value) = \(lowest)"
        }
        let highest: SQL = "\(.number(high), as: Self.name)"
        return "\(value) > \(lowest) AND \(value) < \(highest)"
    }

    // MARK: Time

    private func temporal(
        _ relation: TemporalRelation,
        of first: TimeOperand,
        to second: TimeOperand
    ) throws -> SQL {
        guard relation != .disjoint else {
            let opposite = try temporal(.intersects, of: first, to: second)
            return "NOT (\(opposite))"
        }
        var tests: [SQL] = []
        var isFolded = false
        for term in relation.terms {
            if let isTrue = Self.fold(term, of: first, to: second) {
                isFolded = true
                if !isTrue {
                    tests.append("FALSE")
                }
            } else {
                let left = try ordered(first[term.first])
                let right = try sql(second[term.second])
                tests.append("\(left) \(raw: term.comparison.rawValue) \(right)")
            }
        }
        let condition = tests.isEmpty ? "TRUE" : tests.joined(separator: " AND ")
        let properties = first.properties + second.properties
        guard !properties.isEmpty else {
            return condition
        }
        if isFolded {
            return try nullGuarded(condition, by: properties)
        }
        return try guarded(condition, by: properties)
    }

    /// Returns the result of a comparison with an open end, or `nil` if neither end is open.
    private static func fold(
        _ term: TemporalRelation.Term,
        of first: TimeOperand,
        to second: TimeOperand
    ) -> Bool? {
        let firstBound = first[term.first]
        let secondBound = second[term.second]
        guard firstBound == .open || secondBound == .open else {
            return nil
        }
        let left = rank(of: firstBound, at: term.first)
        let right = rank(of: secondBound, at: term.second)
        switch term.comparison {
        case .equal: return left == right
        case .notEqual: return left != right
        case .less: return left < right
        case .greater: return left > right
        case .lessOrEqual: return left <= right
        case .greaterOrEqual: return left >= right
        }
    }

    /// Returns a number that orders an open end before or after all other ends, whose rank is 0.
    private static func rank(of bound: TimeBound, at end: TemporalRelation.Term.End) -> Int {
        guard bound == .open else {
            return 0
        }
        switch end {
        case .begin: return -1
        case .end: return 1
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

    fileprivate var isLiteralText: Bool {
        if case .text = self {
            return true
        }
        return false
    }
}
