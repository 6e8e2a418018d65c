import Foundation
import Testing

@testable import HabitServer

/// A feature of a response, for conditions that tests compute without SQL.
struct TestFeature {
    let id: String
    let properties: [String: Any]
    let longitude: Double?
    let latitude: Double?

    init(_ json: [String: Any]) {
        id = json["id"] as? String ?? ""
        properties = json["properties"] as? [String: Any] ?? [:]
        let coordinates = (json["geometry"] as? [String: Any])?["coordinates"] as? [Double]
        longitude = coordinates?.first
        latitude = coordinates?.last
    }

    func text(_ name: String) -> String? { properties[name] as? String }
    func number(_ name: String) -> Double? { (properties[name] as? NSNumber)?.doubleValue }
    func flag(_ name: String) -> Bool? { properties[name] as? Bool }

    /// The instant of a property in seconds since 1970.
    func time(_ name: String) -> Double? { text(name).flatMap(Self.seconds) }

    static func seconds(_ text: String) -> Double? {
        try? Date(text, strategy: .iso8601).timeIntervalSince1970
    }

    /// Returns the result of `body` for the position; `nil` without a position.
    func at(_ body: (_ longitude: Double, _ latitude: Double) -> Bool) -> Bool? {
        guard let longitude, let latitude else { return nil }
        return body(longitude, latitude)
    }
}

/// A filter in both encodings, with its result for a feature.
///
/// `nil` stands for null.
struct FilterCase: CustomTestStringConvertible, Sendable {
    var text: String
    var json: String
    var isTrue: @Sendable (TestFeature) -> Bool?

    init(_ text: String, json: String, isTrue: @escaping @Sendable (TestFeature) -> Bool?) {
        self.text = text
        self.json = json
        self.isTrue = isTrue
    }

    var testDescription: String { text }
}

/// The conjunction of three-valued logic.
func and(_ first: Bool?, _ second: Bool?) -> Bool? {
    if first == false || second == false { return false }
    return first == nil || second == nil ? nil : true
}

/// The disjunction of three-valued logic.
func or(_ first: Bool?, _ second: Bool?) -> Bool? {
    if first == true || second == true { return true }
    return first == nil || second == nil ? nil : false
}

extension FilterCase {
    private typealias Order = @Sendable (String, String) -> Bool

    private static let orders: [(name: String, holds: Order)] = [
        ("=", { first, second in first == second }),
        ("<>", { first, second in first != second }),
        ("<", { first, second in first < second }),
        (">", { first, second in first > second }),
        ("<=", { first, second in first <= second }),
        (">=", { first, second in first >= second }),
    ]

    /// Returns a comparison of a property with a value.
    private static func comparison(
        of property: String, _ name: String, _ value: String, json: String, holds: @escaping Order
    ) -> FilterCase {
        let literal =
            value.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first.map(String.init) ?? ""
        // RFC 3339 texts in UTC sort by time.
        return FilterCase(
            "\"" + property + "\" " + name + value,
            json: "{\"op\":\"" + name + "\",\"args\":[{\"property\":\"" + property + "\"}," + json + "]}"
        ) { feature in feature.text(property).map { holds($0, literal) } }
    }

    /// Comparisons of texts, dates and instants of events.
    static let comparisons: [FilterCase] = orders.flatMap { name, holds -> [FilterCase] in
        [
            comparison(of: "comment", name, "'rain 100%'", json: #""rain 100%""#, holds: holds),
            comparison(of: "title", name, " 'Run'", json: #""Run""#, holds: holds),
            comparison(of: "day", name, "DATE('2026-11-18')", json: #"{"date":"2026-11-18"}"#, holds: holds),
            comparison(
                of: "at",
                name,
                " TIMESTAMP('2026-11-18T07:00:00Z')",
                json: #"{"timestamp":"2026-11-18T07:00:00Z"}"#,
                holds: holds),
        ]
    }

    /// Filters of numbers and flags of events.
    static let scalars: [FilterCase] = [
        FilterCase("amount = 2.5", json: #"{"op":"=","args":[{"property":"amount"},2.5]}"#) {
            $0.number("amount").map { $0 == 2.5 }
        },
        FilterCase("amount > -1E0", json: #"{"op":">","args":[{"property":"amount"},-1]}"#) {
            $0.number("amount").map { $0 > -1 }
        },
        FilterCase("3 >= amount", json: #"{"op":">=","args":[3,{"property":"amount"}]}"#) {
            $0.number("amount").map { 3 >= $0 }
        },
        FilterCase("amount BETWEEN 2.5 AND 4", json: #"{"op":"between","args":[{"property":"amount"},2.5,4]}"#) {
            $0.number("amount").map { 2.5 <= $0 && $0 <= 4 }
        },
        FilterCase("amount in (2.5, 7)", json: #"{"op":"in","args":[{"property":"amount"},[2.5,7]]}"#) {
            $0.number("amount").map { $0 == 2.5 || $0 == 7 }
        },
        FilterCase("unplanned = FALSE", json: #"{"op":"=","args":[{"property":"unplanned"},false]}"#) {
            $0.flag("unplanned").map { !$0 }
        },
        FilterCase("has_photo = true", json: #"{"op":"=","args":[{"property":"has_photo"},true]}"#) {
            $0.flag("has_photo")
        },
        FilterCase(
            "has_photo <> unplanned", json: #"{"op":"<>","args":[{"property":"has_photo"},{"property":"unplanned"}]}"#
        ) {
            $0.flag("has_photo") != $0.flag("unplanned")
        },
        FilterCase("comment IS NULL", json: #"{"op":"isNull","args":[{"property":"comment"}]}"#) {
            $0.text("comment") == nil
        },
        FilterCase(
            "geometry IS NOT NULL", json: #"{"op":"not","args":[{"op":"isNull","args":[{"property":"geometry"}]}]}"#
        ) {
            $0.longitude != nil
        },
        FilterCase("true", json: "true") { _ in true },
        FilterCase("FALSE", json: "false") { _ in false },
    ]

    /// Filters of texts with patterns, lists and folding.
    static let texts: [FilterCase] = [
        FilterCase("comment LIKE 'r%'", json: #"{"op":"like","args":[{"property":"comment"},"r%"]}"#) {
            $0.text("comment").map { $0.hasPrefix("r") }
        },
        FilterCase("comment LIKE 'R%'", json: #"{"op":"like","args":[{"property":"comment"},"R%"]}"#) {
            $0.text("comment").map { $0.hasPrefix("R") }
        },
        FilterCase(#"comment LIKE '%100\%'"#, json: #"{"op":"like","args":[{"property":"comment"},"%100\\%"]}"#) {
            $0.text("comment").map { $0.hasSuffix("100%") }
        },
        FilterCase("comment LIKE '_unny Tag'", json: #"{"op":"like","args":[{"property":"comment"},"_unny Tag"]}"#) {
            $0.text("comment").map { $0.count == 9 && $0.hasSuffix("unny Tag") }
        },
        FilterCase(
            "comment NOT LIKE '%[b]*?%'",
            json: #"{"op":"not","args":[{"op":"like","args":[{"property":"comment"},"%[b]*?%"]}]}"#
        ) { $0.text("comment").map { !$0.contains("[b]*?") } },
        FilterCase(
            "CASEI(comment) LIKE CASEI('SUNNY%')",
            json:
                #"{"op":"like","args":[{"op":"casei","args":[{"property":"comment"}]},{"op":"casei","args":["SUNNY%"]}]}"#
        ) { $0.text("comment").map { $0.lowercased().hasPrefix("sunny") } },
        FilterCase(
            "casei(title) = casei('STRASSE')",
            json: #"{"op":"=","args":[{"op":"casei","args":[{"property":"title"}]},{"op":"casei","args":["STRASSE"]}]}"#
        ) { $0.text("title").map { $0 == "Straße" } },
        FilterCase(
            "CASEI(\"user\") IN (CASEI('OWNER'), CASEI('All'))",
            json:
                #"{"op":"in","args":[{"op":"casei","args":[{"property":"user"}]},[{"op":"casei","args":["OWNER"]},{"op":"casei","args":["All"]}]]}"#
        ) { $0.text("user").map { $0 == "owner" || $0 == "all" } },
        FilterCase("title = 'Stra\u{df}e'", json: #"{"op":"=","args":[{"property":"title"},"Stra\u00dfe"]}"#) {
            $0.text("title").map { $0 == "Straße" }
        },
        // A decomposed letter is equal to a composed letter.
        FilterCase(
            "comment = 'cafe\u{301}'",
            json: "{\"op\":\"=\",\"args\":[{\"property\":\"comment\"},\"cafe\\u0301\"]}"
        ) {
            $0.text("comment").map { $0 == "café" }
        },
        FilterCase("habit IN ('run', 'other')", json: #"{"op":"in","args":[{"property":"habit"},["run","other"]]}"#) {
            $0.text("habit").map { ["run", "other"].contains($0) }
        },
        FilterCase("habit LIKE 'r%'", json: #"{"op":"like","args":[{"property":"habit"},"r%"]}"#) {
            $0.text("habit").map { $0.hasPrefix("r") }
        },
        FilterCase("id = 'b/18 ü'", json: #"{"op":"=","args":[{"property":"id"},"b/18 \u00fc"]}"#) {
            $0.id == "b/18 ü"
        },
        FilterCase("comment = 'it''s \\'x\\''", json: #"{"op":"=","args":[{"property":"comment"},"it's 'x'"]}"#) {
            $0.text("comment").map { $0 == "it's 'x'" }
        },
    ]

    /// Filters with AND, OR and NOT.
    static let logic: [FilterCase] = [
        FilterCase(
            "comment = 'rain 100%' AND amount > 2",
            json:
                #"{"op":"and","args":[{"op":"=","args":[{"property":"comment"},"rain 100%"]},{"op":">","args":[{"property":"amount"},2]}]}"#
        ) { feature in
            and(
                feature.text("comment").map { $0 == "rain 100%" },
                feature.number("amount").map { $0 > 2 })
        },
        FilterCase(
            "comment LIKE '%a%' OR amount > 2 OR NOT (\"at\" IS NULL)",
            json:
                #"{"op":"or","args":[{"op":"like","args":[{"property":"comment"},"%a%"]},{"op":">","args":[{"property":"amount"},2]},{"op":"not","args":[{"op":"isNull","args":[{"property":"at"}]}]}]}"#
        ) { feature in
            or(
                or(
                    feature.text("comment").map { $0.contains("a") },
                    feature.number("amount").map { $0 > 2 }),
                feature.text("at") != nil)
        },
        FilterCase(
            "NOT comment = 'x' AND amount > 2 OR day = DATE('2026-11-19')",
            json:
                #"{"op":"or","args":[{"op":"and","args":[{"op":"not","args":[{"op":"=","args":[{"property":"comment"},"x"]}]},{"op":">","args":[{"property":"amount"},2]}]},{"op":"=","args":[{"property":"day"},{"date":"2026-11-19"}]}]}"#
        ) { feature in
            or(
                and(
                    feature.text("comment").map { $0 != "x" },
                    feature.number("amount").map { $0 > 2 }),
                feature.text("day").map { $0 == "2026-11-19" })
        },
        FilterCase(
            "day = DATE('2026-11-18') AND (amount > 2 OR comment IS NULL)",
            json:
                #"{"op":"and","args":[{"op":"=","args":[{"property":"day"},{"date":"2026-11-18"}]},{"op":"or","args":[{"op":">","args":[{"property":"amount"},2]},{"op":"isNull","args":[{"property":"comment"}]}]}]}"#
        ) { feature in
            and(
                feature.text("day").map { $0 == "2026-11-18" },
                or(
                    feature.number("amount").map { $0 > 2 },
                    feature.text("comment") == nil))
        },
    ]

    /// Filters of positions.
    static let spatial: [FilterCase] = [
        FilterCase(
            "S_INTERSECTS(geometry, BBOX(9, 49, 10.005, 51))",
            json: #"{"op":"s_intersects","args":[{"property":"geometry"},{"bbox":[9,49,10.005,51]}]}"#
        ) { feature in
            feature.at { x, y in 9 <= x && x <= 10.005 && 49 <= y && y <= 51 }
        },
        FilterCase(
            "S_INTERSECTS(geometry, BBOX(10, 49, 0, 10.005, 50, 9))",
            json: #"{"op":"s_intersects","args":[{"property":"geometry"},{"bbox":[10,49,0,10.005,50,9]}]}"#
        ) { feature in
            feature.at { x, y in 10 <= x && x <= 10.005 && 49 <= y && y <= 50 }
        },
        FilterCase(
            "S_WITHIN(geometry, BBOX(10, 49, 10.02, 51))",
            json: #"{"op":"s_within","args":[{"property":"geometry"},{"bbox":[10,49,10.02,51]}]}"#
        ) { feature in
            feature.at { x, y in 10 < x && x < 10.02 && 49 < y && y < 51 }
        },
        FilterCase(
            "S_INTERSECTS(geometry, BBOX(170, -20, -170, -10))",
            json: #"{"op":"s_intersects","args":[{"property":"geometry"},{"bbox":[170,-20,-170,-10]}]}"#
        ) { feature in
            feature.at { x, y in (x >= 170 || x <= -170) && -20 <= y && y <= -10 }
        },
        FilterCase(
            "S_WITHIN(geometry, BBOX(170, -20, -179.99, -10))",
            json: #"{"op":"s_within","args":[{"property":"geometry"},{"bbox":[170,-20,-179.99,-10]}]}"#
        ) { feature in
            feature.at { x, y in (x > 170 || x < -179.99) && -20 < y && y < -10 }
        },
        FilterCase(
            "S_WITHIN(geometry, BBOX(-180, -90, 180, 90))",
            json: #"{"op":"s_within","args":[{"property":"geometry"},{"bbox":[-180,-90,180,90]}]}"#
        ) { feature in
            feature.at { _, y in -90 < y && y < 90 }
        },
        FilterCase(
            "S_INTERSECTS(geometry, POINT(10 50))",
            json: #"{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Point","coordinates":[10,50]}]}"#
        ) { feature in
            feature.at { x, y in x == 10 && y == 50 }
        },
        FilterCase(
            "S_WITHIN(geometry, POINT Z (10 50 7))",
            json: #"{"op":"s_within","args":[{"property":"geometry"},{"type":"Point","coordinates":[10,50,7]}]}"#
        ) { feature in
            feature.at { x, y in x == 10 && y == 50 }
        },
        FilterCase(
            "S_DISJOINT(geometry, BBOX(9, 49, 10.005, 51))",
            json: #"{"op":"s_disjoint","args":[{"property":"geometry"},{"bbox":[9,49,10.005,51]}]}"#
        ) { feature in
            feature.at { x, y in !(9 <= x && x <= 10.005 && 49 <= y && y <= 51) }
        },
        // The border contains the positions 10,50 and 10.5,50.
        FilterCase(
            "S_INTERSECTS(geometry, POLYGON((10 50, 11 50, 11 51, 10 51, 10 50)))",
            json:
                #"{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Polygon","coordinates":[[[10,50],[11,50],[11,51],[10,51],[10,50]]]}]}"#
        ) { feature in
            feature.at { x, y in 10 <= x && x <= 11 && 50 <= y && y <= 51 }
        },
        FilterCase(
            "S_WITHIN(geometry, POLYGON((10 50, 11 50, 11 51, 10 51, 10 50)))",
            json:
                #"{"op":"s_within","args":[{"property":"geometry"},{"type":"Polygon","coordinates":[[[10,50],[11,50],[11,51],[10,51],[10,50]]]}]}"#
        ) { feature in
            feature.at { x, y in 10 < x && x < 11 && 50 < y && y < 51 }
        },
        // A triangle with a square hole, whose border belongs to the polygon.
        FilterCase(
            "S_INTERSECTS(geometry, POLYGON((9 49, 12 49, 9 52, 9 49), (9.75 49.75, 10.25 49.75, 10.25 50.25, 9.75 50.25, 9.75 49.75)))",
            json:
                #"{"op":"s_intersects","args":[{"property":"geometry"},{"type":"Polygon","coordinates":[[[9,49],[12,49],[9,52],[9,49]],[[9.75,49.75],[10.25,49.75],[10.25,50.25],[9.75,50.25],[9.75,49.75]]]}]}"#
        ) { feature in
            feature.at { x, y in
                x >= 9 && y >= 49 && x + y <= 61
                    && !(9.75 < x && x < 10.25 && 49.75 < y && y < 50.25)
            }
        },
        // An area that crosses the antimeridian, and a square.
        FilterCase(
            "S_INTERSECTS(geometry, MULTIPOLYGON(((170 -20, 180 -20, 180 -10, 170 -10, 170 -20)), ((-180 -20, -170 -20, -170 -10, -180 -10, -180 -20)), ((10 50, 11 50, 11 51, 10 51, 10 50))))",
            json:
                #"{"op":"s_intersects","args":[{"property":"geometry"},{"type":"MultiPolygon","coordinates":[[[[170,-20],[180,-20],[180,-10],[170,-10],[170,-20]]],[[[-180,-20],[-170,-20],[-170,-10],[-180,-10],[-180,-20]]],[[[10,50],[11,50],[11,51],[10,51],[10,50]]]]}]}"#
        ) { feature in
            feature.at { x, y in
                (x.magnitude >= 170 && -20 <= y && y <= -10)
                    || (10 <= x && x <= 11 && 50 <= y && y <= 51)
            }
        },
    ]
}
