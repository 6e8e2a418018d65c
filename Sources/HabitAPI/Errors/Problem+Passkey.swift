import Base
import HTTPServing
import HTTPTypes
import HabitStore

extension Problem {
    /// The problem of a server whose address permits no passkeys.
    static let noPasskeys = Problem(
        .notFound,
        slug: ErrorCode.notFound,
        detail:
            "this server has no passkeys, because its public address is not an https URL with a name: sign in without a passkey"
    )

    /// The problem of an invalid response to a request for a new passkey.
    static func newPasskeyInvalid(because fault: PasskeyFault) -> Problem {
        Problem(
            .unprocessableContent,
            slug: ServerSlug.passkeyInvalid,
            detail: "the new passkey is not valid for this server and this user, or the request is too old: try again",
            cause: fault)
    }

    /// The problem of an invalid response to a request for a sign-in.
    ///
    /// It does not reveal whether the passkey exists.
    static func passkeyInvalid(because fault: PasskeyFault) -> Problem {
        Problem(
            .unauthorized,
            slug: ServerSlug.passkeyInvalid,
            detail:
                "the passkey is unknown, or its response is not valid for this request: try again, or sign in another way",
            headers: challenge,
            cause: fault)
    }

    /// The problem of an authenticator whose number of signatures does not follow the last one.
    static func passkeyCopied(because copied: CopiedPasskey) -> Problem {
        Problem(
            .unauthorized,
            slug: ServerSlug.passkeyCopied,
            detail:
                "the passkey has counted fewer sign-ins than before, so it may have been copied: sign in another way and remove it",
            headers: challenge,
            cause: copied)
    }

    private static let challenge: HTTPFields = [.wwwAuthenticate: "Bearer realm=\"habitat\""]

    /// The problem of a passkey that the store refuses.
    init(_ refused: PasskeyRefusal) {
        switch refused {
        case .known:
            self.init(
                .conflict,
                slug: ServerSlug.passkeyExists,
                detail: "this passkey has been added before: use it, or remove it first")
        case .tooMany:
            self.init(
                .conflict,
                slug: ServerSlug.tooManyPasskeys,
                detail: "you have \(PasskeyActions.limit) passkeys: remove one first")
        }
    }
}
