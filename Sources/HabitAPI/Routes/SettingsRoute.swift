import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// The route of the settings that clients need before a sign-in.
package struct SettingsRoute: RouteGroup {
    private let store: StorePool
    private let issuers: IssuerSignIn
    private let passkeys: PasskeyVerifier
    private let mailsLinks: Bool
    private let sections: Sections

    /// Creates the route.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - issuers: The sign-in with issuers.
    ///   - passkeys: Verifies passkeys.
    ///   - mailsLinks: Whether the server mails one-time links.
    ///   - sections: The parts that the server shows.
    package init(
        store: StorePool,
        issuers: IssuerSignIn,
        passkeys: PasskeyVerifier,
        mailsLinks: Bool,
        sections: Sections
    ) {
        self.store = store
        self.issuers = issuers
        self.passkeys = passkeys
        self.mailsLinks = mailsLinks
        self.sections = sections
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/settings",
                operation: RouteOperation(
                    "settings",
                    summary: "Get the settings of the server",
                    description:
                        "Returns the limits of requests, texts and photos, the ways to sign in, the sections and the version. The document is the same for all clients and has an `ETag`.",
                    permission: .everyone,
                    query: [.onlyJSON],
                    content: .content(.json, schema: SettingsDocument.schema)),
                handler: settings)
        ]
    }

    @Sendable private func settings(_ call: Call) async throws -> Response {
        try call.requireJSON()
        let settings = try await store.read(for: call.requester) { session in
            try StoreSettings.read(in: session)
        }
        let document = SettingsDocument(
            settings: settings,
            issuers: issuers.starts,
            hasPasskeys: passkeys.relyingParty(in: call.context) != nil,
            mailsLinks: mailsLinks,
            sections: sections)
        let json = document.json
        let tag = EntityTag(of: [json.text])
        let headers: HTTPFields = [.cacheControl: "no-cache", .eTag: tag.text]
        guard !tag.matches(ifNoneMatch: call.request) else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(json, headers: headers)
    }
}
