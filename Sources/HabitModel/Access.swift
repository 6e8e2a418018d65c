/// Who asks for something.
public enum Actor: Sendable, Equatable {
    /// Who owns the store: sees everything, and acts for nobody.
    case `operator`
    /// A signed-in user, by id.
    case user(String)
    /// Somebody who has not said who they are.
    case nobody
}

/// What one may want to do with a thing.
public enum Action: Sendable, CaseIterable {
    /// See it, and its photo.
    case view
    /// See what is for its owner alone: a habit's reason and numbers, a user's address.
    case viewPrivate
    case edit
    case delete
    /// Record an event of a habit.
    case record
    /// Take an item, give a claim on it up, say that it was handed over, take it back.
    case claim, release, give, withdraw
    /// Write to the other side of an item.
    case discuss
}

/// A thing that somebody wants to do something with: what must be known of it, and of the actor beside it, to decide.
public struct AccessObject: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case user, habit, event, item, post, message
    }

    public var kind: Kind
    public var id: String
    /// The user whose it is: an item's poster, a message's sender, a user themselves.
    public var owner: String
    /// What the owner grants the actor as an accepted follower; nil where the actor is none.
    public var grant: Share?
    /// An event: whether it is the newest of its habit.
    public var isNewest = false
    /// Whether the actor is the other side: a message's recipient, an item's claimer.
    public var isOtherSide = false
    /// A post: whether only its tombstone is left.
    public var isDeleted = false
    /// An item: whether the actor may write to the one asked about, after a claim or a message received from them.
    public var isInTouch = false

    public init(_ kind: Kind, id: String, owner: String, grant: Share? = nil) {
        self.kind = kind
        self.id = id
        self.owner = owner
        self.grant = grant
    }
}

/// Why something is not allowed.
public enum Denial: Sendable, Equatable {
    /// It was there, and its owner has deleted it.
    case deleted
    /// It takes a user, and nobody has signed in.
    case notSignedIn
    /// The actor may not know that there is such a thing.
    case invisible
    /// The actor sees it, and it is somebody else's.
    case notYours
    /// Nobody claims an item of their own.
    case ownItem
    /// The two are not in touch over this item.
    case messageNotPermitted
}

/// Who may do what: the one place that says so.
///
/// Lists choose their rows by the same rules in SQL, so that no filter finds what may not be seen; a test holds the two
/// against each other for every actor, object and action.
public enum Access {
    /// Nil: allowed.
    public static func denial(of action: Action, to actor: Actor, on object: AccessObject) -> Denial? {
        switch actor {
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

    /// Throws what the denial means to the one who asked; see ``Denial``.
    public static func require(_ action: Action, by actor: Actor, on object: AccessObject) throws(HabitError) {
        guard let denial = denial(of: action, to: actor, on: object) else { return }
        throw error(denial, kind: object.kind, id: object.id)
    }

    /// The same sentence whether a thing may not be seen or never was.
    public static func notFound(_ kind: AccessObject.Kind, _ id: String) -> HabitError {
        error(.invisible, kind: kind, id: id)
    }

    /// The operator sees all and looks after the accounts; what is done in somebody's name takes that user.
    private static func isForOperator(_ action: Action, _ kind: AccessObject.Kind) -> Bool {
        switch action {
        case .view, .viewPrivate: true
        case .edit, .delete: kind == .user
        default: false
        }
    }

    private static func isVisible(_ object: AccessObject, to user: String) -> Bool {
        let isOwner = object.owner == user
        return switch object.kind {
        case .user, .item: true
        case .habit, .post: isOwner || object.grant != nil
        case .event: isOwner || object.grant == .all || (object.grant == .latest && object.isNewest)
        case .message: isOwner || object.isOtherSide
        }
    }

    private static func denial(of action: Action, toViewer user: String, _ object: AccessObject) -> Denial? {
        let isOwner = object.owner == user
        switch action {
        case .view: return nil
        case .claim: return isOwner ? .ownItem : nil
        case .release: return isOwner || object.isOtherSide ? nil : .notYours
        case .discuss: return object.isInTouch ? nil : .messageNotPermitted
        case .viewPrivate, .edit, .delete, .record, .give, .withdraw: return isOwner ? nil : .notYours
        }
    }

    /// What it takes a user for, and nobody has signed in.
    public static let notSignedIn = HabitError(
        .notSignedIn, "only a user can do this", .signIn)

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
                .notFound, "there is no \(kind.rawValue) '\(id)' that you may see", subject: ErrorSubject(kind, id),
                field: kind.rawValue)
        case .notYours:
            HabitError(
                .notYours, "the \(kind.rawValue) '\(id)' is not yours: only its owner may do that",
                subject: ErrorSubject(kind, id))
        case .ownItem:
            HabitError(
                .ownItem, "the item '\(id)' is your own", subject: ErrorSubject(kind, id), .take(.withdrawItem))
        case .messageNotPermitted:
            HabitError(
                .messageNotPermitted,
                "messages about the item '\(id)' go between its poster and who has claimed it: claim it first, or answer who has written to you",
                subject: ErrorSubject(kind, id))
        }
    }
}
