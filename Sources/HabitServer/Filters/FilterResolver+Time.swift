import Base
import HabitModel
import HabitStore

/// Temporal functions and literals (OGC 21-065, clauses 6.3.1 and 7.6).
extension FilterResolver {
    func day(_ text: String, at position: Int) throws -> Day {
        guard let day = Day(text) else {
            throw Problem.filter(position, "'\(text)' is not a date: write \(Queryable.Kind.day.form)")
        }
        return day
    }

    func instant(_ text: String, at position: Int) throws -> Instant {
        guard text.contains("T"), let instant = OffsetInstant(text) else {
            throw Problem.filter(position, "'\(text)' is not a timestamp: write \(Queryable.Kind.instant.form)")
        }
        return instant.instant
    }

    func temporal(
        _ relation: TemporalRelation, _ operands: (FilterNode, FilterNode), _ node: FilterNode
    ) throws -> FeatureFilter {
        let (first, second) = (try time(operands.0), try time(operands.1))
        for (operand, node) in [(first, operands.0), (second, operands.1)]
        where relation.needsIntervals && !operand.isInterval {
            throw Problem.filter(
                node.position,
                "\(relation.rawValue.uppercased()) compares two intervals, and \(node.meaning) is an instant: use T_INTERSECTS, or write INTERVAL"
            )
        }
        let kinds = Set((first.bounds + second.bounds).compactMap(\.kind))
        guard kinds.count <= 1 else {
            throw Problem.filter(
                node.position,
                "\(relation.rawValue.uppercased()) compares dates with timestamps: write dates for a date and timestamps for a timestamp"
            )
        }
        return .temporal(relation, first, second)
    }

    private func time(_ node: FilterNode) throws -> TimeOperand {
        switch node.kind {
        case .date(let text): return .instant(.day(try day(text, at: node.position)))
        case .timestamp(let text): return .instant(.instant(try instant(text, at: node.position)))
        case .property(let name): return .instant(.property(try temporalProperty(name, at: node.position)))
        case .interval(let begin, let end):
            let interval = TimeOperand.interval(try bound(begin), try bound(end))
            switch (interval.bounds[0], interval.bounds[1]) {
            case (.day(let begin), .day(let end)) where end < begin: throw Self.reversed(node)
            case (.instant(let begin), .instant(let end)) where end < begin: throw Self.reversed(node)
            default: return interval
            }
        default:
            throw Problem.filter(
                node.position,
                "\(node.meaning) is not a time: write a property, DATE('2026-11-20'), TIMESTAMP('2026-11-20T18:00:00Z') or INTERVAL('2026-11-01', '..')"
            )
        }
    }

    private static func reversed(_ node: FilterNode) -> Problem {
        .filter(node.position, "the interval ends before it begins: write the earlier end first")
    }

    /// Returns an end of an interval: a property, `..`, or a date or a timestamp as a text.
    private func bound(_ node: FilterNode) throws -> TimeBound {
        switch node.kind {
        case .property(let name): return .property(try temporalProperty(name, at: node.position))
        case .text("..", _): return .open
        case .text(let text, _), .date(let text), .timestamp(let text):
            return text.contains("T")
                ? .instant(try instant(text, at: node.position)) : .day(try day(text, at: node.position))
        default:
            throw Problem.filter(
                node.position, "\(node.meaning) is not an end of an interval: write '2026-11-20', '..' or a property")
        }
    }

    private func temporalProperty(_ name: String, at position: Int) throws -> Queryable {
        let property = try property(name, at: position)
        guard property.kind == .day || property.kind == .instant else {
            throw Problem.filter(position, "'\(name)' is neither a date nor a timestamp: use another property")
        }
        return property
    }
}
