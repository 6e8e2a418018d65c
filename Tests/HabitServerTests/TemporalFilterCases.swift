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
        ("after", { $0.begin > $1.end }, false), ("before", { $0.end < $1.begin }, false),
        ("disjoint", { $0.begin > $1.end || $0.end < $1.begin }, false),
        ("equals", { $0.begin == $1.begin && $0.end == $1.end }, false),
        ("intersects", { !($0.begin > $1.end || $0.end < $1.begin) }, false),
        ("contains", { $0.begin < $1.begin && $1.end < $0.end }, true),
        ("during", { $1.begin < $0.begin && $0.end < $1.end }, true),
        ("finishedBy", { $0.begin < $1.begin && $0.end == $1.end }, true),
        ("finishes", { $1.begin < $0.begin && $0.end == $1.end }, true),
        ("meets", { $0.end == $1.begin }, true), ("metBy", { $0.begin == $1.end }, true),
        ("overlappedBy", { $1.begin < $0.begin && $0.begin < $1.end && $1.end < $0.end }, true),
        ("overlaps", { $0.begin < $1.begin && $1.begin < $0.end && $0.end < $1.end }, true),
        ("startedBy", { $0.begin == $1.begin && $1.end < $0.end }, true),
        ("starts", { $0.begin == $1.begin && $0.end < $1.end }, true),
    ]

    /// Temporal filters of events, whose instants are often null.
    static let temporal: [FilterCase] = relations.filter { !$0.needsIntervals }.flatMap { name, holds, _ in
        let function = "T_" + name.uppercased()
        var cases: [FilterCase] = []
        for (begin, end) in [
            ("2026-11-17T07:00:00Z", "2026-11-18T07:00:00Z"), ("..", "2026-11-18T07:00:00Z"),
            ("2026-11-18T08:00:00Z", ".."), ("..", ".."),
        ] {
            cases.append(
                FilterCase(
                    "\(function)(\"at\", INTERVAL('\(begin)', '\(end)'))",
                    #"{"op":"t_\#(name)","args":[{"property":"at"},{"interval":["\#(begin)","\#(end)"]}]}"#
                ) { feature in Span(feature.text("at"), feature.text("at")).map { holds($0, Span(begin, end)) } })
        }
        cases.append(
            FilterCase(
                "\(function)(day, DATE('2026-11-18'))",
                #"{"op":"t_\#(name)","args":[{"property":"day"},{"date":"2026-11-18"}]}"#
            ) { feature in
                Span(feature.text("day"), feature.text("day")).map { holds($0, Span("2026-11-18", "2026-11-18")) }
            })
        cases.append(
            FilterCase(
                "\(function)(TIMESTAMP('2026-11-18T07:00:00Z'), \"at\")",
                #"{"op":"t_\#(name)","args":[{"timestamp":"2026-11-18T07:00:00Z"},{"property":"at"}]}"#
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
                    #"{"op":"t_\#(name)","args":[\#(own),\#(json)]}"#
                ) { feature in Span(feature.text("start"), feature.text("end")).map { holds($0, Span(begin, end)) } },
                FilterCase(
                    "T_\(name.uppercased())(\(literal), INTERVAL(start, end))",
                    #"{"op":"t_\#(name)","args":[\#(json),\#(own)]}"#
                ) { feature in Span(feature.text("start"), feature.text("end")).map { holds(Span(begin, end), $0) } },
            ]
        }
    }
}
