import Base

/// The user or the operator whose permission is checked, or an anonymous client.
public enum Principal: Sendable, Equatable {
    /// The owner of the store.
    ///
    /// The operator can read all records and manage accounts, but cannot act in the name of a user.
    case `operator`
    /// A signed-in user, identified by ID.
    case user(String)
    /// An anonymous client without a user.
    case nobody
}

/// An action on a record that requires a permission.
public enum Action: Sendable, CaseIterable {
    /// Read the record and its photo.
    case view
    /// Read the private data of the owner, such as the reason and the statistics of a habit.
    case viewPrivate
    /// Read the exact position of the record.
    ///
    /// All users that can see an item can read the center of its cell in a grid.
    case viewPosition
    /// Change the record.
    case edit
    /// Delete the record.
    case delete
    /// Record an event of a habit.
    case record
    /// Claim an item, release the claim, mark the item as given, or withdraw the item.
    case claim, release, give, withdraw
    /// Send a message about an item to another user.
    case discuss
}

/// The properties of a record, and of its relation to the principal, that determine the permissions.
public struct AccessObject: Sendable, Equatable {
    /// The kinds of records that have access rules.
    ///
    /// The raw value appears in error messages.
    public enum Kind: String, Sendable, CaseIterable {
        case user, habit, pause, event, item, post, message
    }

    /// The kind of the record.
    public var kind: Kind
    /// The ID of the record.
    public var id: String
    /// The ID of the owner: the poster of an item, the sender of a message, or the ID of the user record itself.
    public var owner: String
    /// The share level that the owner grants the principal, or `nil` without an accepted follow.
    public var grant: Share?
    /// Whether an event is the newest of its habit.
    ///
    /// `false` for other kinds.
    public var isNewest = false
    /// Whether the principal is the recipient of a message or the claimant of an item.
    ///
    /// `false` for other kinds.
    public var isOtherSide = false
    /// Whether a post is deleted, so that only its tombstone remains.
    ///
    /// `false` for other kinds.
    public var isDeleted = false
    /// Whether the principal may send a message about an item to the requested recipient.
    ///
    /// One of the two users must be the poster. The other must have claimed the item or sent the principal a message
    /// about it.
    public var isCorrespondent = false
    /// Whether a block hides the owner and the principal, or the two parties of a message, from each other.
    public var isBlocked = false

    /// Creates an object.
    ///
    /// All Boolean properties are `false`.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record.
    ///   - owner: The ID of the owner.
    ///   - grant: The share level that the owner grants the principal, or `nil` without an accepted follow.
    public init(_ kind: Kind, id: String, owner: String, grant: Share? = nil) {
        self.kind = kind
        self.id = id
        self.owner = owner
        self.grant = grant
    }
}

/// The reason why a principal may not perform an action.
public enum Denial: Sendable, Equatable {
    /// The owner has deleted the record.
    case deleted
    /// The action requires a user, and the principal is not a user.
    case notSignedIn
    /// The principal may not see the record. The error does not reveal whether the record exists.
    case invisible
    /// The principal can see the record, but only its owner may perform the action.
    case notYours
    /// The item belongs to the principal, and users cannot claim their own items.
    case ownItem
    /// The principal and the recipient are not in contact about the item (see ``AccessObject/isCorrespondent``).
    case messageNotPermitted
}

/// The access rules: the permitted actions of each principal on each record.
///
/// This type is the only implementation of the rules for single records. Lists select their rows by the same rules in
/// SQL, so that a filter cannot find a row that the principal may not see. A test compares both implementations for
/// every principal, object and action.
public enum Access {
    /// Checks whether a principal may perform an action.
    ///
    /// - Parameters:
    ///   - action: The action to check.
    ///   - principal: The principal of the request.
    ///   - object: The record, with its relation to the principal.
    /// - Returns: The reason for the denial, or `nil` if the action is allowed.
    public static func denial(of action: Action, to principal: Principal, on object: AccessObject) -> Denial? {
        switch principal {
        case .nobody: return .notSignedIn
        case .operator:
            guard isForOperator(action, object.kind) else { return .notSignedIn }
            return object.isDeleted ? .deleted : nil
        case .user(let user):
            guard isVisible(object, to: user) else { return .invisible }
            if object.isDeleted { return .deleted }
            return denial(of: action, toViewer: user, object)
        }
    }

    /// Throws an error unless a principal may perform an action.
    ///
    /// - Parameters:
    ///   - action: The action to check.
    ///   - principal: The principal of the request.
    ///   - object: The record, with its relation to the principal.
    /// - Throws: The error for the ``Denial``: `post-deleted`, `not-signed-in`, `not-found`, `not-yours`, `own-item` or
    ///   `message-not-permitted`.
    public static func require(_ action: Action, by principal: Principal, on object: AccessObject) throws(HabitError) {
        guard let denial = denial(of: action, to: principal, on: object) else { return }
        throw error(denial, kind: object.kind, id: object.id)
    }

    /// Returns the `not-found` error of a record.
    ///
    /// The text is the same for an invisible and for an unknown record.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - id: The ID in the request.
    /// - Returns: The error, with the kind and the ID of the record in its message.
    public static func notFound(_ kind: AccessObject.Kind, _ id: String) -> HabitError {
        // NFC, as in ``AccessObject``: the errors for a hidden record and for a missing record must be equal.
        error(.invisible, kind: kind, id: id.composed)
    }

    /// Whether the operator may perform an action: read any record, and edit or delete accounts.
    ///
    /// Other actions need a user, because the record is changed in the user's name.
    private static func isForOperator(_ action: Action, _ kind: AccessObject.Kind) -> Bool {
        switch action {
        case .view, .viewPrivate, .viewPosition: true
        case .edit, .delete: kind == .user
        default: false
        }
    }

    /// Whether a user may see a record.
    private static func isVisible(_ object: AccessObject, to user: String) -> Bool {
        guard !object.isBlocked else { return false }
        let isOwner = object.owner == user
        return switch object.kind {
        case .user, .item: true
        case .habit, .pause, .post: isOwner || object.grant != nil
        case .event: isOwner || object.grant == .all || (object.grant == .latest && object.isNewest)
        case .message: isOwner || object.isOtherSide
        }
    }

    /// Checks an action of a user who can see the record.
    private static func denial(of action: Action, toViewer user: String, _ object: AccessObject) -> Denial? {
        let isOwner = object.owner == user
        switch action {
        case .view: return nil
        case .viewPosition: return object.kind != .item || isOwner || object.isOtherSide ? nil : .notYours
        case .claim: return isOwner ? .ownItem : nil
        case .release: return isOwner || object.isOtherSide ? nil : .notYours
        case .discuss: return object.isCorrespondent ? nil : .messageNotPermitted
        case .viewPrivate, .edit, .delete, .record, .give, .withdraw: return isOwner ? nil : .notYours
        }
    }

    /// The error for an action that requires a user, if the principal is not a user.
    public static let notSignedIn = HabitError(
        .notSignedIn, "this action requires a user", .signIn)

    /// Returns the error that describes a denial.
    private static func error(_ denial: Denial, kind: AccessObject.Kind, id: String) -> HabitError {
        switch denial {
        case .deleted:
            HabitError(
                .postDeleted, "the \(kind.rawValue) '\(id)' has been deleted by its owner",
                subject: ErrorSubject(kind, id), field: kind.rawValue)
        case .notSignedIn:
            notSignedIn
        case .invisible:
            HabitError(
                .notFound, "the \(kind.rawValue) '\(id)' does not exist or is not visible to you",
                subject: ErrorSubject(kind, id),
                field: kind.rawValue)
        case .notYours where kind == .user:
            HabitError(
                .notYours, "only the user '\(id)' and the operator can do this",
                subject: ErrorSubject(kind, id),
                .actAsOperator)
        case .notYours:
            HabitError(
                .notYours, "the \(kind.rawValue) '\(id)' belongs to another user: only its owner can do this",
                subject: ErrorSubject(kind, id))
        case .ownItem:
            HabitError(
                .ownItem, "the item '\(id)' is your own: only other users can claim it",
                subject: ErrorSubject(kind, id),
                .take(.withdrawItem))
        case .messageNotPermitted:
            HabitError(
                .messageNotPermitted,
                "you cannot send this user a message about the item '\(id)': claim the item, or reply to a user who has sent you a message about it",
                subject: ErrorSubject(kind, id))
        }
    }
}

extension ErrorSubject {
    /// Creates a reference to a record that has access rules.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record.
    public init(_ kind: AccessObject.Kind, _ id: String) { self.init(kind: kind.rawValue, id: id) }
}
