import Rendering

extension PageText {
    /// The texts of the sign-in and of one-time links.
    enum SignIn {
        static let deleted = "Your account and all your records are deleted."
        static let unchanged = "Nothing has changed"
        static let signedOut = "You are not signed in"
        static let proceed = "Continue"

        static func signedIn(_ name: String) -> HTML {
            "You are signed in as \(isolated: name)."
        }

        static func issuer(_ issuer: String) -> HTML {
            "Continue with \(isolated: issuer)"
        }

        // MARK: Passkeys

        static let withPasskey = "Sign in with a passkey"
        static let passkey = "Passkey"
        static let passkeyHint = "Your browser offers your passkeys in this field."

        // MARK: Access tokens

        static let useToken = "Use an access token"
        static let token = "Access token"
        static let tokenHint =
            """
            The operator of this server creates access tokens. You stay signed in for 30 days after your last visit, at most \
            until the token ends.
            """

        // MARK: Links

        static let useCode = "Use the code of a link"
        static let withLink = "Sign in with a link"
        static let code = "Code of the link"
        static let codeHint = "The code is the part of the link after the sign #."
        static let confirmationNote =
            """
            The link is valid for one sign-in. You stay signed in for 30 days after your last visit. If you do not know this \
            account, close the page.
            """

        static func question(_ name: String) -> HTML {
            "Sign in as \(isolated: name)?"
        }

        static func confirm(_ name: String) -> HTML {
            "Sign in as \(isolated: name)"
        }

        // MARK: Links for other devices

        static let deviceLink = "Link for another device"
        static let makeLink = "Make a link for another device"
        static let noLink = "No link was made."
        static let address =
            """
            Open this address on the other device. It is valid for 10 minutes and for one sign-in, and is not shown again.
            """
        static let addressNote = "Any person who has the address can sign in as you."

        // MARK: Links by mail

        static let byMail = "Get a link by mail"
        static let email = "Email address of your account"
        static let send = "Send me a link"
        static let sentTitle = "Look at your mail"
        static let sent =
            """
            If an account has this address, a link has been sent to it. It is valid for 15 minutes and for one sign-in. An \
            address gets at most 3 links in an hour.
            """
    }
}
