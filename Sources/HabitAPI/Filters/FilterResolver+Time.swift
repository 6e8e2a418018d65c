import Base
import HTTPServing
import HabitModel
import HabitStore

/// Temporal functions and literals (OGC 21-065, clauses 6.3.1 and 7.6).
extension FilterResolver {
    func day(_ text: String, at position: Int) throws -> Day {
        guard let day = Day(text) else {
            throw Problem.filter(
                position,
                "'\(text)' is not a date: write \(Queryable.Kind.day.form)")
        }
        return day
    }

    func instant(_ text: String, at position: Int) throws -> Instant {
        guard text.contains("T"), let instant = OffsetInstant(text) else {
            throw Problem.filter(
                position,
                "'\(text)' is not a timestamp: write \(Queryable.Kind.instant.form)")
        }
        return instant.instant
    }

    func temporal(_ relation: TemporalRelation, _ call: FilterCall) throws -> FeatureFilter {
        let operands = try call.operands
        let first = try time(operands.first)
        let second = try time(operands.second)
        if relation.needsIntervals {
            try Self.requireInterval(first, operands.first, for: relation)
            try Self.requireInterval(second, operands.second, for: relation)
        }
        let bounds = first.bounds + second.bounds
        let kinds = Set(bounds.compactMap(\.kind))
        guard kinds.count <= 1 else {
            throw Problem.filter(
                call.position,
                "\(relation.rawValue.uppercased()) compares dates with timestamps: write dates for a date and timestamps for a timestamp"
            )
        }
        return .temporal(relation, first, second)
    }

    private static func requireInterval(
        _ operand: TimeOperand,
        _ node: FilterNode,
        for relation: TemporalRelation
    ) throws {
        guard !operand.isInterval else { return }
        throw Problem.filter(
            node.position,
            "\(relation.rawValue.uppercased()) compares two intervals, and \(node.meaning) is an instant: use T_INTERSECTS, or write INTERVAL"
        )
    }

    private func time(_ node: FilterNode) throws -> TimeOperand {
        switch node.kind {
        case .date(let text):
            let day = try day(text, at: node.position)
            return .instant(.day(day))
        case .timestamp(let text):
            let instant = try instant(text, at: node.position)
            return .instant(.instant(instant))
        case .property(let name):
            let property = try temporalProperty(name, at: node.position)
            return .instant(.property(property))
        case .interval(let begin, let end):
            let begin = try bound(begin)
            let end = try bound(end)
            guard !Self.isReversed(from: begin, to: end) else {
                throw Problem.filter(
                    node.position,
                    "the interval ends before it begins: write the earlier end first")
            }
            return .interval(begin, end)
        default:
            throw Problem.filter(
                node.position,
                "\(node.meaning) is not a time: write a property, DATE('2026-11-20'), TIMESTAMP('2026-11-20T18:00:00Z') or INTERVAL('2026-11-01', '..')"
            )
        }
    }

    /// Whether both ends are known and the second one is earlier.
    private static func isReversed(from begin: TimeBound, to end: TimeBound) -> Bool {
        switch (begin, end) {
        case (.day(let begin), .day(let end)): end < begin
        case (.instant(let begin), .instant(let end)): end < begin
        default: false
        }
    }

    /// Returns an end of an interval: a property, `..`, or a date or a timestamp as a text.
    private func bound(_ node: FilterNode) throws -> TimeBound {
        switch node.kind {
        case .property(let name):
            let property = try temporalProperty(name, at: node.position)
            return .property(property)
        case .text("..", _):
            return .open
        case .text(let text, _), .date(let text), .timestamp(let text):
            guard text.contains("T") else {
                let day = try day(text, at: node.position)
                return .day(day)
            }
            let instant = try instant(text, at: node.position)
            return .instant(instant)
        default:
            throw Problem.filter(
                node.position,
                "\(node.meaning) is not an end of an interval: write '2026-11-20', '..' or a property")
        }
    }

    private func temporalProperty(_ name: String, at position: Int) throws -> Queryable {
        let property = try property(name, at: position)
        guard property.kind == .day || property.kind == .instant else {
            throw Problem.filter(
                position,
                "'\(name)' is neither a date nor a timestamp: use another property")
        }
        return property
    }
}
