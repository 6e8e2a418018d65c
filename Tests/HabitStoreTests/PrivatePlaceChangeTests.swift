import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests the changes of private places, and of positions in them (C-33).
@Suite struct PrivatePlaceChangeTests {
    typealias Scene = PrivatePlaceScene

    /// The events and posts of `ann` whose position a follower sees.
    private static func shown(_ store: TestStore) throws -> Set<String> {
        let events = try store.rows(as: "full", columns: ["id", "longitude"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            query.filter.isLocated = true
            return try query.selection(in: session)
        }
        let posts = try store.rows(as: "full", columns: ["id", "longitude"]) { session, viewer in
            try PostQuery(viewer: viewer).selection(in: session)
        }
        let located = (events + posts).filter { row in row[1] != "∅" }
        return Set(located.map { row in row[0] })
    }

    /// The newest change of a viewer's part of the log.
    private static func state(_ store: TestStore, of viewer: String) throws -> String {
        try store.engine.read { session in
            let viewer = try Viewer.user(named: viewer, in: session)
            return "\(try LogState(of: .viewer(viewer), in: session).newest.number)"
        }
    }

    private static func place(_ name: String = "home") throws -> PrivatePlace {
        try PrivatePlace(name: name, position: Scene.center, radius: .meters(400))
    }

    private static func act(_ store: TestStore, _ body: (AccountActions) throws -> Void) throws {
        try store.engine.write { session in
            let viewer = try Viewer.user(named: "ann", in: session)
            try body(AccountActions(viewer, in: session))
        }
    }

    @Test func deletedPlaceShowsPositionsAgain() throws {
        let scene = try Scene()
        let hidden = try Self.shown(scene.store)
        try Self.act(scene.store) { account in try account.deletePrivatePlace("HOME", of: "ann") }
        let all = (scene.events + scene.posts).filter { record in record.position != nil }
        #expect(try Self.shown(scene.store) == Set(all.map(\.id)))
        try Self.act(scene.store) { account in try account.setPrivatePlace(try Self.place(), of: "ann") }
        #expect(try Self.shown(scene.store) == hidden)
        #expect(try StoreDoctor(scene.store.engine).examine().allSatisfy { check in check.status == .ok })
    }

    @Test func movedEventIsShownOnlyOutsidePlace() throws {
        let scene = try Scene()
        let outside = Geodesic.destination(from: Scene.center, azimuth: 90, distance: .meters(5000))
        for position: Position? in [outside, Scene.center, nil, Scene.center, outside] {
            var record = EventRecord(habit: "run")
            record.id = "run-0"
            record.day = Day("2026-01-01")
            record.details.position = position.map { position in .value(position) } ?? .null
            try scene.store.write([.event(record), Scene.post("view-0", of: "ann", at: position)])
            let shown = try Self.shown(scene.store)
            #expect(shown.contains("run-0") == (position == outside))
            #expect(shown.contains("view-0") == (position == outside))
        }
        #expect(try StoreDoctor(scene.store.engine).examine().allSatisfy { check in check.status == .ok })
    }

    /// A change without a position keeps the position and its mark.
    @Test func changeOfCommentKeepsPositionHidden() throws {
        let scene = try Scene()
        let before = try Self.shown(scene.store)
        try scene.store.write([.event("run", "2026-01-01", id: "run-0", comment: "rain")])
        #expect(try Self.shown(scene.store) == before)
    }

    @Test func moveWithinPlaceIsSeenOnlyByOwner() throws {
        let scene = try Scene()
        let inside = Geodesic.destination(from: Scene.center, azimuth: 10, distance: .meters(50))
        for viewer in ["ann", "full"] {
            let before = try Self.state(scene.store, of: viewer)
            try scene.store.write([.event("run", "2026-02-10", id: "run-40", at: inside)])
            try scene.store.write([Scene.post("view-0", of: "ann", at: inside)])
            let after = try Self.state(scene.store, of: viewer)
            #expect((before != after) == (viewer == "ann"), "\(viewer)")
            try scene.store.write([
                .event("run", "2026-02-10", id: "run-40", at: Scene.center),
                Scene.post("view-0", of: "ann", at: Scene.center),
            ])
        }
    }

    @Test func changeOfPlaceIsSeenByFollowersOfChangedEvents() throws {
        let scene = try Scene()
        for viewer in ["full", "latest"] {
            try scene.store.write([try Scene.ann(hasPlace: true)])
            let before = try Self.state(scene.store, of: viewer)
            try scene.store.write([try Scene.ann(hasPlace: false)])
            #expect(try Self.state(scene.store, of: viewer) != before, "\(viewer)")
        }
        let before = try Self.state(scene.store, of: "full")
        let far = Geodesic.destination(from: Scene.center, azimuth: 0, distance: .meters(500_000))
        try Self.act(scene.store) { account in
            try account.setPrivatePlace(try PrivatePlace(name: "cabin", position: far), of: "ann")
        }
        #expect(try Self.state(scene.store, of: "full") == before)
    }

    @Test func stationaryPlaceKeepsItsArea() throws {
        let scene = try Scene()
        func text() throws -> [[String]] {
            try scene.store.rows(as: "ann", columns: ["private_places"]) { session, viewer in
                try UserQuery.one("ann", viewer: viewer, in: session)
            }
        }
        let before = try text()
        #expect(before[0][0].contains(" home #"))
        try scene.store.write([try Scene.ann(hasPlace: true)])
        #expect(try text() == before)
        let ofOther = try scene.store.rows(as: "full", columns: ["private_places"]) { session, viewer in
            try UserQuery.one("ann", viewer: viewer, in: session)
        }
        #expect(ofOther == [["∅"]])
    }

    @Test func exportedRecordsHideTheSamePositions() throws {
        let scene = try Scene()
        let rows = try scene.store.rows(columns: ["private_places"]) { session, viewer in
            try UserQuery.one("ann", viewer: viewer, in: session)
        }
        let exported = try PrivatePlaces(rows[0][0])
        let before = try Self.shown(scene.store)
        try Self.act(scene.store) { account in try account.deletePrivatePlace("home", of: "ann") }
        var record = UserRecord(id: "ann")
        record.privatePlaces = .value(exported)
        try scene.store.write([.user(record)])
        #expect(try Self.shown(scene.store) == before)
    }

    @Test func copyHidesTheSamePositions() throws {
        let scene = try Scene()
        let copy = try TestStore()
        _ = try StoreCopy(from: scene.store.engine, to: copy.engine).run()
        #expect(try Self.shown(copy) == Self.shown(scene.store))
        #expect(try StoreDoctor(copy.engine).examine().allSatisfy { check in check.status == .ok })
    }

    @Test func doctorRepairsMarksOfPrivatePositions() throws {
        let scene = try Scene()
        let before = try Self.shown(scene.store)
        try scene.store.engine.write { session in
            try session.run("UPDATE event SET is_private = 1 - is_private")
            try session.run("UPDATE post SET is_private = 0")
        }
        let found = try StoreDoctor(scene.store.engine).examine().filter { check in check.status == .damaged }
        #expect(found.map(\.check) == ["private-events", "private-posts"], "\(found)")
        let repaired = try StoreDoctor(scene.store.engine).repair()
        #expect(repaired.allSatisfy { check in check.status != .damaged }, "\(repaired)")
        #expect(try Self.shown(scene.store) == before)
    }

    @Test func othersCannotChangePlaces() throws {
        let scene = try Scene()
        try scene.store.engine.write { session in
            let viewer = try Viewer.user(named: "full", in: session)
            let account = AccountActions(viewer, in: session)
            #expect(throws: HabitError.self) { _ = try account.privatePlaces(of: "ann") }
            #expect(throws: HabitError.self) { try account.setPrivatePlace(try Self.place(), of: "ann") }
            #expect(throws: HabitError.self) { try account.deletePrivatePlace("home", of: "ann") }
        }
    }
}
