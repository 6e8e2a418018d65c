import Rendering

extension PageText {
    /// The texts of the account page.
    enum Account {
        static let title = "Account"
        static let unchanged = "Nothing has changed."

        // MARK: The account

        static let you = "You"
        static let id = "ID"
        static let email = "E-mail address"
        static let noEmail = "none"
        static let emailNote =
            "Only the operator of this server changes the address, because it can open the account at a sign-in."
        static let name = "Name"
        static let nameHint = "Other users see this name and your ID. The field may be empty."
        static let saveName = "Save the name"
        static let nameSaved = "The name is saved."

        static let timeZone = "Time zone"
        static let yourTimeZone = "Your time zone"
        static let timeZoneHint = "It decides when your days begin and end."
        static let saveTimeZone = "Save the time zone"
        static let timeZoneSaved = "The time zone is saved."

        static let positions = "Positions"
        static let storePositions = "Store the positions of my events, items and posts"
        static let positionsNote =
            """
            Users who see a record see its position. Without your permission, the server refuses new positions. The stored \
            ones stay.
            """
        static let saveChoice = "Save the choice"
        static let choiceSaved = "The choice is saved."

        // MARK: Private places

        static let places = "Private places"
        static let placesAbout =
            """
            Other users see no positions of your events and posts in a private place, also of earlier ones. The hidden area \
            is larger than the circle of the place, and the place is not in its middle. You and the operator see all \
            positions. Items are not hidden, because others see only an area of about 400 meters.
            """
        static let noPlaces = "You have no private place."
        static let newPlace = "New place"
        static let placeName = "Name of the place"
        static let placeNameHint = "Such as home. A place that has this name gets the new position and radius."
        static let placePosition = "Position"
        static let placePositionHint = "The latitude and the longitude in degrees, such as 38.7223, -9.1393."
        static let placeRadius = "Radius in meters"
        static let addPlace = "Save the place"
        static let deletePlace = "Delete"
        static let placeSaved = "The place is saved."
        static let placeDeleted = "The place is deleted. Other users see the positions there again."

        static func circle(around center: HTML, meters: Int) -> HTML {
            "\(meters) meters around \(center)"
        }

        static func placeRadiusHint(from least: Int, to most: Int) -> String {
            "From \(least) to \(most) meters. Do not change it often: each change lets others narrow down the place."
        }

        static func mostPlaces(_ count: Int) -> String {
            "You have \(count) private places, which is the maximum. Delete one to add a new place."
        }

        // MARK: Blocked users

        static let blockedUsers = "Blocked users"
        static let blocksAbout =
            """
            You and a blocked user do not see each other. The block ends follows and releases open claims between you. \
            The user is not notified.
            """
        static let noBlocks = "You block no user."
        static let blockedID = "ID of the user"
        static let block = "Block the user"
        static let unblock = "Unblock"
        static let userBlocked = "The user is blocked."
        static let userUnblocked = "The user is no longer blocked."

        static func blockedSince(_ time: HTML) -> HTML {
            "Since \(time)"
        }

        // MARK: Ways to sign in

        static let passkeys = "Passkeys"
        static let passkeysAbout = "With a passkey, you sign in by the fingerprint, the face or the PIN of your device."
        static let noPasskeys = "You have no passkey."
        static let passkey = "Passkey"
        static let addPasskey = "Add a passkey"
        static let passkeyRemoved = "The passkey is removed."
        static let notUsed = "not used yet"
        static let signInByLink =
            """
            You have signed in with an access token. To add a way to sign in, ask the operator for a one-time link.
            """
        static let services = "Sign-in services"
        static let noServices = "No service opens this account."
        static let serviceRemoved = "The service is removed."
        static let serviceAdded = "The service is added."

        static func used(_ time: HTML) -> HTML {
            "last used \(time)"
        }

        static func entry(since time: HTML, state: HTML) -> HTML {
            "Since \(time), \(state)"
        }

        static func add(_ service: String) -> HTML {
            "Add \(isolated: service)"
        }

        // MARK: Sessions and tokens

        static let devices = "Devices"
        static let noDevices = "No browser is signed in."
        static let thisDevice = "This device"
        static let signOut = "Sign out"
        static let signOutOthers = "Sign out all other devices"
        static let deviceSignedOut = "The device is signed out."
        static let othersSignedOut = "All other devices are signed out, and open links are revoked."
        static let unusedLink = "Not used"
        static let linkRevoked = "The link is revoked."
        static let invitation = "Invitation by the operator"
        static let mailedLink = "Link by mail"

        static let tokens = "Access tokens"
        static let tokensAbout =
            """
            A program that sends an access token acts as you. If you revoke a token, the devices that signed in with it are \
            signed out.
            """
        static let noTokens = "You have no access token."
        static let fromService = "From a sign-in service"
        static let newToken = "New access token"
        static let yourNewToken = "Your new access token"
        static let days = "Days until it ends"
        static let createToken = "Create the token"
        static let tokenRevoked = "The access token is revoked."
        static let tokenByLink =
            """
            You have signed in with an access token. To create another token, ask the operator for a one-time link, and sign \
            in with it.
            """

        static let calendar = "Calendar address"
        static let calendarAbout =
            """
            A calendar program that subscribes to the address shows your habits. Everyone who has the address can read the \
            calendar.
            """
        static let noCalendar = "Your calendar has no address."
        static let newCalendar = "The new address of your calendar"
        static let newAddress = "New address"
        static let createAddress = "Create the address"
        static let addressRevoked = "The address is revoked."

        static let views = "Shared views"
        static let viewsAbout =
            """
            Everyone who has the address of a shared view can read your records of the chosen kinds, with rounded positions. \
            Positions in your private places are missing, and items have the positions that others see.
            """
        static let noViews = "You share no view."
        static let newView = "New shared view"
        static let yourNewView = "The address of your new shared view"
        static let createView = "Share the view"
        static let viewRevoked = "The shared view is revoked."
        static let rounding = "Rounding of positions"
        static let roundingHint = "Each position is replaced by the center of its cell."
        static let viewStatus = "With the current status of the habits of events"
        static let viewHasStatus = "Events have the status of their habits."
        static let viewDays = "Days up to today"
        static let viewDaysHint = "Leave the field empty to share the records of all days."
        static let viewLifetimeHint = "Leave the field empty to share the view until you revoke it."

        static let label = "Label"
        static let noLabel = "No label"
        static let revoke = "Revoke"
        static let remove = "Remove"
        static let endless = "valid until it is revoked"

        static func longestLife(days: Int) -> String {
            "At most \(days) days."
        }

        static func valid(until time: HTML) -> HTML {
            "valid until \(time)"
        }

        static func secret(_ title: String) -> String {
            "\(title). Copy it now: it is not shown again."
        }

        // MARK: Data

        static let data = "Your data"
        static let dataAbout =
            """
            The archive contains your account, all your records and your photos as CSV files and pictures. Another \
            Habitat server can load it.
            """
        static let download = "Download your data (ZIP)"
        static let developersAbout = "Programs, maps and spreadsheets can read the same records."
        static let interface = "About the interface"
        static let deletion = "Delete the account"
        static let deletionAbout =
            """
            This deletes your account and all your records immediately, and signs out all devices. It cannot be undone.
            """
        static let delete = "Delete my account"

        static func confirmation(id: String) -> HTML {
            "Type your ID \(isolated: id) to confirm"
        }

        // MARK: The operator

        static let operatorAbout =
            """
            You are signed in as the operator of this server. The operator sees the records of all users and has no account: \
            no habits, no name and no time zone. Your session ends 8 hours after the sign-in.
            """
        static let operatorDuties = "Manage the accounts and the access tokens on the command line."
    }
}
