import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that a shared view shows exactly the owner's records with rounded positions, in lists, tiles, bounds and counts.
@Suite struct SharedViewTests {
    /// A record of a view, identified by its text.
    private struct Shown: Equatable {
        var text: String
        var position: Position?
    }

    private static func view(
        _ definition: ViewDefinition,
        secret: String = "hbv_test",
        in session: any Session
    ) throws -> SharedView {
        SharedView(
            definition,
            of: try .user(named: "ann", in: session),
            identity: SharedIdentity(storeKey: [1, 2, 3], secret: secret),
            clock: SharedViewScene.clock)
    }

    /// Returns the column whose text is the ID of the record in the store.
    private static func textColumn(_ layer: SharedLayer) -> String {
        layer.kind == .events ? "comment" : layer.titleColumn
    }

    private static func list(
        _ view: SharedView,
        _ layer: SharedLayer,
        within box: BoundingBox? = nil,
        in session: any Session
    ) throws -> [Shown] {
        var shown: [Shown] = []
        try view.forEach(layer, within: box, in: session) { record in
            shown.append(Shown(text: record.text(textColumn(layer)) ?? "", position: record.position))
            return true
        }
        return shown
    }

    private static func definitions() throws -> [ViewDefinition] {
        let texts = [
            #"{"layers":["events","posts","items"]}"#,
            #"{"layers":["events","posts","items"],"rounding":"quarter"}"#,
            #"{"layers":["events","posts","items"],"rounding":"city"}"#,
            #"{"layers":["posts"]}"#,
            #"{"layers":["events"],"habits":["run"],"outcome":"done"}"#,
            #"{"layers":["events"],"outcome":"skipped","rounding":"city"}"#,
            #"{"layers":["events"],"habits":["deleted","walk"]}"#,
            #"{"layers":["events"],"habits":["deleted"]}"#,
            #"{"layers":["events"],"comment":"EVENT-1"}"#,
            #"{"layers":["events","posts"],"from":"2026-01-05","to":"2026-01-20"}"#,
            #"{"layers":["events","posts"],"days":20}"#,
            #"{"layers":["events","posts","items"],"bbox":[-9.3,38.6,-9.0,38.8]}"#,
            #"{"layers":["events","posts","items"],"bbox":[170,-90,-170,20],"rounding":"city"}"#,
            #"{"layers":["events","posts","items"],"bbox":[-0.0005,-0.0005,0.0015,0.0015]}"#,
            #"{"layers":["events"],"bbox":[-10,38,-9,39],"comment":"1","days":50}"#,
        ]
        return try texts.map { text in try ViewDefinition(stored: text) }
    }

    // MARK: Brute force

    @Test func listsBoundsAndCountsEqualBruteForce() throws {
        let scene = try SharedViewScene()
        try scene.store.engine.read { session in
            for definition in try Self.definitions() {
                let view = try Self.view(definition, in: session)
                for kind in ViewDefinition.Layer.allCases {
                    let layer = SharedLayer(kind)
                    let list = try Self.list(view, layer, in: session)
                    let expected = try scene.expected(definition, kind)
                    #expect(Set(list.map(\.text)) == Set(expected.keys), "\(definition) \(kind)")
                    #expect(list.count == expected.count, "\(definition) \(kind)")
                    for record in list {
                        #expect(record.position == expected[record.text] ?? nil, "\(definition) \(record)")
                    }
                    let summary = try view.summary(of: layer, in: session)
                    #expect(summary.count == expected.count, "\(definition) \(kind)")
                    let positions = expected.values.compactMap(\.self)
                    #expect(summary.box?.west == positions.map(\.longitude).min(), "\(definition) \(kind)")
                    #expect(summary.box?.south == positions.map(\.latitude).min(), "\(definition) \(kind)")
                    #expect(summary.box?.east == positions.map(\.longitude).max(), "\(definition) \(kind)")
                    #expect(summary.box?.north == positions.map(\.latitude).max(), "\(definition) \(kind)")
                }
            }
        }
    }

    @Test func boxesEqualBruteForce() throws {
        let scene = try SharedViewScene()
        var random = SeededGenerator(seed: 71)
        try scene.store.engine.read { session in
            for rounding in ViewDefinition.Rounding.allCases {
                var definition = try ViewDefinition(layers: ViewDefinition.Layer.allCases)
                definition.rounding = rounding
                let view = try Self.view(definition, in: session)
                for kind in ViewDefinition.Layer.allCases {
                    let expected = try scene.expected(definition, kind)
                    let centers = expected.values.compactMap(\.self)
                    for _ in 0..<12 {
                        let center = try #require(centers.randomElement(using: &random))
                        let radius = Double.random(in: 0...20_000, using: &random)
                        let box = BoundingBox.around(center, within: .meters(radius))
                        let inside = expected.filter { entry in entry.value.map(box.contains) ?? false }
                        let list = try Self.list(view, SharedLayer(kind), within: box, in: session)
                        #expect(Set(list.map(\.text)) == Set(inside.keys), "\(rounding) \(kind) \(box)")
                        // A box whose edges are a rounded position contains it.
                        let only = BoundingBox(
                            west: center.longitude,
                            south: center.latitude,
                            east: center.longitude,
                            north: center.latitude)
                        let same = expected.filter { entry in entry.value == center }
                        let found = try Self.list(view, SharedLayer(kind), within: only, in: session)
                        #expect(Set(found.map(\.text)) == Set(same.keys), "\(rounding) \(kind) \(center)")
                    }
                }
            }
        }
    }

    @Test(arguments: ViewDefinition.Rounding.allCases) func tilesEqualBruteForce(
        rounding: ViewDefinition.Rounding
    ) throws {
        let scene = try SharedViewScene()
        try scene.store.engine.read { session in
            var definition = try ViewDefinition(layers: ViewDefinition.Layer.allCases)
            definition.rounding = rounding
            let view = try Self.view(definition, in: session)
            for kind in ViewDefinition.Layer.allCases {
                let positions = try scene.expected(definition, kind).values.compactMap(\.self)
                for zoom in [0, 3, 9, 14, 19] {
                    let tiles = Dictionary(grouping: positions) { position in
                        MapPoint(position).tile(at: zoom)
                    }
                    for (tile, inside) in tiles {
                        let content = try view.content(of: tile, SharedLayer(kind), in: session)
                        guard case .points(let points) = content else {
                            Issue.record("\(rounding) \(kind) \(tile) has clusters")
                            continue
                        }
                        let order = { (first: Position, second: Position) in
                            (first.longitude, first.latitude) < (second.longitude, second.latitude)
                        }
                        #expect(points.map(\.position) == inside.sorted(by: order), "\(rounding) \(kind) \(tile)")
                    }
                }
            }
        }
    }

    @Test func tileWithManyRecordsCountsThem() throws {
        let store = try TestStore()
        let place = try #require(Position(longitude: 10, latitude: 50))
        let first = try #require(Day("2024-01-01"))
        let count = SharedView.pointLimit + 1
        let events = (0..<count).map { number in
            Record.event("run", first.advanced(by: number).description, id: "e\(number)", at: place)
        }
        try store.write([.user("ann"), .habit("run", of: "ann")] + events)
        try store.engine.read { session in
            let layer = SharedLayer(.events)
            let all = try Self.view(try ViewDefinition(layers: [.events]), in: session)
            guard case .clusters(let clusters) = try all.content(of: .world, layer, in: session) else {
                Issue.record("the tile has points")
                return
            }
            #expect(clusters.map(\.count) == [count])
            var definition = try ViewDefinition(layers: [.events])
            definition.period = .between(first.advanced(by: 1), nil)
            let most = try Self.view(definition, in: session)
            guard case .points(let points) = try most.content(of: .world, layer, in: session) else {
                Issue.record("the tile has clusters")
                return
            }
            #expect(points.count == SharedView.pointLimit)
        }
    }

    // MARK: Privacy

    @Test func rowsContainNoOtherRecordsKeysAndPositions() throws {
        let scene = try SharedViewScene()
        try scene.store.engine.read { session in
            var definition = try ViewDefinition(layers: ViewDefinition.Layer.allCases)
            definition.rounding = .city
            let view = try Self.view(definition, in: session)
            for kind in ViewDefinition.Layer.allCases {
                try view.forEach(SharedLayer(kind), in: session) { record in
                    let texts = record.row.values.map { value in "\(value)" }
                    for other in scene.others + ["ann", "bob"] {
                        #expect(!texts.contains { text in text.contains("\"\(other)\"") }, "\(texts)")
                    }
                    let isID = record.id.count == 16 && record.id.allSatisfy(\.isHexDigit)
                    #expect(isID, "\(record.id)")
                    let exact = scene.records.contains { other in other.position == record.position }
                    #expect(record.position == nil || !exact, "\(record)")
                    return true
                }
            }
        }
    }

    @Test func columnsOfLayersAreKnown() {
        let columns = ViewDefinition.Layer.allCases.map { kind in SharedLayer(kind).shape.columns.map(\.name) }
        #expect(
            columns == [
                ["id", "title", "day", "outcome", "comment", "amount", "unit", "longitude", "latitude"],
                ["id", "caption", "posted_at", "longitude", "latitude"],
                ["id", "name", "description", "state", "posted_at", "expires", "longitude", "latitude"],
            ])
    }

    @Test func viewsHaveDifferentIDsForRecord() throws {
        let scene = try SharedViewScene()
        try scene.store.engine.read { session in
            let definition = try ViewDefinition(layers: [.posts])
            var ids: [[String]] = []
            for secret in ["hbv_a", "hbv_b", "hbv_a"] {
                var own: [String] = []
                try Self.view(definition, secret: secret, in: session).forEach(SharedLayer(.posts), in: session) {
                    record in
                    own.append(record.id)
                    return true
                }
                ids.append(own)
            }
            #expect(Set(ids[0]).count == ids[0].count)
            #expect(Set(ids[0]).isDisjoint(with: ids[1]))
            #expect(ids[0] == ids[2])
        }
    }

    // MARK: Tokens

    @Test func viewIsStoredWithDigestAndDefinitionOnly() throws {
        let scene = try SharedViewScene()
        try scene.store.engine.write { session in
            let actions = TokenActions(clock: SharedViewScene.clock, in: session)
            let ann = try Viewer.user(named: "ann", in: session)
            var definition = try ViewDefinition(layers: [.events])
            definition.habits = ["run"]
            let token = try actions.createView(for: ann, definition, label: "blog", lifetime: .seconds(60))
            #expect(token.secret.hasPrefix("hbv_"))
            let owner = try #require(try actions.owner(of: token.secret))
            #expect(owner.kind == .view)
            #expect(owner.viewer == ann)
            #expect(owner.view == definition)
            let views = try actions.views(of: ann)
            #expect(views.map(\.definition) == [definition])
            #expect(views.map(\.token.label) == ["blog"])
            #expect(try actions.views(of: .user(named: "bob", in: session)).isEmpty)
            let later = Clock(now: Instant(microseconds: SharedViewScene.clock.now.microseconds + 61_000_000))
            #expect(try TokenActions(clock: later, in: session).owner(of: token.secret) == nil)
            #expect(try TokenActions(clock: later, in: session).views(of: ann).isEmpty)
        }
    }

    @Test func onlyOwnerAndOperatorRevokeView() throws {
        let scene = try SharedViewScene()
        try scene.store.engine.write { session in
            let actions = TokenActions(clock: SharedViewScene.clock, in: session)
            let ann = try Viewer.user(named: "ann", in: session)
            let bob = try Viewer.user(named: "bob", in: session)
            let definition = try ViewDefinition(layers: [.events])
            for viewer in [ann, .operator] {
                let token = try actions.createView(for: ann, definition, label: nil)
                #expect(throws: HabitError.self) { try actions.revokeView(token.id, by: bob) }
                #expect(try actions.owner(of: token.secret) != nil)
                try actions.revokeView(token.id, by: viewer)
                #expect(try actions.owner(of: token.secret) == nil)
            }
            let bearer = try actions.create(for: ann, label: nil, lifetime: .seconds(60))
            #expect(throws: HabitError.self) { try actions.revokeView(bearer.id, by: ann) }
        }
    }

    @Test func viewNeedsOwnHabitsAndUser() throws {
        let scene = try SharedViewScene()
        try scene.store.engine.write { session in
            let actions = TokenActions(clock: SharedViewScene.clock, in: session)
            let ann = try Viewer.user(named: "ann", in: session)
            var definition = try ViewDefinition(layers: [.events])
            #expect(throws: HabitError.self) { try actions.createView(for: .operator, definition, label: nil) }
            for habit in ["bobs", "nothing"] {
                definition.habits = [habit]
                let error = #expect(throws: HabitError.self) {
                    try actions.createView(for: ann, definition, label: nil)
                }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test func viewBeyondLimitIsRefused() throws {
        let scene = try SharedViewScene()
        try scene.store.engine.write { session in
            let actions = TokenActions(clock: SharedViewScene.clock, in: session)
            let ann = try Viewer.user(named: "ann", in: session)
            let definition = try ViewDefinition(layers: [.events])
            for _ in 0..<TokenActions.viewLimit {
                _ = try actions.createView(for: ann, definition, label: nil)
            }
            let error = #expect(throws: HabitError.self) {
                try actions.createView(for: ann, definition, label: nil)
            }
            #expect(error?.code == .fieldInvalid)
            #expect(try actions.views(of: ann).count == TokenActions.viewLimit)
        }
    }

    @Test func definitionOfLaterVersionOpensNothing() throws {
        let scene = try SharedViewScene()
        try scene.store.engine.write { session in
            let actions = TokenActions(clock: SharedViewScene.clock, in: session)
            let ann = try Viewer.user(named: "ann", in: session)
            let token = try actions.createView(for: ann, try ViewDefinition(layers: [.events]), label: nil)
            let later = #"{"layers":["events"],"colors":"dark"}"#
            try session.run(
                "UPDATE token SET definition = \(.text(later), as: "definition") WHERE kind = 'view'")
            #expect(try actions.owner(of: token.secret) == nil)
            #expect(try actions.views(of: ann).isEmpty)
        }
    }
}
