import HTTPServing
import HabitAPI

/// The forms of the account page, which send their name in the field `form`.
enum AccountForm: String, Sendable {
    case name
    case timeZone = "time-zone"
    case positions
    case block
    case unblock
    case addPlace = "add-place"
    case deletePlace = "delete-place"
    case removePasskey = "remove-passkey"
    case removeIdentity = "remove-identity"
    case addIdentity = "add-identity"
    case endSession = "end-session"
    case endOtherSessions = "end-other-sessions"
    case revokeLink = "revoke-link"
    case createToken = "create-token"
    case revokeToken = "revoke-token"
    case createCalendar = "create-calendar"
    case revokeCalendar = "revoke-calendar"
    case createView = "create-view"
    case revokeView = "revoke-view"
    case delete = "delete-account"

    /// The ID of the section with the form.
    var section: String {
        switch self {
        case .name: "profile"
        case .timeZone: "time-zone"
        case .positions: "positions"
        case .block, .unblock: "blocks"
        case .addPlace, .deletePlace: "places"
        case .removePasskey: "passkeys"
        case .removeIdentity, .addIdentity: "services"
        case .endSession, .endOtherSessions, .revokeLink: "devices"
        case .createToken, .revokeToken: "tokens"
        case .createCalendar, .revokeCalendar: "calendar"
        case .createView, .revokeView: "views"
        case .delete: "delete"
        }
    }

    /// The sentence after a change; `nil` if the response is another page, or shows a secret.
    var confirmation: String? {
        switch self {
        case .name: PageText.Account.nameSaved
        case .timeZone: PageText.Account.timeZoneSaved
        case .positions: PageText.Account.choiceSaved
        case .addPlace: PageText.Account.placeSaved
        case .deletePlace: PageText.Account.placeDeleted
        case .block: PageText.Account.userBlocked
        case .unblock: PageText.Account.userUnblocked
        case .removePasskey: PageText.Account.passkeyRemoved
        case .removeIdentity: PageText.Account.serviceRemoved
        case .addIdentity: PageText.Account.serviceAdded
        case .endSession: PageText.Account.deviceSignedOut
        case .endOtherSessions: PageText.Account.othersSignedOut
        case .revokeLink: PageText.Account.linkRevoked
        case .revokeToken: PageText.Account.tokenRevoked
        case .revokeCalendar: PageText.Account.addressRevoked
        case .revokeView: PageText.Account.viewRevoked
        case .createToken, .createCalendar, .createView, .delete: nil
        }
    }
}

extension Call {
    /// Returns the form whose result the page of the request shows.
    ///
    /// Only a redirection after a form has a result. A link on a page of another site must not show one, because
    /// nothing has changed.
    ///
    /// - Parameter name: The name of the form in the address.
    /// - Returns: The form, or `nil` if the page shows no result.
    func shownResult(_ name: String?) -> AccountForm? {
        guard RequestOrigin(of: request).isOwnLink(at: base) ?? true else { return nil }
        return name.flatMap(AccountForm.init)
    }
}
