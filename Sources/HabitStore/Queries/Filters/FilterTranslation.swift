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
    private var bindings: [String: Value] = [:]

    /// Returns the condition for a filter.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - columns: The columns of the list, with the values that the viewer can see.
    ///   - dialect: The SQL dialect of the engine.
    /// - Returns: The condition with its bindings, whose names begin with `filter_`.
    /// - Throws: `parameter-invalid` if the filter has a property that is not a column of the list.
    static func condition(
        _ filter: FeatureFilter, over columns: [OutputColumn], _ dialect: any Dialect
    ) throws -> SQL {
        var translation = FilterTranslation(columns: columns, dialect: dialect)
        let text = try translation.text(filter)
        return SQL("(\(text))", translation.bindings)
    }

    private init(columns: [OutputColumn], dialect: any Dialect) {
        self.columns = columns
        self.dialect = dialect
    }

    // MARK: Conditions

    private mutating func text(_ filter: FeatureFilter) throws -> String {
        switch filter {
        case .constant(let isTrue): return isTrue ? "TRUE" : "FALSE"
        case .all(let filters): return try joined(filters, " AND ")
        case .any(let filters): return try joined(filters, " OR ")
        case .not(let filter): return "NOT (\(try text(filter)))"
        case .comparison(let first, let comparison, let second):
            if comparison == .equal, let keys = try keys(of: first, in: [second]) { return keys }
            return "\(try ordered(first)) \(comparison.rawValue) \(try sql(second))"
        case .like(let value, let pattern): return bound(dialect.matches(try sql(value), pattern, name: nextName))
        case .between(let value, let low, let high):
            let test = "\(try ordered(value)) BETWEEN \(try sql(low)) AND \(try sql(high))"
            return try guarded(test, [value, low, high].compactMap(\.queryable))
        case .membership(let value, let list):
            if let keys = try keys(of: value, in: list) { return keys }
            return "\(try sql(value)) IN (\(try list.map { try sql($0) }.joined(separator: ", ")))"
        case .isNull(let property): return "\(try sql(of: property)) IS NULL"
        case .spatial(let relation, let property, let geometry):
            return spatial(relation, try sql(of: property), geometry)
        case .temporal(let relation, let first, let second): return try temporal(relation, first, second)
        }
    }

    private mutating func joined(_ filters: [FeatureFilter], _ word: String) throws -> String {
        try filters.map { "(\(try text($0)))" }.joined(separator: word)
    }

    /// Returns a condition that is null if one of several properties is null.
    ///
    /// Otherwise a comparison that is false could decide before a comparison that is null.
    private func guarded(_ condition: String, _ properties: [Queryable]) throws -> String {
        guard properties.count > 1 else { return condition }
        return try nullGuarded(condition, properties)
    }

    private func nullGuarded(_ condition: String, _ properties: [Queryable]) throws -> String {
        let present = try properties.map { "\(try sql(of: $0)) IS NOT NULL" }.joined(separator: " AND ")
        return "CASE WHEN \(present) THEN \(condition) END"
    }

    // MARK: Values

    private var nextName: String { "filter_\(bindings.count)" }

    private mutating func bind(_ value: Value) -> String {
        let name = nextName
        bindings[name] = value
        return ":\(name)"
    }

    private mutating func bound(_ sql: SQL) -> String {
        bindings.merge(sql.bindings) { _, new in new }
        return sql.text
    }

    private mutating func sql(_ scalar: FeatureFilter.Scalar) throws -> String {
        switch scalar {
        case .property(let property): try sql(of: property)
        case .folded(let property): try folded(property)
        case .text(let text): bind(.text(text))
        case .number(let number): bind(.number(number))
        case .boolean(let flag): bind(.boolean(flag))
        case .day(let day): bind(.day(day))
        case .instant(let instant): bind(.integer(instant.microseconds))
        }
    }

    /// Returns a value whose comparisons order texts by their bytes.
    private mutating func ordered(_ scalar: FeatureFilter.Scalar) throws -> String {
        let sql = try sql(scalar)
        return scalar.kind == .text || scalar.kind == .day ? dialect.bytewise(sql) : sql
    }

    private func column(_ property: Queryable) throws -> OutputColumn {
        guard let column = columns.first(where: { $0.queryable == property }) else {
            throw HabitError(
                .parameterInvalid, "the list has no property '\(property.name)': use a property of the list",
                field: "filter")
        }
        return column
    }

    private func sql(of property: Queryable) throws -> String {
        switch try column(property).shown {
        // A filter compares the number that the list shows.
        case .expression(let sql, .number(let decimals?)): dialect.rounded(sql, decimals: decimals)
        case .expression(let sql, _), .instant(let sql, _), .position(let sql): sql
        case .isPresent(let stored): "CASE WHEN \(stored) IS NULL THEN 0 ELSE 1 END"
        case .reference(let text, let key): Self.lookup(text.name, text.table, key)
        }
    }

    /// Returns the folded form of a text property.
    private func folded(_ property: Queryable) throws -> String {
        switch try column(property).shown {
        case .expression(let sql, _) where Self.storedFolded.contains(sql): return "\(sql)_folded"
        case .reference(let text, let key) where Self.storedFolded.contains("\(text.table).\(text.name)"):
            return Self.lookup("\(text.name)_folded", text.table, key)
        default: return dialect.folded(try sql(of: property))
        }
    }

    /// The columns whose folded form is stored, in a column with the suffix `_folded`.
    private static let storedFolded: Set<String> = Set(
        RecordKind.allCases.flatMap { kind in
            kind.storedColumns.filter { $0.hasSuffix("_folded") }.map { "\(kind.table).\($0.dropLast(7))" }
        })

    /// Returns a subquery for a column of the row that a key references.
    ///
    /// A habit is stored with its user, so that the condition on the user selects the partition.
    private static func lookup(_ column: String, _ table: String, _ key: String) -> String {
        let user = table == "habit" ? " AND habit.user_id = event.user_id" : ""
        return "(SELECT \(table).\(column) FROM \(table) WHERE \(table).id = \(key)\(user))"
    }

    /// Returns a condition on the key of a referenced row, which an index finds, or `nil` for other operands.
    private mutating func keys(of value: FeatureFilter.Scalar, in list: [FeatureFilter.Scalar]) throws -> String? {
        guard case .property(let property) = value, case .reference(let text, let key) = try column(property).shown
        else { return nil }
        guard list.allSatisfy({ if case .text = $0 { true } else { false } }) else { return nil }
        let values = try list.map { try sql($0) }.joined(separator: ", ")
        return """
            \(key) IN (
              SELECT \(text.table).id FROM \(text.table) WHERE \(text.table).\(text.name) IN (\(values))
            )
            """
    }

    // MARK: Space

    private mutating func spatial(_ relation: SpatialRelation, _ column: String, _ geometry: FilterGeometry) -> String {
        switch (relation, geometry) {
        case (.disjoint, _): return "NOT (\(spatial(.intersects, column, geometry)))"
        case (.within, .box(let box)): return within(box, column)
        case (_, .area(let area)):
            return bound(
                dialect.isInside(
                    area, geometry: column, includesBorder: relation == .intersects, name: nextName))
        case (_, .point), (_, .box):
            guard let box = geometry.box else { return "FALSE" }
            return bound(dialect.isInside(box, geometry: column, prefix: nextName))
        }
    }

    /// Returns the condition that a position is in the interior of a box.
    ///
    /// The interior of a box without width or height is a line without its ends, or a point. A box with all longitudes
    /// has no border in the west and in the east. The longitudes 180 and -180 are the same meridian.
    private mutating func within(_ box: BoundingBox, _ column: String) -> String {
        let (longitude, latitude) = (dialect.longitude(of: column), dialect.latitude(of: column))
        let height = interior(latitude, box.south, box.north)
        if box.west == -180, box.east == 180 { return height }
        // An edge on the meridian is in the hemisphere of the box.
        let hasWidth = abs(box.west) != 180 || abs(box.east) != 180
        guard hasWidth else { return "abs(\(longitude)) = 180 AND \(height)" }
        let west = box.west == 180 ? -180 : box.west
        let east = box.east == -180 ? 180 : box.east
        guard west > east else { return "\(interior(longitude, west, east)) AND \(height)" }
        return "(\(longitude) > \(bind(.number(west))) OR \(longitude) < \(bind(.number(east)))) AND \(height)"
    }

    private mutating func interior(_ value: String, _ low: Double, _ high: Double) -> String {
        guard low < high else { return "\(value) = \(bind(.number(low)))" }
        return "\(value) > \(bind(.number(low))) AND \(value) < \(bind(.number(high)))"
    }

    // MARK: Time

    private mutating func temporal(
        _ relation: TemporalRelation, _ first: TimeOperand, _ second: TimeOperand
    ) throws -> String {
        guard relation != .disjoint else { return "NOT (\(try temporal(.intersects, first, second)))" }
        var tests: [String] = []
        var isFolded = false
        for (left, comparison, right) in relation.terms {
            let (a, b) = (Self.bound(left, first, second), Self.bound(right, first, second))
            if let isTrue = Self.fold(left, a, comparison, right, b) {
                isFolded = true
                if !isTrue { tests.append("FALSE") }
            } else {
                tests.append("\(try ordered(a)) \(comparison.rawValue) \(try sql(b))")
            }
        }
        let condition = tests.isEmpty ? "TRUE" : tests.joined(separator: " AND ")
        let properties = first.properties + second.properties
        guard !properties.isEmpty else { return condition }
        return isFolded ? try nullGuarded(condition, properties) : try guarded(condition, properties)
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

    private mutating func sql(_ bound: TimeBound) throws -> String {
        switch bound {
        case .property(let property): try sql(of: property)
        case .day(let day): bind(.day(day))
        case .instant(let instant): bind(.integer(instant.microseconds))
        case .open: "NULL"
        }
    }

    private mutating func ordered(_ bound: TimeBound) throws -> String {
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

extension SelectBuilder {
    /// Adds the condition of a filter over the columns of the list.
    ///
    /// - Throws: `parameter-invalid` if the filter has a property that is not a column of the list.
    mutating func require(_ filter: FeatureFilter?, over columns: [OutputColumn], _ dialect: any Dialect) throws {
        guard let filter else { return }
        require(try FilterTranslation.condition(filter, over: columns, dialect))
    }
}
