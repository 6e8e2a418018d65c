import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// The values of the home page of a caller.
package struct Home: Sendable {
    /// The number of stored records of a kind.
    package typealias Count = RecordCount

    /// The values that depend on the caller.
    package enum Content: Sendable {
        /// A client without a session or a token.
        case visitor
        /// A user.
        case person(Person)
        /// The operator, with the numbers of records.
        case `operator`([Count])
    }

    /// The values for a user.
    package struct Person: Sendable {
        /// A habit that is due today.
        package typealias DueHabit = HabitDay
        /// The newest event of a habit of a followed user.
        package typealias NewestEvent = FriendEvent

        /// The habits that are due today, and the statuses of all habits.
        package let plan: DayPlan
        /// The kinds of entries in the inbox, with their numbers.
        package let inbox: [InboxCount]
        /// The newest events of the users whom the person follows.
        package let events: [FriendEvent]
        /// The names of the users of the events by ID; without the users that have no name.
        package let names: [String: String]
        /// The time zone of the person.
        package let zone: TimeZoneRules
    }

    /// The number of entries of one kind in an inbox.
    package struct InboxCount: Sendable {
        /// The kind: `message`, `claim` or `request`.
        package let kind: String
        /// The number of entries, from 1.
        package let count: Int
    }

    /// The values that depend on the caller.
    package let content: Content
    /// The collections whose lists the caller can read.
    package let collections: [FeatureCollection]
    /// The document of the landing page.
    package let landing: JSON
}

/// Reads the values of the home page.
package struct HomeReader: Sendable {
    /// The maximum number of events of other users.
    static let eventLimit = 10
    /// The kinds of records that the operator's page counts.
    private static let counted: [RecordKind] = [.users, .habits, .events, .items, .posts]

    private let store: StorePool
    private let publicCollections: Set<String>
    private let sections: Sections

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    ///   - sections: The parts that the server shows.
    package init(store: StorePool, publicCollections: Set<String>, sections: Sections) {
        self.store = store
        self.publicCollections = publicCollections
        self.sections = sections
    }

    /// Reads the values for the caller of a request, from one snapshot of the store.
    ///
    /// - Parameter call: The request.
    /// - Returns: The values.
    /// - Throws: An error of the store.
    package func home(for call: Call) async throws -> Home {
        let readable = FeatureCollection.readable(by: call.caller, publicCollections: publicCollections)
        return Home(
            content: try await content(for: call),
            collections: readable.filter(sections.shows),
            landing: LandingDocument.json(base: call.base, sections: sections))
    }

    private func content(for call: Call) async throws -> Home.Content {
        switch call.caller {
        case .nobody:
            return .visitor
        case .viewer(.operator):
            let counted = Self.counted.filter(sections.shows)
            let counts = try await store.read(for: call.requester) { session in
                try RecordCount.all(of: counted, in: session)
            }
            return .operator(counts)
        case .viewer(let viewer):
            let clock = call.clock
            return try await store.read(for: call.requester) { [sections] session in
                .person(try Self.person(viewer, clock: clock, sections: sections, in: session))
            }
        }
    }

    private static func person(
        _ viewer: Viewer, clock: Clock, sections: Sections, in session: any Session
    ) throws -> Home.Person {
        let user = try ActingUser(viewer, clock: clock, in: session)
        var inbox = InboxQuery(viewer: viewer)
        inbox.hasItems = sections.contains(.items)
        let waiting = try inbox.counts(in: session)
        let events = try FriendEvent.newest(eventLimit, for: viewer, in: session)
        let known = RecordNames(viewer: viewer, clock: clock, in: session)
        var names: [String: String] = [:]
        for user in Set(events.map(\.user)) {
            names[user] = try known.user(user)
        }
        return Home.Person(
            plan: try DayPlan(of: user),
            inbox: waiting.map { kind, count in Home.InboxCount(kind: kind, count: count) },
            events: events,
            names: names,
            zone: user.zone)
    }
}

extension FeatureCollection {
    /// Returns the collections whose lists a caller can read.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    /// - Returns: The collections, in their usual order.
    static func readable(by caller: Caller, publicCollections: Set<String>) -> [FeatureCollection] {
        all.filter { collection in
            switch caller {
            case .nobody: publicCollections.contains(collection.id)
            case .viewer(.operator): !collection.requiresUser
            case .viewer(.user): true
            }
        }
    }
}
