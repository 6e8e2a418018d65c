import Base
import HTTPServing
import HTTPTypes
import HabitAPI
import HabitModel
import Hummingbird

/// The page of the caller's own account, and its forms.
package struct AccountPageRoutes: RouteGroup {
    private let accounts: AccountChanges
    private let blocks: OwnBlocks
    private let tokens: OwnTokens
    private let views: OwnViews
    private let ways: SignInWays
    private let passkeys: PasskeyVerifier
    private let issuers: IssuerSignIn
    private let sessions: BrowserSessions
    private let bodies: RequestBodies
    private let pages: SitePages

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - accounts: Reads, changes and deletes accounts.
    ///   - blocks: Lists, begins and ends blocks.
    ///   - tokens: Lists, creates and revokes tokens.
    ///   - views: Lists, creates and revokes shared views.
    ///   - ways: Lists and removes the ways to sign in.
    ///   - passkeys: Verifies passkeys.
    ///   - issuers: The sign-in with issuers.
    ///   - sessions: Clears the cookie of a deleted account.
    ///   - bodies: Reads the bodies of requests.
    ///   - pages: The pages of the server.
    package init(
        accounts: AccountChanges,
        blocks: OwnBlocks,
        tokens: OwnTokens,
        views: OwnViews,
        ways: SignInWays,
        passkeys: PasskeyVerifier,
        issuers: IssuerSignIn,
        sessions: BrowserSessions,
        bodies: RequestBodies,
        pages: SitePages
    ) {
        self.accounts = accounts
        self.blocks = blocks
        self.tokens = tokens
        self.views = views
        self.ways = ways
        self.passkeys = passkeys
        self.issuers = issuers
        self.sessions = sessions
        self.bodies = bodies
        self.pages = pages
    }

    package var routes: [Route] {
        [
            .undocumented(Self.path, permission: .viewers, handler: page),
            .undocumented(
                Self.path,
                method: .post,
                permission: .users(refusal: "the operator has no account: sign in as a user"),
                handler: change),
        ]
    }

    private static let path = "/account"

    @Sendable private func page(_ call: Call) async throws -> Response {
        let parameters = try RequestParameters(call.request, known: ["done"])
        guard try call.viewer != .operator else {
            return Self.response(pages.page(call.visit, OperatorPage().page), status: .ok)
        }
        let done = call.shownResult(parameters["done"])
        return try await response(to: call, with: done.map(FormResult.done) ?? .none, status: .ok)
    }

    // MARK: Forms

    /// Performs the form of a request.
    ///
    /// Only this function accepts forms of the page, so that it checks the origin of all of them.
    @Sendable private func change(_ call: Call) async throws -> Response {
        try call.requireOwnPage()
        let sent = try await bodies.form(of: call, from: Self.path)
        guard let form = sent["form"].flatMap(AccountForm.init) else {
            throw Problem.invalidForm(Self.path)
        }
        do {
            return try await perform(form, with: sent, for: call)
        } catch {
            let problem = Problem(error)
            // Without an account, there is no page.
            let isShown = problem.status.kind == .clientError || form == .addIdentity
            guard isShown, problem.status != .unauthorized else { throw error }
            let result = FormResult.refused(form, problem, entered: sent)
            return try await response(to: call, with: result, status: problem.status)
        }
    }

    private func perform(_ form: AccountForm, with sent: FormBody, for call: Call) async throws -> Response {
        switch form {
        case .name:
            try await accounts.setName(Self.field("name", of: sent), for: call)
        case .timeZone:
            try await accounts.setTimeZone(Self.field(Field.timeZone.name, of: sent), for: call)
        case .positions:
            try await accounts.setSharesLocation(Self.isChecked("share", in: sent), for: call)
        case .block:
            try await blocks.block(Self.typedID(sent), for: call)
        case .unblock:
            try await blocks.unblock(sent["id"] ?? "", for: call)
        case .addPlace:
            try await accounts.setPrivatePlace(PlaceForm.place(of: sent), for: call)
        case .deletePlace:
            try await accounts.deletePrivatePlace(sent["id"] ?? "", for: call)
        case .removePasskey:
            try await ways.removePasskey(sent["id"] ?? "", for: call)
        case .removeIdentity:
            try await ways.removeIdentity(sent["id"] ?? "", for: call)
        case .addIdentity:
            return try await addIdentity(sent["id"] ?? "", for: call)
        case .endSession, .revokeLink, .revokeToken:
            try await tokens.revoke(sent["id"] ?? "", for: call)
        case .endOtherSessions:
            try await tokens.endOtherSessions(for: call)
        case .revokeCalendar:
            try await tokens.revokeCalendar(sent["id"] ?? "", for: call)
        case .revokeView:
            try await views.revoke(sent["id"] ?? "", for: call)
        case .createView:
            let created = try await views.create(ViewForm.request(sent, label: Self.label(sent)), for: call)
            return try await response(
                to: call,
                with: .created(form, secret: created.addresses.page),
                status: .created)
        case .createToken:
            let days = sent["days"].flatMap { text in Int(text) } ?? 0
            let token = try await tokens.createAccess(label: Self.label(sent), days: days, for: call)
            return try await response(to: call, with: .created(form, secret: token.secret), status: .created)
        case .createCalendar:
            let address = try await tokens.createCalendar(label: Self.label(sent), for: call)
            return try await response(to: call, with: .created(form, secret: address.url), status: .created)
        case .delete:
            return try await delete(with: sent, for: call)
        }
        return redirect(call, to: "\(Self.path)?done=\(form.rawValue)#\(form.section)")
    }

    private func addIdentity(_ issuer: String, for call: Call) async throws -> Response {
        let added = AccountForm.addIdentity
        let target = OwnPath("\(Self.path)?done=\(added.rawValue)#\(added.section)") ?? .home
        let start = try await issuers.beginAddition(issuer, leadingTo: target, for: call)
        return try await response(to: call, with: .begun(start), status: .ok, headers: start.headers)
    }

    /// Returns a field that the form always sends, even if it is empty.
    private static func field(_ name: String, of sent: FormBody) throws -> String {
        guard let text = sent[name] else {
            throw HabitError(.fieldInvalid, "the form has no field '\(name)': send the form of the page", field: name)
        }
        return text
    }

    /// Returns whether a box is checked.
    ///
    /// A browser does not send a box that is not checked.
    private static func isChecked(_ name: String, in sent: FormBody) throws -> Bool {
        switch sent[name] {
        case nil: return false
        case "yes": return true
        default:
            throw HabitError(
                .fieldInvalid,
                "the field '\(name)' is not 'yes': send the form of the page",
                field: name)
        }
    }

    /// Returns the label that a person has entered, or `nil` for spaces only.
    private static func label(_ sent: FormBody) -> String? {
        let label = HeaderValue.trimmed((sent["label"] ?? "")[...])
        return label.isEmpty ? nil : String(label)
    }

    /// Returns the ID that a person has typed, without the spaces that the person may have added.
    private static func typedID(_ sent: FormBody) -> String {
        String(HeaderValue.trimmed((sent["id"] ?? "")[...]))
    }

    private func delete(with sent: FormBody, for call: Call) async throws -> Response {
        let id = try await accounts.details(for: call).id
        // An input method may compose the characters in another form.
        guard Self.typedID(sent).composed == id else {
            throw HabitError(.fieldInvalid, "the text is not your ID: type '\(id)'", field: Field.id.name)
        }
        try await accounts.delete(for: call)
        return redirect(call, to: "/sign-in?done=\(AccountForm.delete.rawValue)", headers: sessions.clearing)
    }

    // MARK: Responses

    private func response(
        to call: Call,
        with result: FormResult,
        status: HTTPResponse.Status,
        headers: HTTPFields = [:]
    ) async throws -> Response {
        let page = AccountPage(
            account: try await accounts.details(for: call),
            blocks: try await blocks.list(for: call),
            tokens: try await tokens.listAll(for: call),
            views: AccountPage.SharedViews(entries: try await views.entries(for: call), layers: views.layers),
            ways: try await ways.known(for: call),
            passkeyDomain: passkeys.relyingParty(in: call.context)?.id,
            issuers: issuers,
            zones: TimeZoneDatabase.system.ids,
            result: result)
        var response = Self.response(pages.page(call.visit, page.page), status: status)
        response.headers.append(contentsOf: headers)
        return response
    }

    private static func response(_ page: RenderedWebPage, status: HTTPResponse.Status) -> Response {
        Response(
            status: status,
            headers: page.headers.merging([.cacheControl: "no-store"]),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.html)))
    }

    private func redirect(_ call: Call, to path: String, headers: HTTPFields = [:]) -> Response {
        let location = PageSite(call.visit).root + path
        let fields: HTTPFields = [.location: location, .cacheControl: "no-store"]
        return Response(status: .seeOther, headers: headers.merging(fields))
    }
}
