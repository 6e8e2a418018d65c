import Base
import HTTPTypes
import HabitIngest
import HabitModel
import HabitStore
import Photos

/// The operations that change the features of a collection.
///
/// They call the functions that the command line calls.
struct FeatureWrites: Sendable {
    /// Creates a feature from a record and returns its ID.
    var create: @Sendable (RecordPayload, ActingUser) throws -> String
    /// Changes the feature with an ID; `nil` if features cannot be changed.
    ///
    /// The operation checks that the user may change the feature.
    var update: (@Sendable (String, RecordPayload, ActingUser) throws -> Void)?
    /// Deletes the feature with an ID.
    var delete: @Sendable (String, ActingUser) throws -> Void
    /// Sets or removes the photo of the feature with an ID; `nil` if features have no photo.
    var photo: (@Sendable (String, FieldInput<Photo>, ActingUser) throws -> Void)?
    /// Whether a feature always has a photo, which therefore cannot be deleted.
    var requiresPhoto = false
}

extension FeatureWrites {
    static let habits = FeatureWrites(
        create: { record, user in
            let habit = try record.habit()
            return try HabitActions(user).add(habit, id: try record.id())
        },
        update: { id, record, user in
            let habit = try record.habit()
            try HabitActions(user).edit(id, habit)
        },
        delete: { id, user in
            _ = try HabitActions(user).delete(id)
        })

    static let events = FeatureWrites(
        create: { record, user in
            let habit = try record.required(.habit)
            let draft = try record.event()
            let id = try record.id()
            let actions = EventActions(user)
            return switch try record.choice(.outcome, Outcome.self) {
            case .done, nil: try actions.add(habit: habit, draft, id: id)
            case .skipped: try actions.skip(habit: habit, draft, id: id)
            }
        },
        update: { id, record, user in
            try requireFixedFields(ofEvent: id, in: record, user)
            let draft = try record.event()
            try EventActions(user).edit(id, draft)
        },
        delete: { id, user in
            try EventActions(user).delete(id)
        },
        photo: { id, photo, user in
            var draft = EventDraft()
            draft.details.photo = photo
            try EventActions(user).edit(id, draft)
        })

    static let items = FeatureWrites(
        create: { record, user in
            let item = try record.item()
            return try ItemActions(user).post(item, id: try record.id())
        },
        update: { id, record, user in
            let actions = ItemActions(user)
            try actions.edit(id, try record.item())
            guard let state = try record.optional(.state) else { return }
            guard state != (try stateStored(ofItem: id, user)) else { return }
            switch state {
            case ItemState.withdrawn.rawValue: try actions.withdraw(id)
            case ItemState.given.rawValue: try actions.give(id)
            default:
                throw HabitError(
                    .itemStateConflict,
                    "an item cannot be set to '\(state)': set 'state' to 'withdrawn' or 'given', or use the collection 'claims' to claim or release the item",
                    field: "state")
            }
        },
        delete: { id, user in
            _ = try ItemActions(user).delete(id)
        },
        photo: { id, photo, user in
            var draft = ItemDraft()
            draft.photo = photo
            try ItemActions(user).edit(id, draft)
        },
        requiresPhoto: true)

    static let posts = FeatureWrites(
        create: { record, user in
            let post = try record.post()
            return try PostActions(user).add(post, id: try record.id())
        },
        update: { id, record, user in
            let post = try record.post()
            try PostActions(user).edit(id, post)
        },
        delete: { id, user in
            try PostActions(user).delete(id)
        },
        photo: { id, photo, user in
            var draft = PostDraft()
            draft.photo = photo
            try PostActions(user).edit(id, draft)
        },
        requiresPhoto: true)

    static let claims = FeatureWrites(
        create: { record, user in
            let item = try record.required(.item)
            try ItemActions(user).claim(item)
            return CompositeID.text([item, user.id])
        },
        update: { id, record, user in
            let item = try claimInForce(id, user)
            switch try record.choice(.state, ClaimState.self) {
            case .given: try ItemActions(user).give(item)
            case .released: try ItemActions(user).release(item)
            case .claimed, nil: break
            }
        },
        delete: { id, user in
            let item = try claimInForce(id, user)
            try ItemActions(user).release(item)
        })

    static let follows = FeatureWrites(
        create: { record, user in
            let followee = try record.required(.followee)
            let status = try record.choice(.status, FollowStatus.self)
            guard status == nil || status == .pending else {
                throw HabitError(
                    .fieldInvalid,
                    "only '\(followee)' can decide on the request: omit 'status'",
                    field: Field.status.name)
            }
            try FollowActions(user).request(followee)
            return CompositeID.text([user.id, followee])
        },
        update: { id, record, user in
            let follow = try FeatureCollection.follow(id)
            guard follow.followee == user.id else {
                throw HabitError(
                    .notYours,
                    "only the followed user '\(follow.followee)' can change this follow: send the token of that user")
            }
            let query = try FollowQuery.one(of: follow, viewer: user.viewer, in: user.session)
            let stored = try texts(["status", "share"], of: query, user)
            try decide(on: follow.follower, from: record, stored: stored, user)
        },
        delete: { id, user in
            let follow = try FeatureCollection.follow(id)
            let actions = FollowActions(user)
            if follow.follower == user.id {
                try actions.remove(follow.followee)
            } else {
                try actions.drop(follow.follower)
            }
        })

    /// Accepts or rejects the request of a follower, if that changes the follow.
    ///
    /// - Parameters:
    ///   - follower: The ID of the follower.
    ///   - record: The record in the request.
    ///   - stored: The stored values of the follow by column name.
    ///   - user: The followed user.
    /// - Throws: `field-invalid` if the record contains no decision.
    private static func decide(
        on follower: String,
        from record: RecordPayload,
        stored: [String: String],
        _ user: ActingUser
    ) throws {
        let status = stored["status"].flatMap(FollowStatus.init(rawValue:))
        let share = try record.choice(.share, Share.self)
        let wanted = try record.choice(.status, FollowStatus.self) ?? status
        let keepsShare = share == nil || share?.rawValue == stored["share"]
        switch wanted {
        case .rejected:
            guard status != .rejected else { return }
            try FollowActions(user).reject(follower)
        case .accepted:
            guard share != nil || status != .accepted else { return }
            try FollowActions(user).accept(follower, share: share)
        case .pending where status == .pending && keepsShare:
            break
        case .pending, nil:
            throw HabitError(
                .fieldInvalid,
                "the follow request needs a decision: set 'status' to 'accepted' or 'rejected'",
                field: "status")
        }
    }

    static let messages = FeatureWrites(
        create: { record, user in
            let item = try record.required(.item)
            let recipient = try record.optional(.recipient)
            let text = try record.optional(.text) ?? ""
            return try MessageActions(user).send(
                item: item,
                to: recipient,
                text: text,
                id: try record.id())
        },
        delete: { id, user in
            try MessageActions(user).delete(id)
        })

    /// The fields of an event that cannot change after the event has been created, and the remedies for a change.
    private static let fixedEventFields: [(field: Field, remedy: String)] = [
        (.habit, "delete the event and create an event of the other habit"),
        (.outcome, "delete the event and create another event"),
    ]

    /// Checks that a record does not change a fixed field of an event.
    ///
    /// The event is read only if the record contains such a field.
    ///
    /// - Parameters:
    ///   - id: The ID of the event.
    ///   - record: The record in the request.
    ///   - user: The user who changes the event.
    /// - Throws: `field-invalid` if the record contains another value than the event.
    private static func requireFixedFields(
        ofEvent id: String,
        in record: RecordPayload,
        _ user: ActingUser
    ) throws {
        var texts: [String: String]?
        for (field, remedy) in fixedEventFields {
            guard let sent = try record.optional(field) else { continue }
            if texts == nil {
                let stored = try EventQuery.one(id, viewer: user.viewer, in: user.session)
                texts = try Self.texts(["habit", "outcome"], of: stored, user)
            }
            guard let stored = texts?[field.name], sent != stored else { continue }
            throw HabitError(
                .fieldInvalid,
                "'\(field.name)' cannot change from '\(stored)' to '\(sent)': \(remedy)",
                field: field.name)
        }
    }

    /// Returns the item of an active claim.
    ///
    /// - Throws: `item-state-conflict` if the claim is no longer active.
    private static func claimInForce(_ id: String, _ user: ActingUser) throws -> String {
        let claim = try FeatureCollection.claim(id)
        let stored = try ClaimQuery.one(of: claim, viewer: user.viewer, in: user.session)
        let state = try texts(["state"], of: stored, user)["state"]
        guard state == ClaimState.claimed.rawValue else {
            throw HabitError(
                .itemStateConflict,
                "the claim '\(id)' is no longer active: its state is '\(state ?? "deleted")'",
                field: "state")
        }
        return claim.item
    }

    private static func stateStored(ofItem id: String, _ user: ActingUser) throws -> String? {
        let stored = try ItemQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        return try texts(["state"], of: stored, user)["state"]
    }

    /// Returns the non-null text values of the first row by column name.
    ///
    /// Returns no values if the query has no rows.
    private static func texts(
        _ names: Set<String>,
        of selection: Selection,
        _ user: ActingUser
    ) throws -> [String: String] {
        let columns = selection.shape.columns.filter { column in names.contains(column.name) }
        let texts = try user.session.first(selection.sql) { row in
            var texts: [String: String] = [:]
            for column in columns {
                texts[column.name] = row.text(column.index)
            }
            return texts
        }
        return texts ?? [:]
    }
}
