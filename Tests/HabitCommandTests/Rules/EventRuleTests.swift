import Foundation
import HabitTestSupport
import Testing

/// Tests of rules C-08 to C-11 and C-24: recording events of a habit.
@Suite(.engineIndependent) struct EventRuleTests {
    static let columns = [
        "id", "user", "habit", "title", "day", "at", "comment", "outcome", "has_photo", "unplanned", "longitude",
        "latitude", "amount",
    ]
    private static let long = String(repeating: "x", count: 21)

    static let refused: [Refusal] = [
        // C-08
        Refusal("owner", "event add --habit read --day 2026-11-19", status: 65, slug: "event-not-due"),
        Refusal("owner", "event add --habit run --day 2026-08-31", status: 65, slug: "event-not-due"),
        Refusal("owner", "event add --habit gone --day 2026-11-19", status: 65, slug: "event-not-due"),
        Refusal("owner", "event add --habit soon", status: 65, slug: "event-not-due"),
        Refusal("owner", "event add --habit run --day 2026-11-21", status: 65, slug: "day-in-future"),
        Refusal("owner", "event add --habit run --at 2026-11-21T09:00:00Z", status: 65, slug: "day-in-future"),
        Refusal("owner", "event add --habit run --comment \(long)", status: 65, slug: "comment-too-long"),
        Refusal("owner", "event add --habit run --day 2026-11-19", status: 76, slug: "event-exists"),
        Refusal("owner", "event add --habit run --day 2026-02-30", status: 64, slug: "date-invalid"),
        Refusal("owner", "event add --habit run --at noon", status: 64, slug: "date-invalid"),
        Refusal("owner", "event add --habit run --position 91,0", status: 64, slug: "position-invalid"),
        Refusal("owner", "event add --habit run --position photo", status: 69, slug: "location-unavailable"),
        Refusal("owner", "event add --habit twin --day 2026-11-17", status: 64, slug: "usage"),
        Refusal("owner", "event add --habit none", status: 66, slug: "not-found"),
        Refusal("owner", "event add --habit run --output none/x.csv", status: 73, slug: "output-not-writable"),
        Refusal("hidden", "event add --habit walk --position 0,0", status: 77, slug: "location-not-permitted"),
        Refusal("all", "event add --habit run", status: 77, slug: "not-yours"),
        Refusal("latest", "event add --habit run", status: 77, slug: "not-yours"),
        Refusal("pending", "event add --habit run", status: 66, slug: "not-found"),
        Refusal("rejected", "event add --habit run", status: 66, slug: "not-found"),
        Refusal("stranger", "event add --habit read", status: 66, slug: "not-found"),
        Refusal("nobody", "event add --habit run", status: 77, slug: "not-signed-in"),
        Refusal("", "event add --habit run", status: 77, slug: "not-signed-in"),
        Refusal(nil, "event add --habit run", status: 77, slug: "not-signed-in"),
        // C-09
        Refusal("latest", "event show r18", status: 66, slug: "not-found"),
        Refusal("pending", "event show r19", status: 66, slug: "not-found"),
        Refusal("rejected", "event show r19", status: 66, slug: "not-found"),
        Refusal("stranger", "event show r19", status: 66, slug: "not-found"),
        Refusal("owner", "event show x18", status: 66, slug: "not-found"),
        Refusal(nil, "event show none", status: 66, slug: "not-found"),
        Refusal("nobody", "event show r19", status: 77, slug: "not-signed-in"),
        // C-10
        Refusal("owner", "event edit r19 --day 2026-11-18", status: 76, slug: "event-exists"),
        Refusal("owner", "event edit r19 --comment new --day 2026-11-21", status: 65, slug: "day-in-future"),
        Refusal("owner", "event edit r19 --day 2026-08-31", status: 65, slug: "event-not-due"),
        Refusal("owner", "event edit b18 --comment new --day 2026-11-17", status: 65, slug: "event-not-due"),
        Refusal("owner", "event edit r19 --position none --comment \(long)", status: 65, slug: "comment-too-long"),
        Refusal("owner", "event edit r19 --comment new --position 0,181", status: 64, slug: "position-invalid"),
        Refusal("owner", "event edit none --comment new", status: 66, slug: "not-found"),
        Refusal("all", "event edit r19 --comment new", status: 77, slug: "not-yours"),
        Refusal("latest", "event edit r19 --comment new", status: 77, slug: "not-yours"),
        Refusal("latest", "event edit r18 --comment new", status: 66, slug: "not-found"),
        Refusal("pending", "event edit r19 --comment new", status: 66, slug: "not-found"),
        Refusal("stranger", "event edit r19 --comment new", status: 66, slug: "not-found"),
        Refusal(nil, "event edit r19 --comment new", status: 77, slug: "not-signed-in"),
        // C-11
        Refusal("owner", "event delete r19", status: 64, slug: "confirm-required"),
        Refusal("owner", "event delete none --yes", status: 66, slug: "not-found"),
        Refusal("all", "event delete r18 --yes", status: 77, slug: "not-yours"),
        Refusal("latest", "event delete r19 --yes", status: 77, slug: "not-yours"),
        Refusal("latest", "event delete r18 --yes", status: 66, slug: "not-found"),
        Refusal("rejected", "event delete r19 --yes", status: 66, slug: "not-found"),
        Refusal(nil, "event delete r19 --yes", status: 77, slug: "not-signed-in"),
        // C-24
        Refusal("owner", "event skip --habit read --day 2026-11-19", status: 65, slug: "event-not-due"),
        Refusal("owner", "event skip --habit run --day 2026-11-19", status: 76, slug: "event-exists"),
        Refusal("owner", "event skip --habit run --comment \(long)", status: 65, slug: "comment-too-long"),
        Refusal("all", "event skip --habit run", status: 77, slug: "not-yours"),
        Refusal("stranger", "event skip --habit read", status: 66, slug: "not-found"),
        Refusal(nil, "event skip --habit run", status: 77, slug: "not-signed-in"),
    ]

    @Test(arguments: refused) func invalidEventCommandIsRefused(refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    @Test func addRecordsEventOfTodayAndPrintsIt() async throws {
        let store = try await RuleStore()
        let made = try await store.table("event add --habit STRASSE --comment fine", as: "owner")
        #expect(made.columns == Self.columns)
        #expect(
            made.rows[0].dropFirst() == [
                "owner", "read", "Straße", "2026-11-20", "2026-11-20T12:00:00+00:00", "fine", "done", "false", "false",
                nil, nil, nil,
            ])
        let id = try #require(try made.singleCell("id"))
        #expect(try await store.table("event show \(id)", as: "all").rows == made.rows)
        #expect(try await store.table("todo", as: "owner")["event"] == [nil, id])
        try await store.expectRefusal(Refusal("owner", "event add --habit read", status: 76, slug: "event-exists"))
        #expect(try await store.count("events") == 6)
    }

    /// The first and the last day of a habit are valid.
    ///
    /// The maximum length of a comment and the extreme coordinates are valid, too.
    @Test(arguments: [
        ("event add --habit run --day 2026-09-01", "day", "2026-09-01"),
        ("event add --habit gone --day 2026-11-18", "day", "2026-11-18"),
        ("event add --habit run --at 2026-11-16T23:30:00-05:00", "day", "2026-11-16"),
        ("event add --habit run --comment 1234567890123456789👨‍👩‍👧‍👦", "comment", "1234567890123456789👨‍👩‍👧‍👦"),
        ("event add --habit run --position 0,0", "longitude", "0"),
        ("event add --habit run --position -33.87,151.21", "latitude", "-33.87"),
        ("event add --habit run --position -90,-180", "longitude", "-180"),
    ])
    func addAcceptsValuesAtLimit(command: String, column: String, value: String) async throws {
        #expect(try await RuleStore().table(command, as: "owner").singleCell(column) == value)
    }

    /// A user who does not share a location can record events without a position, and can remove a position.
    @Test func positionIsRefusedWhenUserDoesNotShareLocation() async throws {
        let store = try await RuleStore()
        let refused = try await store.run("event add --habit walk --position 1,2", as: "hidden")
        #expect(refused.errors.contains("user edit --share-location yes"))
        #expect(
            try await store.table("event add --habit walk --position none", as: "hidden").singleCell("longitude") == nil
        )
        #expect(try await store.run("user edit --share-location yes", as: "hidden").status == 0)
        #expect(
            try await store.table("event add --habit walk --day 2026-11-19 --position 1,2", as: "hidden").singleCell(
                "longitude")
                == "2")
        #expect(try await store.run("user edit --share-location no", as: "owner").status == 0)
        try await store.expectRefusal(
            Refusal("owner", "event edit r19 --position 1,2", status: 77, slug: "location-not-permitted"))
        #expect(try await store.table("event edit r17 --position none", as: "owner").singleCell("longitude") == nil)
    }

    @Test func showPrintsOneEventInEveryFormat() async throws {
        let store = try await RuleStore()
        let plain = try await store.run("event show r18 --plain", as: "owner")
        #expect(plain.lines.map { $0.split(separator: "\t").first.map(String.init) } == Self.columns)
        let text = try await store.run("event show r18", as: "owner")
        #expect(text.output.contains(/\nplace +\S+,10\.0100\n/), "\(text.output)")
        #expect(!text.output.contains("comment"), "blank values are omitted: \(text.output)")
        let object: [String: Any] = try json(try await store.run("event show r18 --format json", as: "all"))
        #expect(Set(object.keys) == Set(Self.columns))
        #expect(object["comment"] is NSNull)
        #expect(object["longitude"] as? Double == 10.01)
        let feature: [String: Any] = try json(try await store.run("event show r18 --format geojson", as: "all"))
        #expect(feature["type"] as? String == "Feature")
        #expect(feature["id"] as? String == "r18")
        let point = feature["geometry"] as? [String: Any]
        #expect(point?["coordinates"] as? [Double] == [10.01, 50])
        let properties = try #require(feature["properties"] as? [String: Any])
        #expect(Set(properties.keys) == Set(Self.columns).subtracting(["longitude", "latitude"]))
        let unlocated: [String: Any] = try json(try await store.run("event show r19 --format geojson", as: "latest"))
        #expect(unlocated["geometry"] is NSNull)
    }

    @Test func editKeepsDayAndOmittedFields() async throws {
        let store = try await RuleStore()
        var expected = try await store.table("event show r17", as: "owner").rows[0]
        expected[6] = "dry"
        #expect(try await store.table("event edit r17 --comment dry", as: "owner").rows == [expected])
        (expected[10], expected[11]) = (nil, nil)
        #expect(try await store.table("event edit r17 --position none", as: "owner").rows == [expected])
        #expect(try await store.table("near 50,10", as: "owner")["id"] == ["r18", "b18"])
        (expected[6], expected[8]) = (nil, "false")
        #expect(try await store.table("event edit r17 --photo none --comment ''", as: "owner").rows == [expected])
        let moved = try await store.table("event edit r17 --day 2026-11-16", as: "owner")
        #expect(try moved.singleCell("day") == "2026-11-16")
        #expect(
            try await store.table("history --habit run", as: "owner")["day"] == [
                "2026-11-19", "2026-11-18", "2026-11-16",
            ])
        #expect(
            try await store.run("event add --habit run --day 2026-11-17", as: "owner").status == 0,
            "the old day is free")
    }

    @Test func deleteRemovesOneEvent() async throws {
        let store = try await RuleStore()
        #expect(try await store.table("event delete r18 --yes", as: "owner").singleCell("deleted") == "r18")
        #expect(try await store.table("history", as: "owner")["id"] == ["r19", "b18", "r17"])
        #expect(try await store.run("event show r18", as: "owner").status == 66)
        #expect(
            try await store.run("event add --habit run --day 2026-11-18", as: "owner").status == 0, "the day is free")
    }

    /// Rule C-24: a skipped day is neither done nor missed.
    ///
    /// A later event replaces it completely.
    @Test func skippedDayIsReplacedByLaterEvent() async throws {
        let store = try await RuleStore()
        let skipped = try await store.table("event skip --habit run --day 2026-11-16 --comment ill", as: "owner")
        #expect(skipped.rows[0][4...7] == ["2026-11-16", nil, "ill", "skipped"])
        try await store.expectRefusal(
            Refusal("owner", "event skip --habit run --day 2026-11-16", status: 76, slug: "event-exists"))
        let due = try await store.table("habit list --habit run", as: "owner")
        #expect(try due.singleCell("completion_rate") == "0.125", "3 of 24: the day is not due")
        let replaced = try await store.table("event add --habit run --day 2026-11-16", as: "owner")
        #expect(try replaced.singleCell("outcome") == "done")
        #expect(try replaced.singleCell("comment") == nil, "the comment of the skip is removed")
        let done = try await store.table("habit list --habit run", as: "owner")
        #expect(try done.singleCell("completion_rate") == "0.16", "4 of 25")
        #expect(try await store.count("events WHERE habit = 'run'") == 4, "one event for each day")
        try await store.expectRefusal(
            Refusal("owner", "event add --habit run --day 2026-11-16", status: 76, slug: "event-exists"))
    }
}
