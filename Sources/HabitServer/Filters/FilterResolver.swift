import Base
import Geo
import HabitModel
import HabitStore
import StoreEngine

/// Checks the names and the types of a parsed filter and converts it into a typed condition.
struct FilterResolver {
    /// The properties that the viewer may use in filters.
    let queryables: [Queryable]

    /// Returns the condition for a filter.
    ///
    /// - Throws: ``Problem`` with the position of an unknown property, an unknown operator or a value of another type.
    func condition(_ node: FilterNode) throws -> FeatureFilter {
        switch node.kind {
        case .boolean(let isTrue): return .constant(isTrue)
        case .call(let name, let arguments): return try condition(name, arguments, node)
        case .property(let name):
            _ = try property(name, at: node.position)
            throw Problem.filter(
                node.position, "a property alone is not a condition: compare it, for example with = TRUE or IS NOT NULL"
            )
        default:
            throw Problem.filter(
                node.position, "\(node.meaning) is not a condition: write a comparison such as \(Self.example)")
        }
    }

    private static let example = "day >= DATE('2026-11-01')"

    private func condition(_ name: String, _ arguments: [FilterNode], _ node: FilterNode) throws -> FeatureFilter {
        switch name {
        case "and", "or":
            guard arguments.count >= 2 else { throw Self.wrongCount(node, name, "at least two conditions") }
            let conditions = try arguments.map(condition)
            return name == "and" ? .all(conditions) : .any(conditions)
        case "not": return .not(try condition(try Self.one(arguments, node, name)))
        case "like": return try like(try Self.two(arguments, node, name))
        case "between": return try between(arguments, node)
        case "in": return try membership(try Self.two(arguments, node, name))
        case "isnull":
            let operand = try Self.one(arguments, node, name)
            guard case .property(let property) = operand.kind else {
                throw Problem.filter(operand.position, "IS NULL needs a property, not \(operand.meaning)")
            }
            return .isNull(try self.property(property, at: operand.position))
        default: break
        }
        if let comparison = FeatureFilter.Comparison(rawValue: name) {
            let (first, second) = try Self.two(arguments, node, name)
            let values = try scalars([first, second])
            return .comparison(values[0], comparison, values[1])
        }
        if let relation = SpatialRelation(rawValue: name) {
            return try spatial(relation, try Self.two(arguments, node, name), node)
        }
        if let relation = TemporalRelation(rawValue: name) {
            return try temporal(relation, try Self.two(arguments, node, name), node)
        }
        throw Problem.filter(
            node.position,
            "the operator or function '\(name.uppercased())' is not supported: use comparisons, AND, OR, NOT, LIKE, BETWEEN, IN, IS NULL, CASEI, \(Self.functions)"
        )
    }

    private static let functions =
        (SpatialRelation.allCases.map(\.rawValue) + TemporalRelation.allCases.map(\.rawValue)).map { $0.uppercased() }
        .joined(separator: ", ")

    private static func wrongCount(_ node: FilterNode, _ name: String, _ expected: String) -> Problem {
        .filter(node.position, "the operator '\(name.uppercased())' needs \(expected)")
    }

    private static func one(_ arguments: [FilterNode], _ node: FilterNode, _ name: String) throws -> FilterNode {
        guard arguments.count == 1 else { throw wrongCount(node, name, "one operand") }
        return arguments[0]
    }

    private static func two(
        _ arguments: [FilterNode], _ node: FilterNode, _ name: String
    ) throws -> (FilterNode, FilterNode) {
        guard arguments.count == 2 else { throw wrongCount(node, name, "two operands") }
        return (arguments[0], arguments[1])
    }

    // MARK: Properties

    func property(_ name: String, at position: Int) throws -> Queryable {
        if let property = queryables.first(where: { $0.name == name }) { return property }
        let names = queryables.map(\.name)
        let nearest =
            names.nearestSpelling(to: name).map { "did you mean '\($0)'? " }
            ?? "in \(FilterLanguage.text.rawValue), a text is in single quotes; "
        throw Problem.filter(
            position, "unknown property '\(name)': \(nearest)the properties are \(names.joined(separator: ", "))")
    }

    // MARK: Values

    /// Returns values that can be compared with each other.
    ///
    /// - Throws: ``Problem`` if their types differ.
    private func scalars(_ nodes: [FilterNode]) throws -> [FeatureFilter.Scalar] {
        let values = try nodes.map(scalar)
        for (value, node) in zip(values, nodes).dropFirst() {
            guard values[0].kind.isComparable(with: value.kind) else {
                throw Problem.filter(
                    node.position,
                    "\(nodes[0].meaning) cannot be compared with \(node.meaning): write \(values[0].kind.form)")
            }
        }
        return values
    }

    private func scalar(_ node: FilterNode) throws -> FeatureFilter.Scalar {
        switch node.kind {
        case .text(let text, _): return .text(text.composed)
        case .number(let number): return .number(number)
        case .boolean(let flag): return .boolean(flag)
        case .date(let text): return .day(try day(text, at: node.position))
        case .timestamp(let text): return .instant(try instant(text, at: node.position))
        case .property(let name):
            let property = try property(name, at: node.position)
            guard property.kind != .point else {
                throw Problem.filter(
                    node.position, "'\(name)' is a geometry: use S_INTERSECTS(\(name), BBOX(-9.3, 38.6, -9.0, 38.9))")
            }
            return .property(property)
        case .call("casei", let arguments): return try folded(try Self.one(arguments, node, "casei"))
        case .call("accenti", _):
            throw Problem.filter(node.position, "ACCENTI is not supported: compare the text with its accents")
        case .call(let name, _):
            throw Problem.filter(
                node.position,
                "the function '\(name.uppercased())' is not supported: compare a property, a value or CASEI of a text")
        default: throw Problem.filter(node.position, "\(node.meaning) is not a value of a comparison: write a value")
        }
    }

    private func folded(_ node: FilterNode) throws -> FeatureFilter.Scalar {
        switch try scalar(node) {
        case .text(let text): return .text(text.folded)
        case .property(let property) where property.kind == .text: return .folded(property)
        case .folded(let property): return .folded(property)
        default: throw Problem.filter(node.position, "CASEI needs a text, not \(node.meaning)")
        }
    }

    private func like(_ operands: (FilterNode, FilterNode)) throws -> FeatureFilter {
        let value = try scalar(operands.0)
        guard value.kind == .text else {
            throw Problem.filter(operands.0.position, "LIKE needs a text, not \(operands.0.meaning)")
        }
        return .like(value, TextPattern(like: try pattern(operands.1)))
    }

    /// Returns the text of a pattern in the form in which texts are stored.
    private func pattern(_ node: FilterNode) throws -> String {
        switch node.kind {
        case .text(_, let pattern): return pattern.composed
        case .call("casei", let arguments): return try pattern(try Self.one(arguments, node, "casei")).folded
        default:
            throw Problem.filter(
                node.position, "the pattern of LIKE is not a text: write a text such as 'Run%', or CASEI('run%')")
        }
    }

    private func between(_ arguments: [FilterNode], _ node: FilterNode) throws -> FeatureFilter {
        guard arguments.count == 3 else { throw Self.wrongCount(node, "between", "a value and two ends") }
        let values = try scalars(arguments)
        guard values[0].kind.isComparable(with: .number) else {
            throw Problem.filter(
                arguments[0].position,
                "BETWEEN needs a number, not \(arguments[0].meaning): use >= and <=, or T_INTERSECTS with an INTERVAL")
        }
        return .between(values[0], values[1], values[2])
    }

    private func membership(_ operands: (FilterNode, FilterNode)) throws -> FeatureFilter {
        guard case .list(let list) = operands.1.kind, !list.isEmpty else {
            throw Problem.filter(operands.1.position, "IN needs a list with at least one value")
        }
        let values = try scalars([operands.0] + list)
        return .membership(values[0], Array(values.dropFirst()))
    }
}

extension Queryable.Kind {
    /// An example of a value of the type in the text encoding, for errors.
    var form: String {
        switch self {
        case .text: "a text in single quotes"
        case .integer, .number: "a number"
        case .boolean: "TRUE or FALSE"
        case .day: "DATE('2026-11-20')"
        case .instant: "TIMESTAMP('2026-11-20T18:00:00Z')"
        case .point: "POINT(-9.1393 38.7223)"
        }
    }
}
