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

extension FeatureCollection {
    /// A resource of a collection.
    enum Resource { case list, feature, photo }

    /// Returns the methods that a resource supports.
    ///
    /// `/api` and the header `Allow` list the same methods.
    func methods(of resource: Resource) -> Set<HTTPRequest.Method> {
        guard let writes else { return [.get] }
        return switch resource {
        case .list: [.get, .post]
        case .feature: writes.update == nil ? [.get, .delete] : [.get, .put, .patch, .delete]
        case .photo:
            writes.photo == nil ? [.get] : writes.requiresPhoto ? [.get, .put] : [.get, .put, .delete]
        }
    }
}

extension FeatureWrites {
    static let habits = FeatureWrites(
        create: { record, user in try HabitActions(user).add(try record.habit(), id: try record.id()) },
        update: { id, record, user in try HabitActions(user).edit(id, try record.habit()) },
        delete: { id, user in _ = try HabitActions(user).delete(id) })

    static let events = FeatureWrites(
        create: { record, user in
            let habit = try record.required(.habit)
            let draft = try record.event()
            let id = try record.id()
            return switch try record.choice(.outcome, Outcome.self) {
            case .done, nil: try EventActions(user).add(habit: habit, draft, id: id)
            case .skipped: try EventActions(user).skip(habit: habit, draft, id: id)
            }
        },
        update: { id, record, user in
            try requireFixedFields(ofEvent: id, in: record, user)
            try EventActions(user).edit(id, try record.event())
        },
        delete: { id, user in try EventActions(user).delete(id) },
        photo: { id, photo, user in
            var draft = EventDraft()
            draft.details.photo = photo
            try EventActions(user).edit(id, draft)
        })

    static let items = FeatureWrites(
        create: { record, user in try ItemActions(user).post(try record.item(), id: try record.id()) },
        update: { id, record, user in
            try ItemActions(user).edit(id, try record.item())
            guard let state = try record.optional(.state), state != (try stateStored(ofItem: id, user)) else { return }
            switch state {
            case ItemState.withdrawn.rawValue: try ItemActions(user).withdraw(id)
            case ItemState.given.rawValue: try ItemActions(user).give(id)
            default:
                throw HabitError(
                    .itemStateConflict,
                    "an item cannot be set to '\(state)': set 'state' to 'withdrawn' or 'given', or use the collection 'claims' to claim or release the item",
                    field: "state")
            }
        },
        delete: { id, user in _ = try ItemActions(user).delete(id) },
        photo: { id, photo, user in
            var draft = ItemDraft()
            draft.photo = photo
            try ItemActions(user).edit(id, draft)
        }, requiresPhoto: true)

    static let posts = FeatureWrites(
        create: { record, user in try PostActions(user).add(try record.post(), id: try record.id()) },
        update: { id, record, user in try PostActions(user).edit(id, try record.post()) },
        delete: { id, user in try PostActions(user).delete(id) },
        photo: { id, photo, user in
            var draft = PostDraft()
            draft.photo = photo
            try PostActions(user).edit(id, draft)
        }, requiresPhoto: true)

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
        delete: { id, user in try ItemActions(user).release(try claimInForce(id, user)) })

    static let follows = FeatureWrites(
        create: { record, user in
            let followee = try record.required(.followee)
            guard try record.choice(.status, FollowStatus.self) ?? .pending == .pending else {
                throw HabitError(
                    .fieldInvalid, "only '\(followee)' can decide on the request: omit 'status'",
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
            let stored = try FollowQuery.one(of: follow, viewer: user.viewer, in: user.session)
            let texts = try texts(["status", "share"], of: stored, user)
            let status = texts["status"]
            let share = try record.choice(.share, Share.self)
            switch try record.choice(.status, FollowStatus.self) ?? status.flatMap(FollowStatus.init(rawValue:)) {
            case .rejected:
                if status != FollowStatus.rejected.rawValue {
                    try FollowActions(user).reject(follow.follower)
                }
            case .accepted:
                if share != nil || status != FollowStatus.accepted.rawValue {
                    try FollowActions(user).accept(follow.follower, share: share)
                }
            case .pending
            where status == FollowStatus.pending.rawValue && (share == nil || share?.rawValue == texts["share"]):
                break
            case .pending, nil:
                throw HabitError(
                    .fieldInvalid, "the follow request needs a decision: set 'status' to 'accepted' or 'rejected'",
                    field: "status")
            }
        },
        delete: { id, user in
            let follow = try FeatureCollection.follow(id)
            if follow.follower == user.id {
                try FollowActions(user).remove(follow.followee)
            } else {
                try FollowActions(user).drop(follow.follower)
            }
        })

    static let messages = FeatureWrites(
        create: { record, user in
            let item = try record.required(.item)
            let recipient = try record.optional(.recipient)
            let text = try record.optional(.text) ?? ""
            return try MessageActions(user).send(item: item, to: recipient, text: text, id: try record.id())
        },
        delete: { id, user in try MessageActions(user).delete(id) })

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
    private static func requireFixedFields(ofEvent id: String, in record: RecordPayload, _ user: ActingUser) throws {
        var texts: [String: String]?
        for (field, remedy) in fixedEventFields {
            guard let sent = try record.optional(field) else { continue }
            if texts == nil {
                let stored = try EventQuery.one(id, viewer: user.viewer, in: user.session)
                texts = try Self.texts(["habit", "outcome"], of: stored, user)
            }
            guard let stored = texts?[field.name], sent != stored else { continue }
            throw HabitError(
                .fieldInvalid, "'\(field.name)' cannot change from '\(stored)' to '\(sent)': \(remedy)",
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
                .itemStateConflict, "the claim '\(id)' is no longer active: its state is '\(state ?? "deleted")'",
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
        _ names: Set<String>, of selection: Selection, _ user: ActingUser
    ) throws -> [String: String] {
        try user.session.first(selection.sql) { row in
            var texts: [String: String] = [:]
            for column in selection.shape.columns where names.contains(column.name) {
                texts[column.name] = row.text(column.index)
            }
            return texts
        } ?? [:]
    }
}
