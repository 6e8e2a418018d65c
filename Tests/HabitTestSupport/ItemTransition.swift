/// An action on an item in one state, with the new state or the error for each user (rule G-04).
///
/// ``StoreTemplate/sharing`` contains the items.
public struct ItemTransition: Sendable, CustomStringConvertible {
    /// The action: claim, release, give, withdraw, edit or delete.
    public var action: String
    /// The state of the item before the action.
    public var state: String
    /// The users, and the outcome for each of them.
    ///
    /// `nil` is the operator, and the empty text stands for a request without a user.
    public var outcomes: [(user: String?, outcome: String)]

    /// The action and the state.
    public var description: String { "\(action) \(state)" }

    /// The columns are action, state, and the outcomes for the poster, the claimant (with a released claim unless one
    /// is in force) and a stranger.
    public static let all: [ItemTransition] = """
        claim    available own-item            claimed              claimed
        claim    claimed   own-item            item-already-claimed item-already-claimed
        claim    given     own-item            item-unavailable     item-unavailable
        claim    withdrawn own-item            item-unavailable     item-unavailable
        claim    expired   own-item            item-unavailable     item-unavailable
        release  available item-state-conflict not-yours            not-yours
        release  claimed   available           available            not-yours
        release  given     item-state-conflict item-state-conflict  not-yours
        release  withdrawn item-state-conflict not-yours            not-yours
        release  expired   item-state-conflict not-yours            not-yours
        give     available item-state-conflict not-yours            not-yours
        give     claimed   given               not-yours            not-yours
        give     given     item-state-conflict not-yours            not-yours
        give     withdrawn item-state-conflict not-yours            not-yours
        give     expired   item-state-conflict not-yours            not-yours
        withdraw available withdrawn           not-yours            not-yours
        withdraw claimed   withdrawn           not-yours            not-yours
        withdraw given     item-state-conflict not-yours            not-yours
        withdraw withdrawn item-state-conflict not-yours            not-yours
        withdraw expired   item-state-conflict not-yours            not-yours
        edit     available available           not-yours            not-yours
        edit     claimed   claimed             not-yours            not-yours
        edit     given     given               not-yours            not-yours
        edit     withdrawn withdrawn           not-yours            not-yours
        edit     expired   expired             not-yours            not-yours
        delete   available gone                not-yours            not-yours
        delete   claimed   gone                not-yours            not-yours
        delete   given     gone                not-yours            not-yours
        delete   withdrawn gone                not-yours            not-yours
        delete   expired   gone                not-yours            not-yours
        """.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            var users: [String?] = ["pat", "cleo", "sam"]
            // A request without a user and one of the operator are refused before the state is checked.
            if ["available", "claimed"].contains(words[1]) { users += ["", nil] }
            let outcomes = words.dropFirst(2) + ["not-signed-in", "not-signed-in"]
            let pairs = zip(users, outcomes).map { user, outcome in (user: user, outcome: outcome) }
            return ItemTransition(action: words[0], state: words[1], outcomes: pairs)
        }
}
