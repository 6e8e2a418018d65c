import Foundation

@testable import HabitServer

extension FilterCase {
    /// An interval of seconds since 1970.
    ///
    /// An open end is infinite.
    private struct Span {
        var begin: Double
        var end: Double

        /// Creates an interval from two RFC 3339 texts; `..` is an open end.
        init(_ begin: String, _ end: String) {
            self.begin = begin == ".." ? -.infinity : TestFeature.seconds(Self.full(begin)) ?? .nan
            self.end = end == ".." ? .infinity : TestFeature.seconds(Self.full(end)) ?? .nan
        }

        init?(_ begin: String?, _ end: String?) {
            guard let begin, let end else { return nil }
            self.init(begin, end)
        }

        private static func full(_ text: String) -> String { text.count == 10 ? text + "T00:00:00Z" : text }
    }

    private typealias Relation = @Sendable (Span, Span) -> Bool

    /// The relations of OWL-Time, by their names in CQL2.
    private static let relations: [(name: String, holds: Relation, needsIntervals: Bool)] = [
        ("after", { first, second in first.begin > second.end }, false),
        ("before", { first, second in first.end < second.begin }, false),
        ("disjoint", { first, second in first.begin > second.end || first.end < second.begin }, false),
        ("equals", { first, second in first.begin == second.begin && first.end == second.end }, false),
        ("intersects", { first, second in !(first.begin > second.end || first.end < second.begin) }, false),
        ("contains", { first, second in first.begin < second.begin && second.end < first.end }, true),
        ("during", { first, second in second.begin < first.begin && first.end < second.end }, true),
        ("finishedBy", { first, second in first.begin < second.begin && first.end == second.end }, true),
        ("finishes", { first, second in second.begin < first.begin && first.end == second.end }, true),
        ("meets", { first, second in first.end == second.begin }, true),
        ("metBy", { first, second in first.begin == second.end }, true),
        (
            "overlappedBy",
            { first, second in second.begin < first.begin && first.begin < second.end && second.end < first.end }, true
        ),
        (
            "overlaps",
            { first, second in first.begin < second.begin && second.begin < first.end && first.end < second.end }, true
        ),
        ("startedBy", { first, second in first.begin == second.begin && second.end < first.end }, true),
        ("starts", { first, second in first.begin == second.begin && first.end < second.end }, true),
    ]

    /// Temporal filters of events, whose instants are often null.
    static let temporal: [FilterCase] = relations.filter { !$0.needsIntervals }.flatMap { name, holds, _ in
        let function = "T_" + name.uppercased()
        var cases: [FilterCase] = []
        for (begin, end) in [
            ("2026-11-17T07:00:00Z", "2026-11-18T07:00:00Z"), ("..", "2026-11-18T07:00:00Z"),
            ("2026-11-18T08:00:00Z", ".."), ("..", ".."),
        ] {
            let interval = #"{"interval":["\#(begin)","\#(end)"]}"#
            cases.append(
                FilterCase(
                    "\(function)(\"at\", INTERVAL('\(begin)', '\(end)'))",
                    json: #"{"op":"t_\#(name)","args":[{"property":"at"},\#(interval)]}"#
                ) { feature in Span(feature.text("at"), feature.text("at")).map { holds($0, Span(begin, end)) } })
        }
        cases.append(
            FilterCase(
                "\(function)(day, DATE('2026-11-18'))",
                json: #"{"op":"t_\#(name)","args":[{"property":"day"},{"date":"2026-11-18"}]}"#
            ) { feature in
                Span(feature.text("day"), feature.text("day")).map { holds($0, Span("2026-11-18", "2026-11-18")) }
            })
        cases.append(
            FilterCase(
                "\(function)(TIMESTAMP('2026-11-18T07:00:00Z'), \"at\")",
                json: #"{"op":"t_\#(name)","args":[{"timestamp":"2026-11-18T07:00:00Z"},{"property":"at"}]}"#
            ) { feature in
                Span(feature.text("at"), feature.text("at")).map {
                    holds(Span("2026-11-18T07:00:00Z", "2026-11-18T07:00:00Z"), $0)
                }
            })
        return cases
    }

    /// Temporal filters of habits, whose interval has two dates.
    static let intervals: [FilterCase] = relations.flatMap { name, holds, _ in
        [("2026-03-01", "2026-06-30"), ("2026-06-30", ".."), ("..", "2026-03-01"), ("..", "..")].flatMap { begin, end in
            let literal = "INTERVAL('\(begin)', '\(end)')"
            let json = #"{"interval":["\#(begin)","\#(end)"]}"#
            let own = #"{"interval":[{"property":"start"},{"property":"end"}]}"#
            return [
                FilterCase(
                    "T_\(name.uppercased())(INTERVAL(start, \"end\"), \(literal))",
                    json: #"{"op":"t_\#(name)","args":[\#(own),\#(json)]}"#
                ) { feature in Span(feature.text("start"), feature.text("end")).map { holds($0, Span(begin, end)) } },
                FilterCase(
                    "T_\(name.uppercased())(\(literal), INTERVAL(start, end))",
                    json: #"{"op":"t_\#(name)","args":[\#(json),\#(own)]}"#
                ) { feature in Span(feature.text("start"), feature.text("end")).map { holds(Span(begin, end), $0) } },
            ]
        }
    }
}
