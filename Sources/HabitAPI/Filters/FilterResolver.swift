import Base
import Geo
import HTTPServing
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
        case .boolean(let isTrue):
            return .constant(isTrue)
        case .call(let name, let arguments):
            let call = FilterCall(name: name, arguments: arguments, position: node.position)
            return try condition(of: call)
        case .property(let name):
            _ = try property(name, at: node.position)
            throw Problem.filter(
                node.position,
                "a property alone is not a condition: compare it, for example with = TRUE or IS NOT NULL")
        default:
            throw Problem.filter(
                node.position,
                "\(node.meaning) is not a condition: write a comparison such as \(Self.example)")
        }
    }

    private static let example = "day >= DATE('2026-11-01')"

    private func condition(of call: FilterCall) throws -> FeatureFilter {
        switch call.name {
        case "and":
            return .all(try conditions(of: call))
        case "or":
            return .any(try conditions(of: call))
        case "not":
            let inside = try condition(try call.operand)
            return .not(inside)
        case "like":
            return try like(try call.operands)
        case "between":
            return try between(call)
        case "in":
            return try membership(try call.operands)
        case "isnull":
            return try isNull(try call.operand)
        default:
            return try relation(of: call)
        }
    }

    private func conditions(of call: FilterCall) throws -> [FeatureFilter] {
        guard call.arguments.count >= 2 else { throw call.needs("at least two conditions") }
        return try call.arguments.map(condition)
    }

    private func isNull(_ operand: FilterNode) throws -> FeatureFilter {
        guard case .property(let name) = operand.kind else {
            throw Problem.filter(
                operand.position,
                "IS NULL needs a property, not \(operand.meaning)")
        }
        let property = try property(name, at: operand.position)
        return .isNull(property)
    }

    /// Returns the condition of a comparison operator, a spatial function or a temporal function.
    private func relation(of call: FilterCall) throws -> FeatureFilter {
        if let comparison = FeatureFilter.Comparison(rawValue: call.name) {
            let operands = try call.operands
            let values = try scalars([operands.first, operands.second])
            return .comparison(values[0], comparison, values[1])
        }
        if let relation = SpatialRelation(rawValue: call.name) {
            return try spatial(relation, call)
        }
        if let relation = TemporalRelation(rawValue: call.name) {
            return try temporal(relation, call)
        }
        throw Problem.filter(
            call.position,
            "the operator or function '\(call.name.uppercased())' is not supported: use comparisons, AND, OR, NOT, LIKE, BETWEEN, IN, IS NULL, CASEI, \(Self.functions)"
        )
    }

    /// The names of the spatial and temporal functions, for errors.
    private static var functions: String {
        let spatial = SpatialRelation.allCases.map(\.rawValue)
        let temporal = TemporalRelation.allCases.map(\.rawValue)
        return (spatial + temporal).joined(separator: ", ").uppercased()
    }

    // MARK: Properties

    func property(_ name: String, at position: Int) throws -> Queryable {
        if let property = queryables.first(where: { property in property.name == name }) {
            return property
        }
        let names = queryables.map(\.name)
        let hint =
            if let nearest = names.nearestSpelling(to: name) {
                "did you mean '\(nearest)'? "
            } else {
                "in \(FilterLanguage.text.rawValue), a text is in single quotes; "
            }
        throw Problem.filter(
            position,
            "unknown property '\(name)': \(hint)the properties are \(names.joined(separator: ", "))")
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
        case .text(let text, _):
            return .text(text.composed)
        case .number(let number):
            return .number(number)
        case .boolean(let flag):
            return .boolean(flag)
        case .date(let text):
            let day = try day(text, at: node.position)
            return .day(day)
        case .timestamp(let text):
            let instant = try instant(text, at: node.position)
            return .instant(instant)
        case .property(let name):
            return try scalar(ofProperty: name, at: node.position)
        case .call(let name, let arguments):
            let call = FilterCall(name: name, arguments: arguments, position: node.position)
            return try scalar(of: call)
        default:
            throw Problem.filter(
                node.position,
                "\(node.meaning) is not a value of a comparison: write a value")
        }
    }

    private func scalar(ofProperty name: String, at position: Int) throws -> FeatureFilter.Scalar {
        let property = try property(name, at: position)
        guard property.kind != .point else {
            throw Problem.filter(
                position,
                "'\(name)' is a geometry: use S_INTERSECTS(\(name), BBOX(-9.3, 38.6, -9.0, 38.9))")
        }
        return .property(property)
    }

    private func scalar(of call: FilterCall) throws -> FeatureFilter.Scalar {
        switch call.name {
        case "casei":
            return try folded(try call.operand)
        case "accenti":
            throw Problem.filter(
                call.position,
                "ACCENTI is not supported: compare the text with its accents")
        default:
            throw Problem.filter(
                call.position,
                "the function '\(call.name.uppercased())' is not supported: compare a property, a value or CASEI of a text"
            )
        }
    }

    private func folded(_ node: FilterNode) throws -> FeatureFilter.Scalar {
        switch try scalar(node) {
        case .text(let text):
            return .text(text.folded)
        case .property(let property) where property.kind == .text:
            return .folded(property)
        case .folded(let property):
            return .folded(property)
        default:
            throw Problem.filter(
                node.position,
                "CASEI needs a text, not \(node.meaning)")
        }
    }

    private func like(_ operands: FilterCall.Operands) throws -> FeatureFilter {
        let value = try scalar(operands.first)
        guard value.kind == .text else {
            throw Problem.filter(
                operands.first.position,
                "LIKE needs a text, not \(operands.first.meaning)")
        }
        let pattern = try pattern(operands.second)
        return .like(value, TextPattern(like: pattern))
    }

    /// Returns the text of a pattern in the form in which texts are stored.
    private func pattern(_ node: FilterNode) throws -> String {
        switch node.kind {
        case .text(_, let pattern):
            return pattern.composed
        case .call("casei", let arguments):
            let call = FilterCall(name: "casei", arguments: arguments, position: node.position)
            return try pattern(try call.operand).folded
        default:
            throw Problem.filter(
                node.position,
                "the pattern of LIKE is not a text: write a text such as 'Run%', or CASEI('run%')")
        }
    }

    private func between(_ call: FilterCall) throws -> FeatureFilter {
        guard call.arguments.count == 3 else { throw call.needs("a value and two ends") }
        let values = try scalars(call.arguments)
        guard values[0].kind.isComparable(with: .number) else {
            let value = call.arguments[0]
            throw Problem.filter(
                value.position,
                "BETWEEN needs a number, not \(value.meaning): use >= and <=, or T_INTERSECTS with an INTERVAL")
        }
        return .between(values[0], values[1], values[2])
    }

    private func membership(_ operands: FilterCall.Operands) throws -> FeatureFilter {
        guard case .list(let list) = operands.second.kind, !list.isEmpty else {
            throw Problem.filter(
                operands.second.position,
                "IN needs a list with at least one value")
        }
        let values = try scalars([operands.first] + list)
        return .membership(values[0], Array(values.dropFirst()))
    }
}

/// An operator or a function of a filter with its arguments.
struct FilterCall {
    /// The name in lower case.
    let name: String
    let arguments: [FilterNode]
    /// The position of the call in the filter, from 1.
    let position: Int

    /// Two operands.
    struct Operands {
        let first: FilterNode
        let second: FilterNode
    }

    /// The only operand.
    var operand: FilterNode {
        get throws {
            guard arguments.count == 1 else { throw needs("one operand") }
            return arguments[0]
        }
    }

    /// The two operands.
    var operands: Operands {
        get throws {
            guard arguments.count == 2 else { throw needs("two operands") }
            return Operands(first: arguments[0], second: arguments[1])
        }
    }

    /// Returns the problem of a call with another number of operands.
    func needs(_ expected: String) -> Problem {
        .filter(position, "the operator '\(name.uppercased())' needs \(expected)")
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
