import Base
import Geo
import HabitModel
import HabitStore
import Testing

@testable import HabitReport
@testable import StoreEngine
@testable import StoreSpatiaLite

@Suite struct ReportParameterTests {
    /// A store with the users a, b and Zoë.
    ///
    /// User a has a located event, and b has a habit with the same title as one of
    /// a's.
    private static let store = Result {
        let engine = try SpatiaLiteEngine.temporary()
        try engine.write { session in
            try session.writeRecords { writer in
                for user in ["a", "b", "Zoë"] { _ = try writer.write(.user(UserRecord(id: user))) }
                let habits = [
                    ("a-run", "a", "Run"),
                    ("a-read", "a", "Read"),
                    ("b-run", "b", "Run"),
                ]
                for (id, owner, title) in habits {
                    _ = try writer.write(.habit(HabitRecord(id: id, user: owner, title: title, schedule: .everyDay)))
                }
                var event = EventRecord(habit: "a-run")
                event.day = Day("2026-11-19")
                event.details.position = Position(longitude: 2, latitude: 1).map { .value($0) } ?? .absent
                _ = try writer.write(.event(event))
            }
        }
        return engine
    }

    /// Returns the bindings of the parameter `a_b` on 2026-11-20.
    private static func bind(
        _ text: String?,
        _ kind: ReportParameter.Kind,
        need: ReportParameter.Need = .optional,
        as user: String? = nil
    ) throws -> [String: Value] {
        let today = try #require(Day("2026-11-20"))
        return try store.get().read { session in
            let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
            let context = ReportContext(
                clock: Clock(now: Instant(microseconds: 0)), today: today, viewer: viewer, session: session)
            return try ReportSample.parameter(kind, need).bindings(for: text, context)
        }
    }

    private static let square = #"{"type":"Polygon","coordinates":[[[0,0],[1.5,0],[1,1],[0,0]]]}"#
    private static let multiPolygon =
        #"{"type":"MultiPolygon","coordinates":[[[[0.0,0.0],[1.5,0.0],[1.0,1.0],[0.0,0.0]]]]}"#

    static let values: [(text: String, kind: ReportParameter.Kind, value: Value)] = [
        ("x", .text, .text("x")),
        ("", .text, .text("")),
        ("e\u{301}", .text, .text("é")),
        ("-5", .integer, .integer(-5)),
        ("9223372036854775807", .integer, .integer(.max)),
        ("0.85", .number, .number(0.85)),
        ("-1e3", .number, .number(-1000)),
        ("yes", .boolean, .integer(1)),
        ("true", .boolean, .integer(1)),
        ("no", .boolean, .integer(0)),
        ("false", .boolean, .integer(0)),
        ("2024-02-29", .date, .text("2024-02-29")),
        ("today", .date, .text("2026-11-20")),
        ("yesterday", .date, .text("2026-11-19")),
        ("today-27", .date, .text("2026-10-24")),
        ("today+7", .date, .text("2026-11-27")),
        ("Tomorrow", .date, .text("2026-11-21")),
        ("mon", .date, .text("2026-11-16")),
        ("-1w", .date, .text("2026-11-13")),
        ("today-0", .date, .text("2026-11-20")),
        ("1970-01-01T01:00:01+01:00", .instant, .integer(1_000_000)),
        ("5km", .distance, .number(5000)),
        ("0", .distance, .number(0)),
        (square, .area, .text(multiPolygon)),
        (#"{"type":"Feature","geometry":\#(square)}"#, .area, .text(multiPolygon)),
        ("Zoe\u{308}", .user, .text("Zoë")),
        ("b", .user, .text("b")),
        ("a-run", .habit, .text("a-run")),
        ("READ", .habit, .text("a-read")),
    ]

    @Test(arguments: values) func textIsParsedAsValueOfItsKind(text: String, kind: ReportParameter.Kind, value: Value)
        throws
    {
        #expect(try Self.bind(text, kind) == ["a_b": value])
    }

    @Test(arguments: ["1,2", " 1 , 2 ", "1N,2E"]) func positionBindsTwoValues(text: String) throws {
        #expect(try Self.bind(text, .position) == ["a_b_longitude": .number(2), "a_b_latitude": .number(1)])
    }

    @Test func wordsDependOnViewer() throws {
        #expect(try Self.bind("me", .user, as: "b") == ["a_b": .text("b")])
        #expect(try Self.bind("Run", .habit, as: "b") == ["a_b": .text("b-run")])
        let last = try Self.bind("last", .position, as: "a")
        #expect(last == ["a_b_longitude": .number(2), "a_b_latitude": .number(1)])
    }

    static let refused: [(text: String, kind: ReportParameter.Kind, user: String?, code: ErrorCode)] = [
        ("a\0", .text, nil, .parameterInvalid), ("1.5", .integer, nil, .parameterInvalid),
        ("", .integer, nil, .parameterInvalid), ("9223372036854775808", .integer, nil, .parameterInvalid),
        ("nan", .number, nil, .parameterInvalid), ("inf", .number, nil, .parameterInvalid),
        ("1e999", .number, nil, .parameterInvalid), ("0x10", .number, nil, .parameterInvalid),
        ("1,5", .number, nil, .parameterInvalid), ("1", .boolean, nil, .parameterInvalid),
        ("Yes", .boolean, nil, .parameterInvalid), ("2026-02-30", .date, nil, .dateInvalid),
        ("2026-11", .date, nil, .dateInvalid), ("today-", .date, nil, .dateInvalid),
        ("today--1", .date, nil, .dateInvalid), ("today+9999999", .date, nil, .dateInvalid),
        ("today-99999999999999999999", .date, nil, .dateInvalid), ("today 1", .date, nil, .dateInvalid),
        ("2026-11-20", .instant, nil, .dateInvalid), ("5", .distance, nil, .distanceInvalid),
        ("-5km", .distance, nil, .distanceInvalid), ("91,0", .position, nil, .positionInvalid),
        ("here", .position, nil, .positionInvalid), ("last", .position, nil, .notSignedIn),
        ("last", .position, "b", .locationUnavailable), ("me", .user, nil, .notSignedIn),
        ("area.geojson", .area, nil, .parameterInvalid), ("/dev/stdin", .area, nil, .parameterInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#, .area, nil, .parameterInvalid),
        ("", .user, nil, .notFound), ("nobody", .user, "a", .notFound), ("nothing", .habit, nil, .notFound),
        ("a-run", .habit, "b", .notFound), ("Run", .habit, nil, .usage),
    ]

    @Test(arguments: refused)
    func invalidValueIsRefused(
        text: String, kind: ReportParameter.Kind, user: String?, code: ErrorCode
    ) {
        let error = failure { _ = try Self.bind(text, kind, as: user) }
        #expect(error?.code == code)
        #expect(error?.field == "a-b")
    }

    @Test func omittedParameterIsNullDefaultOrMissing() throws {
        #expect(try Self.bind(nil, .position) == ["a_b_longitude": .null, "a_b_latitude": .null])
        #expect(try Self.bind(nil, .date, need: .default("today-1")) == ["a_b": .text("2026-11-19")])
        #expect(try Self.bind("today", .date, need: .default("today-1")) == ["a_b": .text("2026-11-20")])
        let error = failure { _ = try Self.bind(nil, .date, need: .required) }
        #expect(
            error
                == HabitError(
                    .parameterMissing, "the report requires a value for 'a-b' (Something.)", field: "a-b",
                    .giveParameter("a-b", isPosition: false)))
    }
}

@Suite struct ReportArgumentsTests {
    @Test(
        arguments: [
            ([], [:]), (["--near", "38.7,-9.1", "--within=800m"], ["near": "38.7,-9.1", "within": "800m"]),
            (["--near", "-33.87,151.21"], ["near": "-33.87,151.21"]), (["--min-visits", "-5"], ["min_visits": "-5"]),
            (["--min_visits=3"], ["min_visits": "3"]), (["--within="], ["within": ""]),
            (["--within", ""], ["within": ""]),
            (["--within=a=b"], ["within": "a=b"]), (["--within=--near"], ["within": "--near"]),
        ] as [([String], [String: String])])
    func argumentsAreParsedByName(words: [String], expected: [String: String]) throws {
        #expect(try ReportSample.report().arguments(from: words) == expected)
    }

    @Test(
        arguments: [
            (["--nea", "x"], .parameterInvalid, "has no parameter 'nea'", choose(nearest: "near")),
            (["--zzz=1"], .parameterInvalid, "has no parameter 'zzz'", choose()),
            (["--near=a", "--near", "b"], .parameterInvalid, "parameter 'near' is repeated: give it once", nil),
            (["--min-visits=1", "--min_visits=1"], .parameterInvalid, "parameter 'min-visits' is repeated", nil),
            (["--near"], .parameterMissing, "parameter 'near' has no value", .giveParameter("near", isPosition: true)),
            (
                ["--within", "--near", "last"], .parameterMissing, "parameter 'within' has no value",
                .giveParameter("within", isPosition: false)
            ),
            (["38.7,-9.1"], .usage, "'38.7,-9.1' is not a parameter", choose()),
            (["--"], .usage, "'--' is not", choose()), (["-n", "x"], .usage, "'-n' is not", choose()),
        ] as [([String], ErrorCode, String, Remedy?)])
    func invalidArgumentIsRefused(words: [String], code: ErrorCode, problem: String, remedy: Remedy?) throws {
        let report = try ReportSample.report()
        let error = failure { _ = try report.arguments(from: words) }
        #expect(error?.code == code)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
        #expect(error?.remedies == (remedy.map { [$0] } ?? []))
    }

    private static func choose(nearest: String? = nil) -> Remedy {
        .chooseParameter(["near", "within", "min-visits"], nearest: nearest)
    }
}
