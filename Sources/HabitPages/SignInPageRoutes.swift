import HTTPServing
import HTTPTypes
import HabitAPI
import HabitModel
import Hummingbird

/// The pages of the sign-in and the sign-out, which need no script.
package struct SignInPageRoutes: RouteGroup {
    private let sessions: BrowserSessions
    private let bodies: RequestBodies
    private let pages: SitePages
    private let passkeys: PasskeyVerifier
    /// The sign-in with issuers.
    let issuers: IssuerSignIn
    /// Whether the server mails one-time links.
    private let mailsLinks: Bool

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - sessions: Opens and ends the sessions of browsers.
    ///   - bodies: Reads the bodies of requests.
    ///   - pages: The pages of the server.
    ///   - passkeys: Verifies passkeys.
    ///   - issuers: The sign-in with issuers.
    ///   - mailsLinks: Whether the server mails one-time links.
    package init(
        sessions: BrowserSessions,
        bodies: RequestBodies,
        pages: SitePages,
        passkeys: PasskeyVerifier,
        issuers: IssuerSignIn,
        mailsLinks: Bool
    ) {
        self.sessions = sessions
        self.bodies = bodies
        self.pages = pages
        self.passkeys = passkeys
        self.issuers = issuers
        self.mailsLinks = mailsLinks
    }

    package var routes: [Route] {
        [
            .undocumented("/sign-in", permission: .anyCaller, handler: form),
            .undocumented("/sign-in", method: .post, permission: .everyone, handler: signIn),
            .undocumented("/sign-out", method: .post, permission: .anyCaller, handler: signOut),
        ] + issuerRoutes
    }

    @Sendable private func form(_ call: Call) throws -> Response {
        let parameters = try RequestParameters(call.request, known: ["to", "time_zone", "done"])
        let target = Self.target(parameters["to"])
        let hasDeleted = call.shownResult(parameters["done"]) == .delete
        return response(
            to: call,
            leadingTo: target,
            timeZone: parameters["time_zone"],
            problem: nil,
            notice: hasDeleted ? PageText.SignIn.deleted : nil)
    }

    @Sendable private func signIn(_ call: Call) async throws -> Response {
        let form = try await bodies.form(of: call, from: "/sign-in")
        let target = Self.target(form["to"])
        // A person may paste the token with the spaces around it.
        let pasted = form["token"] ?? ""
        let token = pasted.filter { character in !character.isWhitespace }
        do {
            let opened = try await sessions.open(with: token, for: call)
            return redirect(call, to: target, headers: opened.headers)
        } catch let problem as Problem where problem.status != .forbidden {
            return response(to: call, leadingTo: target, problem: problem)
        }
    }

    @Sendable private func signOut(_ call: Call) async throws -> Response {
        var headers: HTTPFields = [:]
        if call.caller != .nobody {
            headers = try await sessions.end(for: call)
        }
        return redirect(call, to: .home, headers: headers)
    }

    /// Returns the page to which a sign-in leads: the page of a link or a form, or the landing page for another text.
    private static func target(_ text: String?) -> OwnPath {
        guard let text, let path = OwnPath(text) else { return .home }
        return path
    }

    /// Returns the page of the sign-in.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - target: The page to which the sign-in leads.
    ///   - timeZone: The time zone of a new account.
    ///   - problem: The reason for which a sign-in was refused; `nil` before a sign-in.
    ///   - notice: The sentence after a change that leads to the sign-in; `nil` for none.
    /// - Returns: The response, with the status of the problem.
    func response(
        to call: Call,
        leadingTo target: OwnPath,
        timeZone: String? = nil,
        problem: Problem?,
        notice: String? = nil
    ) -> Response {
        // The link to the sign-in at the top leads to the same page.
        let visit = PageVisit(base: call.base, caller: call.caller, path: target.text)
        let form = page(for: call, leadingTo: target, timeZone: timeZone, problem: problem, notice: notice)
        let page = pages.page(visit, form.page)
        let ofProblem = problem?.headers ?? [:]
        let headers = page.headers
            .merging(ofProblem)
            .merging([.cacheControl: "no-store"])
        let bytes = ByteBuffer(bytes: page.html)
        return Response(
            status: problem?.status ?? .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: bytes))
    }

    /// Returns the page with the ways to sign in.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - target: The page to which the sign-in leads.
    ///   - timeZone: The time zone of a new account.
    ///   - problem: The reason for which a sign-in was refused; `nil` before a sign-in.
    ///   - notice: The sentence after a change that leads to the sign-in; `nil` for none.
    /// - Returns: The page.
    func page(
        for call: Call,
        leadingTo target: OwnPath,
        timeZone: String? = nil,
        problem: Problem? = nil,
        notice: String? = nil
    ) -> SignInPage {
        SignInPage(
            target: target,
            problem: problem,
            notice: notice,
            passkeyDomain: passkeys.relyingParty(in: call.context)?.id,
            issuers: issuers.offers(leadingTo: target, timeZone: timeZone),
            mailsLinks: mailsLinks)
    }

    /// Returns the response that leads to a page of this server.
    func redirect(_ call: Call, to target: OwnPath, headers: HTTPFields) -> Response {
        let location = pages.path(of: target, base: call.base)
        return redirect(to: location, headers: headers)
    }

    /// Returns the response that leads to an address.
    func redirect(to location: String, headers: HTTPFields) -> Response {
        var fields = headers
        fields[.location] = location
        fields[.cacheControl] = "no-store"
        return Response(status: .seeOther, headers: fields)
    }
}
