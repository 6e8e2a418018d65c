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
    /// Whether the map page offers a sign-in with Google.
    private let offersGoogle: Bool

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - sessions: Opens and ends the sessions of browsers.
    ///   - bodies: Reads the bodies of requests.
    ///   - pages: The pages of the server.
    ///   - offersGoogle: Whether the map page offers a sign-in with Google.
    package init(sessions: BrowserSessions, bodies: RequestBodies, pages: SitePages, offersGoogle: Bool) {
        self.sessions = sessions
        self.bodies = bodies
        self.pages = pages
        self.offersGoogle = offersGoogle
    }

    package var routes: [Route] {
        [
            .undocumented("/sign-in", permission: .anyCaller, handler: form),
            .undocumented("/sign-in", method: .post, permission: .everyone, handler: signIn),
            .undocumented("/sign-out", method: .post, permission: .anyCaller, handler: signOut),
        ]
    }

    /// The largest form that is accepted, in bytes.
    private static let bodyLimit = 16_384

    @Sendable private func form(_ call: Call) throws -> Response {
        let parameters = try RequestParameters(call.request, known: ["to"])
        let target = Self.target(parameters["to"])
        return response(to: call, leadingTo: target, problem: nil)
    }

    @Sendable private func signIn(_ call: Call) async throws -> Response {
        let form = try await bodies.withBody(
            of: call.request,
            for: "client \(call.client)",
            limit: Self.bodyLimit
        ) { body in
            guard let form = FormBody(body, sentBy: call.request) else {
                throw Self.invalidForm
            }
            return form
        }
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

    private static let invalidForm = Problem(
        .unsupportedMediaType,
        slug: "form-invalid",
        detail: "the body is not a form: send the form of the page /sign-in",
        field: "Content-Type")

    private func response(to call: Call, leadingTo target: OwnPath, problem: Problem?) -> Response {
        // The link to the sign-in at the top leads to the same page.
        let visit = PageVisit(base: call.base, caller: call.caller, path: target.text)
        let page = pages.signIn(visit, leadingTo: target, problem: problem, offersGoogle: offersGoogle)
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

    /// Returns the response that leads to a page of this server.
    private func redirect(_ call: Call, to target: OwnPath, headers: HTTPFields) -> Response {
        let location = pages.path(of: target, base: call.base)
        let fields: HTTPFields = [.location: location, .cacheControl: "no-store"]
        return Response(status: .seeOther, headers: headers.merging(fields))
    }
}
