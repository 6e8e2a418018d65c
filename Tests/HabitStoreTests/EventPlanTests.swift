import Base
import Geo
import HabitModel
import Testing

@testable import HabitStore

/// Tests of the plan of an event query, which needs no store.
@Suite struct EventPlanTests {
    private typealias Change = @Sendable (inout EventQuery) -> Void

    private static let box = BoundingBox(west: 1, south: 2, east: 3, north: 4)
    private static let near = Position(longitude: -9.1393, latitude: 38.7223).map { Near(center: $0) }
    private static let user = Viewer.user(key: 7, id: "ana")
    private static let all = EventPlan.Abilities(findsNewestInWindow: true, isDistributed: false)

    private static func plan(
        _ viewer: Viewer,
        abilities: EventPlan.Abilities = all,
        owners: ChosenOwners? = nil,
        _ change: Change
    ) -> EventPlan {
        var query = EventQuery(viewer: viewer)
        query.limit = 10
        change(&query)
        return EventPlan(query.located, abilities, owners: owners)
    }

    private static func newest(
        _ count: Int,
        from first: Day = .first,
        to last: Day = .last
    ) -> NewestRows {
        NewestRows(count: count, days: first...last)
    }

    // MARK: The source

    @Test func operatorReadsTableWithoutAreaAndComment() {
        for scope in EventQuery.Scope.allCases {
            let plan = Self.plan(.operator) { query in query.scope = scope }
            #expect(plan.source == .table)
            #expect(plan.scopeConditions.isEmpty)
        }
    }

    @Test func operatorReadsCommentIndex() {
        let plan = Self.plan(.operator) { query in query.filter.comment = "Rain" }
        #expect(plan.source == .commentIndex("Rain"))
    }

    @Test func wordAndEqualCommentReadCommentIndex() {
        let word = Self.plan(.operator) { query in query.filter.commentWord = "rain" }
        #expect(word.source == .commentIndex("rain"))
        #expect(word.conditions == [.commentContains("rain"), .commentContainsWord("rain")])
        let equal = Self.plan(.operator) { query in query.filter.exactComment = "Rain." }
        #expect(equal.source == .commentIndex("Rain."))
        #expect(equal.conditions == [.exactComment("Rain."), .commentContains("Rain.")])
    }

    @Test func ownersAndHabitsAreReadBeforeCommentIndex() {
        let changes: [Change] = [
            { $0.filter.users = ["ana"] },
            { $0.filter.habits = ["run"] },
            { $0.filter.habitIDs = ["run"] },
            { $0.filter.habitTitles = ["Run"] },
        ]
        for change in changes {
            let plan = Self.plan(.operator) { query in
                query.filter.comment = "rain"
                change(&query)
            }
            #expect(plan.source == .table)
        }
    }

    @Test func areaOfOperatorReadsNewestEventsOfWindow() throws {
        let box = try #require(Self.box)
        let plan = Self.plan(.operator) { query in query.filter.box = box }
        #expect(plan.source == .newestInWindow(box, Self.newest(10)))
        #expect(!plan.usesOwnerIndex)
    }

    @Test func areaReadsWindowWithoutIndexOfCells() throws {
        let box = try #require(Self.box)
        let plan = Self.plan(.operator, abilities: EventPlan.Abilities()) { query in query.filter.box = box }
        #expect(plan.source == .window(box))
    }

    @Test func circleReadsItsBox() throws {
        let near = try #require(Self.near)
        for (viewer, source) in [
            (.operator, .window(near.box)), (Self.user, .ownedInWindow(near.box)),
        ] as [(Viewer, EventSource)] {
            let plan = Self.plan(viewer) { query in
                query.filter.near = near
                query.sort = .distance
            }
            #expect(plan.source == source)
        }
    }

    @Test func conditionWithBoxReadsItsBox() throws {
        let box = try #require(Self.box)
        let property = Queryable(Queryable.geometry, .point)
        let plan = Self.plan(.operator) { query in
            query.filter.condition = .spatial(.intersects, property, .box(box))
        }
        #expect(plan.source == .window(box))
    }

    @Test func conditionThatFewEventsMatchReadsWindow() throws {
        let box = try #require(Self.box)
        let changes: [Change] = [
            { $0.filter.comment = "a" }, { $0.filter.commentWord = "a" }, { $0.filter.exactComment = "a" },
            { $0.filter.condition = .constant(true) }, { $0.filter.id = "e1" }, { $0.sort = .stored },
            { $0.limit = nil },
        ]
        for change in changes {
            let plan = Self.plan(.operator) { query in
                query.filter.box = box
                change(&query)
            }
            #expect(plan.source == .window(box))
        }
    }

    @Test func boxOfWorldReadsTable() throws {
        let plan = Self.plan(Self.user) { query in
            query.scope = .mine
            query.filter.box = .world
        }
        #expect(plan.source == .table)
    }

    @Test(arguments: [(1001, true), (1002, false)])
    func windowIsReadByCellsUpToItsLimit(count: Int, isByCells: Bool) throws {
        let box = try #require(Self.box)
        let complete = Self.plan(.operator) { query in
            query.filter.box = box
            query.limit = count
        }
        let page = Self.plan(.operator) { query in
            query.filter.box = box
            query.page = Page(limit: count - 1)
        }
        let expected: EventSource = isByCells ? .newestInWindow(box, Self.newest(count)) : .window(box)
        #expect(complete.source == expected)
        #expect(page.source == expected)
    }

    @Test func scopeAllOfUserReadsNewestVisibleEvents() {
        let plan = Self.plan(Self.user) { _ in }
        #expect(plan.source == .newestVisible(Self.newest(10)))
        #expect(plan.scopeConditions == [.visible])
    }

    @Test(arguments: [(10_001, true), (10_002, false)])
    func visibleEventsAreReadInSpansUpToTheirLimit(count: Int, isInSpans: Bool) {
        let plan = Self.plan(Self.user) { query in query.limit = count }
        #expect(plan.source == (isInSpans ? .newestVisible(Self.newest(count)) : .ownedOnDays(.first ... .last)))
    }

    @Test func scopeAllOfUserReadsOwnersIfSpansCannotFindRows() {
        let changes: [Change] = [{ $0.limit = nil }, { $0.sort = .stored }, { $0.sort = .distance }]
        for change in changes {
            let plan = Self.plan(Self.user) { query in change(&query) }
            #expect(plan.source == .ownedOnDays(.first ... .last))
            #expect(plan.scopeConditions == [.visible])
        }
        let distributed = Self.plan(Self.user, abilities: EventPlan.Abilities(isDistributed: true)) { _ in }
        #expect(distributed.source == .table)
        #expect(distributed.scopeConditions == [.ownedByFollowed, .visible])
    }

    @Test func oneEventIsFoundByItsID() {
        let plan = Self.plan(Self.user) { query in query.filter.id = "e1" }
        #expect(plan.source == .table)
        #expect(plan.conditions == [.id("e1")])
        #expect(plan.scopeConditions == [.visible])
    }

    @Test func chosenOwnersAreReadByIndexOnUsers() {
        let plan = Self.plan(Self.user, owners: ChosenOwners(users: [7])) { _ in }
        #expect(plan.source == .table)
        #expect(plan.scopeConditions == [.visible])
    }

    @Test func chosenOwnersInTilesAreReadByIndexOnPositions() {
        let tiles = [MapTile.world]
        let plan = Self.plan(Self.user, owners: ChosenOwners(users: [7], tiles: tiles)) { _ in }
        #expect(plan.source == .ownedInTiles(tiles))
        #expect(plan.scopeConditions == [.visible])
        #expect(plan.usesOwnerIndex)
    }

    @Test func scopeFriendsReadsNewestEventOfEachHabit() throws {
        let plan = Self.plan(Self.user) { query in query.scope = .friends }
        #expect(plan.source == .newestOfFollowed)
        #expect(plan.scopeConditions.isEmpty)
        let box = try #require(Self.box)
        let inBox = Self.plan(Self.user) { query in
            query.scope = .friends
            query.filter.box = box
        }
        #expect(inBox.source == .newestOfFollowed)
        #expect(inBox.scopeConditions.isEmpty)
    }

    // MARK: Sources of a user

    /// The indexes of positions and comments contain the events of all users.
    @Test func noSourceOfUserIsSharedIndex() throws {
        let box = try #require(Self.box)
        let near = try #require(Self.near)
        let areas: [Change] = [
            { _ in }, { $0.filter.box = box }, { $0.filter.near = near }, { $0.filter.box = .world },
        ]
        let texts: [Change] = [
            { _ in },
            { $0.filter.comment = "a" },
            { $0.filter.commentWord = "a" },
            { $0.filter.exactComment = "a" },
        ]
        let names: [Change] = [
            { _ in },
            { $0.filter.users = ["ana"] },
            { $0.filter.habits = ["run"] },
            { $0.filter.id = "e1" },
            { $0.filter.condition = .constant(true) },
        ]
        let orders: [Change] = [
            { _ in },
            { $0.limit = nil },
            { $0.sort = .stored },
            { $0.page = Page(limit: 10) },
        ]
        var count = 0
        for scope in EventQuery.Scope.allCases {
            for changes in areas.flatMap({ area in texts.map { text in [area, text] } }) {
                for change in names.flatMap({ name in orders.map { order in [name, order] } }) {
                    let plan = Self.plan(Self.user) { query in
                        query.scope = scope
                        for change in changes + change { change(&query) }
                    }
                    count += 1
                    switch plan.source {
                    case .window, .newestInWindow, .commentIndex: Issue.record("\(plan)")
                    case .table, .newestVisible, .newestOfFollowed: break
                    case .ownedOnDays, .ownedInWindow, .ownedInTiles, .ownedContaining, .ownedContainingWord: break
                    }
                }
            }
        }
        #expect(count == 3 * 16 * 20)
    }

    @Test(arguments: [EventQuery.Scope.mine, .all]) func areaOfUserIsReadByOwner(scope: EventQuery.Scope) throws {
        let box = try #require(Self.box)
        let plan = Self.plan(Self.user) { query in
            query.scope = scope
            query.filter.box = box
            query.filter.comment = "rain"
        }
        #expect(plan.source == .ownedInWindow(box))
        #expect(plan.conditions == [.commentContains("rain")])
        #expect(plan.scopeConditions == [scope == .mine ? .own : .visible])
        #expect(plan.usesOwnerIndex)
    }

    @Test func commentOfUserIsReadByOwner() {
        let plan = Self.plan(Self.user) { query in
            query.scope = .mine
            query.filter.comment = "rain"
        }
        #expect(plan.source == .ownedContaining("rain"))
        #expect(plan.conditions == [.commentContains("rain")])
        #expect(plan.scopeConditions == [.own])
    }

    @Test func wordOfUserIsReadByOwnerInEveryScope() throws {
        let box = try #require(Self.box)
        for (scope, condition) in [
            (.mine, .own), (.friends, .newestOfFollowed), (.all, .visible),
        ] as [(EventQuery.Scope, EventCondition)] {
            let plan = Self.plan(Self.user) { query in
                query.scope = scope
                query.filter.commentWord = "rain"
                query.filter.box = box
                query.filter.habits = ["run"]
            }
            #expect(plan.source == .ownedContainingWord("rain"))
            #expect(plan.scopeConditions == [condition])
        }
    }

    @Test func habitsOfUserAreReadBeforeComments() {
        let plan = Self.plan(Self.user) { query in
            query.filter.comment = "rain"
            query.filter.habits = ["run"]
        }
        #expect(plan.source == .table)
    }

    // MARK: Days

    @Test func daysOfFilterAndPageLimitNewestRows() throws {
        let first = try #require(Day("2026-01-01"))
        let last = try #require(Day("2026-03-31"))
        let plan = Self.plan(Self.user) { query in
            query.filter.from = first
            query.filter.to = last
        }
        #expect(plan.source == .newestVisible(Self.newest(10, from: first, to: last)))
        #expect(plan.conditions == [.day(from: first, to: last)])
    }

    @Test func daysInWrongOrderReadTable() throws {
        let first = try #require(Day("2026-01-02"))
        let last = try #require(Day("2026-01-01"))
        let plan = Self.plan(Self.user) { query in
            query.filter.from = first
            query.filter.to = last
        }
        #expect(plan.source == .table)
    }

    // MARK: Conditions

    @Test func everyConditionOfFilterRemains() throws {
        let box = try #require(Self.box)
        let day = try #require(Day("2026-01-02"))
        let span = TimeSpan(from: Instant(microseconds: 0), to: nil)
        var filter = EventFilter()
        filter.id = "e1"
        filter.users = ["ana"]
        filter.habits = ["run"]
        filter.notHabits = ["read"]
        filter.habitIDs = ["swim"]
        filter.habitTitles = ["Walk"]
        filter.exactComment = "Rain."
        filter.comment = "rain"
        filter.commentWord = "rain"
        filter.from = day
        filter.during = span
        filter.boxOrUnlocated = box
        filter.condition = .constant(true)
        filter.isLocated = true
        #expect(
            filter.conditions == [
                .day(from: day, to: nil), .users(["ana"]), .habits(["run"]), .habitIDs(["swim"]),
                .habitTitles(["Walk"]), .notHabits(["read"]), .id("e1"), .located, .insideOrUnlocated(box),
                .during(span), .exactComment("Rain."), .commentContains("rain"), .commentContainsWord("rain"),
                .properties(.constant(true)),
            ])
    }

    @Test func areaImpliesPosition() throws {
        var filter = EventFilter()
        filter.isLocated = true
        filter.box = BoundingBox(west: 1, south: 2, east: 3, north: 4)
        #expect(filter.box != nil)
        #expect(filter.conditions.isEmpty)
    }
}
