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
        _ abilities: EventPlan.Abilities = all,
        hasOwnerKeys: Bool = false,
        _ change: Change
    ) -> EventPlan {
        var query = EventQuery(viewer: viewer)
        query.limit = 10
        change(&query)
        return EventPlan(query.located, abilities, hasOwnerKeys: hasOwnerKeys)
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
            { $0.filter.users = ["ana"] }, { $0.filter.habits = ["run"] }, { $0.filter.habitIDs = ["run"] },
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

    @Test func commentOfUserIsOnlyCondition() {
        let plan = Self.plan(Self.user) { query in
            query.scope = .mine
            query.filter.comment = "rain"
        }
        #expect(plan.source == .table)
        #expect(plan.conditions == [.commentContains("rain")])
        #expect(plan.scopeConditions == [.own])
    }

    @Test func areaReadsNewestEventsOfWindow() throws {
        let box = try #require(Self.box)
        for viewer in [Viewer.operator, Self.user] {
            let plan = Self.plan(viewer) { query in query.filter.box = box }
            #expect(plan.source == .newestInWindow(box, Self.newest(10)))
            #expect(!plan.usesOwnerIndex)
        }
    }

    @Test func areaReadsWindowWithoutIndexOfCells() throws {
        let box = try #require(Self.box)
        let plan = Self.plan(.operator, EventPlan.Abilities()) { query in query.filter.box = box }
        #expect(plan.source == .window(box))
    }

    @Test func circleReadsItsBox() throws {
        let near = try #require(Self.near)
        let plan = Self.plan(Self.user) { query in
            query.filter.near = near
            query.sort = .distance
        }
        #expect(plan.source == .window(near.box))
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
        #expect(plan.source == (isInSpans ? .newestVisible(Self.newest(count)) : .table))
    }

    @Test func scopeAllOfUserReadsTableIfSpansCannotFindRows() {
        let changes: [Change] = [{ $0.limit = nil }, { $0.sort = .stored }, { $0.sort = .distance }]
        for change in changes {
            let plan = Self.plan(Self.user) { query in change(&query) }
            #expect(plan.source == .table)
            #expect(plan.scopeConditions == [.ownedByFollowed, .visible])
        }
        let distributed = EventPlan.Abilities(isDistributed: true)
        #expect(Self.plan(Self.user, distributed) { _ in }.source == .table)
    }

    @Test func oneEventIsFoundByItsID() {
        let plan = Self.plan(Self.user) { query in query.filter.id = "e1" }
        #expect(plan.source == .table)
        #expect(plan.conditions == [.id("e1")])
        #expect(plan.scopeConditions == [.visible])
    }

    @Test func chosenOwnersAreReadByIndexOnUsers() {
        let plan = Self.plan(Self.user, hasOwnerKeys: true) { _ in }
        #expect(plan.source == .table)
        #expect(plan.scopeConditions == [.visible])
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
        #expect(inBox.source == .newestInWindow(box, Self.newest(10)))
        #expect(inBox.scopeConditions == [.newestOfFollowed])
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
