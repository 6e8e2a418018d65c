import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// A collection of OGC API - Features: a list of records of one kind.
package struct FeatureCollection: Sendable {
    package var id: String
    package var title: String
    package var description: String
    /// The kind of the records.
    ///
    /// It determines the fields that a request body may contain.
    var kind: RecordKind
    /// The object kind for access checks and photos; `nil` if the records have neither.
    package var object: AccessObject.Kind?
    /// Whether its records have positions.
    var isSpatial = true
    /// The query parameters of the list in addition to the common parameters.
    var filters: [FeatureParameter] = []
    /// The sort orders of the list, the usual one first; empty if the list has one order only.
    var sorts: [SortBy] = []
    /// The property that identifies a feature; `nil` if its ID consists of several properties.
    var identity: String? = "id"
    /// The properties of the records, from the columns of the list.
    var properties: [Queryable]
    /// The columns that are visible without a token if the collection is public; `nil` if it cannot be public.
    var publicColumns: Set<String>?
    /// Returns the query for the requested features that the viewer can see.
    var list: @Sendable (FeatureRequest, Viewer, Clock, any Session) throws -> Selection
    /// Returns the query for the feature with an ID.
    ///
    /// The query has no rows if the viewer cannot see a feature with this ID.
    var one: @Sendable (String, Viewer, Clock, any Session) throws -> Selection
    /// Returns the links of the feature with an ID in addition to the links to itself and to the collection.
    var links: @Sendable (_ id: String, _ view: FeatureView) -> [JSON] = { _, _ in [] }
    /// The changes that clients can make; `nil` if the collection is read-only.
    var writes: FeatureWrites?

    var parameters: [FeatureParameter] {
        var parameters = FeatureParameter.common
        if isSpatial { parameters += FeatureParameter.spatial }
        if !sorts.isEmpty { parameters.append(.sortby) }
        parameters += filters
        if hasPhotos { parameters.append(.photoLinks) }
        return parameters
    }

    /// The query parameters of a single feature.
    var featureParameters: [FeatureParameter] {
        hasPhotos ? [.photoLinks, .f] : [.f]
    }

    /// Whether only a user can read the collection, because the operator has no records of this kind.
    var requiresUser: Bool { id == Self.followingID }

    var canBePublic: Bool { publicColumns != nil }

    /// The property with the name of a feature's user.
    static let userName = "user_name"

    /// The properties that features have only if the parameter `properties` names them.
    ///
    /// A client without a token cannot see them.
    var optionalProperties: [String] {
        switch kind {
        case .events, .items, .posts, .pauses: [Self.userName]
        // The habits of followed users always have it.
        case .habits where id != Self.followingID: [Self.userName]
        default: []
        }
    }

    var hasPhotos: Bool { RecordKind.withPhotos.contains(kind) }

    /// Returns the column that specifies whether a record has a photo, or `nil` if no record can have one.
    func photoFlag(in shape: ResultShape) -> Column? {
        guard hasPhotos else { return nil }
        return shape.columns.first { column in column.name == "has_photo" }
    }

    static let all: [FeatureCollection] = [
        events,
        locatedEvents,
        items,
        posts,
        habits,
        pauses,
        following,
        follows,
        claims,
        messages,
        reads,
        users,
    ]

    /// Returns the collection with an ID, or `nil` if no collection has this ID.
    package static func named(_ id: String) -> FeatureCollection? {
        all.first { collection in collection.id == id }
    }

    /// Checks that collections can be public.
    ///
    /// - Parameters:
    ///   - ids: The IDs of the collections.
    ///   - sections: The parts that the server shows.
    /// - Throws: `parameter-invalid`.
    package static func requirePublic(_ ids: Set<String>, in sections: Sections) throws(HabitError) {
        let allowed = all.filter { collection in collection.canBePublic && sections.shows(collection) }
        let allowedIDs = allowed.map(\.id)
        let id = ids.first { id in !allowedIDs.contains(id) }
        guard let id else { return }
        let names = allowedIDs.joined(separator: ", ")
        throw HabitError(
            .parameterInvalid,
            "'\(id)' cannot be a public collection: use \(names)",
            field: "public-collection")
    }

    /// Returns the collection in the path of a request.
    ///
    /// - Throws: `not-found` if there is no such collection.
    static func named(in context: ServerContext) throws -> FeatureCollection {
        let id = try context.parameter("collection")
        guard let collection = named(id) else { throw unknown(id) }
        return collection
    }

    /// Returns the error of a path with a collection that the server does not have.
    static func unknown(_ id: String) -> HabitError {
        HabitError(.notFound, "unknown collection '\(id)': see /collections", field: "collection")
    }
}

extension FeatureCollection {
    private static let events = FeatureCollection(
        id: "events",
        title: "Habit events",
        description:
            "Habit events with comment, photo and position: your own events and the events that followed users share with you.",
        kind: .events,
        object: .event,
        filters: FeatureParameter.ofEvents,
        sorts: placedSorts,
        properties: RecordKind.events.queryables,
        publicColumns: eventColumns,
        list: { request, viewer, clock, session in
            let query = events(request, viewer: viewer, clock: clock, isLocated: false)
            return try query.selection(in: session)
        },
        one: { id, viewer, clock, session in
            try EventQuery.one(id, viewer: viewer, standing: clock, in: session)
        },
        writes: FeatureWrites(photo: .optional))

    /// The ID of the collection that contains only events with a position.
    static let locatedEventsID = "located-events"

    private static let locatedEvents = FeatureCollection(
        id: locatedEventsID,
        title: "Habit events with a position",
        description: "Habit events that have a position, for display on a map.",
        kind: .events,
        object: .event,
        filters: FeatureParameter.ofEvents,
        sorts: placedSorts,
        properties: RecordKind.events.queryables,
        publicColumns: eventColumns,
        list: { request, viewer, clock, session in
            let query = events(request, viewer: viewer, clock: clock, isLocated: true)
            return try query.selection(in: session)
        },
        one: { id, viewer, clock, session in
            var query = EventQuery(viewer: viewer)
            query.filter.id = id
            query.filter.isLocated = true
            query.standing = clock
            query.page = Page(limit: 1)
            return try query.selection(in: session)
        })

    /// Returns the public columns of a kind of record that has positions and photos.
    private static func publicColumns(_ kind: RecordKind) -> Set<String> {
        kind.publicColumns.union(["distance_m", "photo_url"])
    }

    private static let placedSorts: [SortBy] = [.newest, .distance]

    /// The public columns of events, without the status of the habit, which is a statistic.
    private static let eventColumns = publicColumns(.events)

    /// Returns the query for the events of a request.
    static func events(
        _ request: FeatureRequest,
        viewer: Viewer,
        clock: Clock,
        isLocated: Bool
    ) -> EventQuery {
        var query = EventQuery(viewer: viewer)
        query.isPublic = request.isPublic
        query.scope = request.scope ?? .mine
        query.filter = request.filter
        query.filter.isLocated = isLocated
        if isLocated {
            swap(&query.filter.box, &query.filter.boxOrUnlocated)
        }
        query.sort = request.placedSort
        query.page = request.page
        query.standing = clock
        query.showsUserName = request.showsUserName
        // The geometry of a feature and the URL of its photo are derived from these columns.
        query.columns = request.properties.map { names in
            Set(names).union(["longitude", "latitude", "has_photo"])
        }
        return query
    }

    /// Returns the query for the items of a request.
    static func items(
        _ request: FeatureRequest,
        viewer: Viewer,
        clock: Clock
    ) -> ItemQuery {
        var query = ItemQuery(viewer: viewer, clock: clock)
        // The default does not restrict a filter on the state.
        let filtered = request.condition?.properties ?? []
        let isFiltered = filtered.contains(FeatureParameter.state.rawValue)
        query.states = request.states ?? (isFiltered ? [] : [.available])
        query.users = request.filter.users
        query.near = request.filter.near
        query.boxOrUnlocated = request.filter.boxOrUnlocated
        query.condition = request.condition
        query.during = request.span
        query.sort = request.placedSort
        query.page = request.page
        query.isPublic = request.isPublic
        query.showsUserName = request.showsUserName
        return query
    }

    /// Returns the query for the posts of a request.
    static func posts(_ request: FeatureRequest, viewer: Viewer) -> PostQuery {
        var query = PostQuery(viewer: viewer)
        query.isPublic = request.isPublic
        query.users = request.filter.users
        query.near = request.filter.near
        query.boxOrUnlocated = request.filter.boxOrUnlocated
        query.condition = request.condition
        query.during = request.span
        query.sort = request.placedSort
        query.page = request.page
        query.showsUserName = request.showsUserName
        return query
    }

    private static let items = FeatureCollection(
        id: "items",
        title: "Give-away items",
        description:
            "Items that users give away. The list contains available items unless the request selects another state.",
        kind: .items,
        object: .item,
        filters: [.user, .state],
        sorts: placedSorts,
        properties: RecordKind.items.queryables,
        publicColumns: publicColumns(.items),
        list: { request, viewer, clock, session in
            try items(request, viewer: viewer, clock: clock).selection(in: session)
        },
        one: { id, viewer, clock, session in
            try ItemQuery.one(id, viewer: viewer, clock: clock, in: session)
        },
        writes: FeatureWrites(photo: .required))

    private static let posts = FeatureCollection(
        id: "posts",
        title: "Photo posts",
        description: "Your photo posts and the posts of the users you follow.",
        kind: .posts,
        object: .post,
        filters: [.user],
        sorts: placedSorts,
        properties: RecordKind.posts.queryables,
        publicColumns: publicColumns(.posts),
        list: { request, viewer, _, session in
            try posts(request, viewer: viewer).selection(in: session)
        },
        one: { id, viewer, _, session in
            try PostQuery.one(id, viewer: viewer, in: session)
        },
        writes: FeatureWrites(photo: .required))

    private static let habits = FeatureCollection(
        id: "habits",
        title: "Habits",
        description:
            "Your habits and the habits of the users you follow, with weekdays, status and color. Habits have no geometry.",
        kind: .habits,
        object: .habit,
        isSpatial: false,
        filters: [.user],
        properties: RecordKind.habits.queryables,
        publicColumns: RecordKind.habits.publicColumns,
        list: { request, viewer, clock, session in
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.isOfAll = true
            query.users = request.filter.users
            query.showsUserName = request.showsUserName
            query.page = request.page
            query.condition = request.condition
            return try query.selection(in: session)
        },
        one: { id, viewer, clock, session in
            try HabitQuery.one(id, viewer: viewer, clock: clock, in: session)
        },
        writes: FeatureWrites())

    private static let pauses = FeatureCollection(
        id: "pauses",
        title: "Pauses of habits",
        description:
            "Your pauses and the pauses of the users you follow, latest first. A pause without 'habit' pauses all habits of the user, and a pause without 'to' has no end. The days of a pause are neither due nor missed.",
        kind: .pauses,
        object: .pause,
        isSpatial: false,
        filters: [.user],
        properties: RecordKind.pauses.queryables,
        list: { request, viewer, _, session in
            var query = PauseQuery(viewer: viewer)
            query.users = request.filter.users
            query.showsUserName = request.showsUserName
            query.page = request.page
            query.condition = request.condition
            return try query.selection(in: session)
        },
        one: { id, viewer, _, session in
            try PauseQuery.one(id, viewer: viewer, in: session)
        },
        writes: FeatureWrites())

    private static let followingID = "following"

    private static let following = FeatureCollection(
        id: followingID,
        title: "Habits of followed users",
        description:
            "The habits of the users you follow, by user and title, with status and color. The ID is the ID of the habit.",
        kind: .habits,
        object: .habit,
        isSpatial: false,
        filters: [.user],
        identity: "habit",
        properties: FollowingQuery.queryables,
        list: { request, viewer, clock, session in
            var query = try followingQuery(viewer, clock)
            query.users = request.filter.users
            query.page = request.page
            query.condition = request.condition
            return try query.selection(in: session)
        },
        one: { id, viewer, clock, session in
            var query = try followingQuery(viewer, clock)
            query.habit = id
            return try query.selection(in: session)
        })

    private static func followingQuery(_ viewer: Viewer, _ clock: Clock) throws -> FollowingQuery {
        guard viewer != .operator else {
            throw Problem.userRequired("the operator has no follows: send the token of a user")
        }
        return FollowingQuery(viewer: viewer, clock: clock)
    }

    private static let follows = FeatureCollection(
        id: "follows",
        title: "Follows",
        description:
            "Your follows, your followers and pending requests. The ID is FOLLOWER/FOLLOWEE, with %25 for % and %2F for / in FOLLOWER.",
        kind: .follows,
        isSpatial: false,
        filters: [.status],
        identity: nil,
        properties: RecordKind.follows.queryables,
        list: { request, viewer, _, session in
            var query = FollowQuery(viewer: viewer)
            query.status = request.status
            query.during = request.span
            query.page = request.page
            query.condition = request.condition
            return try query.selection(in: session)
        },
        one: { id, viewer, _, session in
            try FollowQuery.one(of: follow(id), viewer: viewer, in: session)
        },
        writes: FeatureWrites())

    private static let claims = FeatureCollection(
        id: "claims",
        title: "Claims on items",
        description:
            "Your claims and the claims on your items. The ID is ITEM/USER, with %25 for % and %2F for / in ITEM.",
        kind: .claims,
        isSpatial: false,
        identity: nil,
        properties: RecordKind.claims.queryables,
        list: { request, viewer, _, session in
            var query = ClaimQuery(viewer: viewer)
            query.during = request.span
            query.condition = request.condition
            query.page = request.page
            return try query.selection(in: session)
        },
        one: { id, viewer, _, session in
            try ClaimQuery.one(of: claim(id), viewer: viewer, in: session)
        },
        links: { id, view in [messageLink(id, view)] },
        writes: FeatureWrites())

    /// Returns the link of a claim that prompts the claimant to message the poster, or vice versa.
    private static func messageLink(_ id: String, _ view: FeatureView) -> JSON {
        let claim = CompositeID.pair(id)
        var address = "\(view.base)/collections/messages/items"
        if let claim {
            address += "?\(FeatureParameter.item)=\(claim.first.urlEncoded)"
        }
        var isClaimant = false
        if case .user(_, let user) = view.viewer {
            isClaimant = user == claim?.second
        }
        return FeaturePage.link(
            "message",
            to: address,
            type: .geoJSON,
            title: "Message the \(isClaimant ? "poster" : "claimer") to arrange the handover of the item.")
    }

    private static let messages = FeatureCollection(
        id: "messages",
        title: "Messages about items",
        description: "Messages that you sent or received.",
        kind: .messages,
        object: .message,
        isSpatial: false,
        filters: [.user, .item],
        sorts: [.oldest, .newest],
        properties: RecordKind.messages.queryables,
        list: { request, viewer, _, session in
            var query = MessageQuery(viewer: viewer)
            guard request.filter.users.count <= 1 else {
                throw Problem.invalid("user", "'user' has several IDs: send one ID for messages")
            }
            query.user = request.filter.users.first
            query.item = request.item
            query.during = request.span
            query.condition = request.condition
            query.page = request.page
            query.isNewestFirst = request.sort == .newest
            return try query.selection(in: session)
        },
        one: { id, viewer, _, session in
            var query = MessageQuery(viewer: viewer)
            query.id = id
            return try query.selection(in: session)
        },
        writes: FeatureWrites(canUpdate: false))

    private static let reads = FeatureCollection(
        id: "reads",
        title: "Read markers",
        description:
            "The instants until which you have read the messages about items. No other user sees them. The ID is ITEM/USER, with %25 for % and %2F for / in ITEM.",
        kind: .reads,
        isSpatial: false,
        identity: nil,
        properties: RecordKind.reads.queryables,
        list: { request, viewer, _, session in
            var query = ReadQuery(viewer: viewer)
            query.during = request.span
            query.condition = request.condition
            query.page = request.page
            return try query.selection(in: session)
        },
        one: { id, viewer, _, session in
            try ReadQuery.one(of: pair(id, "read marker", form: "ITEM/USER"), viewer: viewer, in: session)
        })

    private static let users = FeatureCollection(
        id: "users",
        title: "Users",
        description:
            "The other users. 'following' is the status of your follow of the user, and 'follower' the status of the user's follow of you.",
        kind: .users,
        object: .user,
        isSpatial: false,
        filters: [.search],
        properties: RecordKind.users.queryables,
        list: { request, viewer, _, session in
            var query = UserQuery(viewer: viewer)
            query.search = request.search
            query.condition = request.condition
            query.page = request.page
            return try query.selection(in: session)
        },
        one: { id, viewer, _, session in
            var query = UserQuery(viewer: viewer)
            query.id = id
            return try query.selection(in: session)
        })

    /// Returns the IDs of the two users of a follow.
    ///
    /// - Throws: `not-found` if `id` does not contain a slash.
    static func follow(_ id: String) throws -> (follower: String, followee: String) {
        try pair(id, "follow", form: "FOLLOWER/FOLLOWEE")
    }

    /// Returns the IDs of the item and of the user of a claim.
    ///
    /// - Throws: `not-found` if `id` does not contain a slash.
    static func claim(_ id: String) throws -> (item: String, user: String) {
        try pair(id, "claim", form: "ITEM/USER")
    }

    /// Returns the two parts of the ID of a relation.
    ///
    /// - Parameters:
    ///   - id: The ID of the relation.
    ///   - kind: The name of the relation, for the error.
    ///   - form: The form of the ID, for the error.
    /// - Returns: The IDs of the two records.
    /// - Throws: `not-found` if `id` does not contain a slash.
    private static func pair(
        _ id: String,
        _ kind: String,
        form: String
    ) throws -> (String, String) {
        guard let pair = CompositeID.pair(id) else {
            throw HabitError(
                .notFound,
                "there is no \(kind) '\(id)' that you may see: the ID is \(form), with the slash percent-encoded",
                field: "id")
        }
        return pair
    }
}
