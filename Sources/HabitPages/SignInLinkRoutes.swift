import Base
import HTTPServing
import HTTPTypes
import HabitAPI
import HabitModel
import Hummingbird

/// The routes of one-time links: the page that redeems them, and the requests for new ones.
///
/// The secret of a link is the fragment of its address, which a browser does not send. It reaches the server only in the
/// body of a form.
package struct SignInLinkRoutes: RouteGroup {
    /// The path that makes a link for another device.
    static let ownPath = "/sign-in/links/own"
    /// The path that mails a link.
    static let mailPath = "/sign-in/links"

    private let links: SignInLinks
    private let sessions: BrowserSessions
    private let bodies: RequestBodies
    private let pages: SitePages

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - links: Makes links.
    ///   - sessions: Opens the sessions of browsers.
    ///   - bodies: Reads the bodies of requests.
    ///   - pages: The pages of the server.
    package init(links: SignInLinks, sessions: BrowserSessions, bodies: RequestBodies, pages: SitePages) {
        self.links = links
        self.sessions = sessions
        self.bodies = bodies
        self.pages = pages
    }

    package var routes: [Route] {
        [
            .undocumented(SignInLinks.path, permission: .anyCaller) { call in
                response(to: call, .code(nil))
            },
            .undocumented(SignInLinks.path, method: .post, permission: .everyone, handler: redeem),
            Route(.post, Self.ownPath, operation: Self.ownOperation, handler: makeOwn),
            Route(.post, Self.mailPath, operation: Self.mailOperation, handler: mail),
        ]
    }

    /// The largest body that is accepted, in bytes.
    private static let bodyLimit = 16_384

    // MARK: The page of a link

    /// Shows the name of the user, and opens a session only after the person has confirmed it.
    ///
    /// A page of another site could otherwise sign a visitor in to an account of its own (login CSRF).
    @Sendable private func redeem(_ call: Call) async throws -> Response {
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
        // A person may paste the code with the spaces around it, with the sign # or as a part of the complete link.
        let pasted = form["code"] ?? ""
        let code =
            pasted.filter { character in !character.isWhitespace }
            .split(separator: "#").last.map(String.init) ?? ""
        do {
            guard form["confirm"] == "yes" else {
                let owner = try await sessions.owner(ofLink: code, for: call)
                return response(to: call, .confirmation(name: owner.name, code: code))
            }
            let opened = try await sessions.open(withLink: code, for: call)
            let location = pages.path(of: .home, base: call.base)
            let fields: HTTPFields = [.location: location, .cacheControl: "no-store"]
            return Response(status: .seeOther, headers: opened.headers.merging(fields))
        } catch let problem as Problem where problem.status != .forbidden {
            return response(to: call, .code(problem), problem: problem)
        }
    }

    private static let invalidForm = Problem(
        .unsupportedMediaType,
        slug: ServerSlug.formInvalid,
        detail: "the body is not a form: send the form of the page \(SignInLinks.path)",
        field: "Content-Type")

    // MARK: Links for other devices

    private static let ownOperation = RouteOperation(
        "links.create",
        summary: "Create a link for another device",
        description:
            "Returns 201 with the address of a page that opens one session of the caller within 10 minutes. The address is not shown again. A page of the server must send the request with the cookie of a session. Returns 403 for an access token and for a session that an access token has opened.",
        permission: .users(refusal: "the operator has no account: sign in as a user"),
        query: nil,
        status: "201",
        content: .content(.json, schema: linkSchema))

    private static let linkSchema: JSON = [
        "type": "object",
        "required": ["id", "url", "expires_at"],
        "properties": [
            "id": ["type": "string"],
            "url": ["type": "string"],
            "expires_at": ["type": "string", "format": "date-time"],
        ],
    ]

    @Sendable private func makeOwn(_ call: Call) async throws -> Response {
        let wantsPage = call.request.wantsPage(nil)
        do {
            let link = try await links.makeOwn(for: call)
            if wantsPage {
                return response(to: call, .madeLink(address: link.address), status: .created)
            }
            let expires = OffsetInstant(link.expires, offset: .utc)
            let document: JSON = [
                "id": .text(link.id),
                "url": .text(link.address),
                "expires_at": .text(expires.description),
            ]
            return Response(document, status: .created, headers: .notStored)
        } catch let problem as Problem where wantsPage && problem.slug != Problem.crossSite.slug {
            return response(to: call, .refused(problem), problem: problem)
        }
    }

    // MARK: Links by mail

    private static let mailOperation = RouteOperation(
        "links.mail",
        summary: "Get a link by mail",
        description:
            "Mails the address of a page that opens one session within 15 minutes, if exactly one account has the address. An address gets at most 3 mails in an hour. Returns 202 in all cases, before the mail is sent. A page of the server must send the request. Returns 404 if the server sends no mail.",
        permission: .everyone,
        query: nil,
        body: [
            "required": true,
            "content": .content(.json, schema: addressSchema),
        ],
        status: "202")

    private static let addressSchema: JSON = [
        "type": "object",
        "required": ["email"],
        "properties": ["email": ["type": "string", "format": "email", "maxLength": 254]],
    ]

    @Sendable private func mail(_ call: Call) async throws -> Response {
        let address = try await bodies.withBody(
            of: call.request,
            for: "client \(call.client)",
            limit: Self.bodyLimit
        ) { body in
            let form = FormBody(body, sentBy: call.request)
            guard let address = form?["email"] ?? ObjectBody(body, reading: ["email"])?["email"] else {
                throw HabitError(
                    .rowInvalid,
                    "the body is not a JSON object with the member 'email': send one",
                    field: "email")
            }
            return address
        }
        let trimmed = address.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { character in !character.isWhitespace }
        let entered = end.map { end in String(trimmed[...end]) } ?? ""
        try links.mail(to: entered, for: call)
        guard call.request.wantsPage(nil) else {
            return Response(status: .accepted, headers: .notStored)
        }
        return response(to: call, .mailed, status: .accepted)
    }

    // MARK: Pages

    private func response(
        to call: Call,
        _ content: SignInLinkPage.Content,
        status: HTTPResponse.Status = .ok,
        problem: Problem? = nil
    ) -> Response {
        // The link to the sign-in at the top leads home.
        let visit = PageVisit(base: call.base, caller: call.caller, path: OwnPath.home.text)
        let page = pages.page(visit, SignInLinkPage(content: content).page)
        let headers = page.headers
            .merging(problem?.headers ?? [:])
            .merging(HTTPFields.notStored)
        let bytes = ByteBuffer(bytes: page.html)
        return Response(
            status: problem?.status ?? status,
            headers: headers,
            body: ResponseBody(byteBuffer: bytes))
    }
}
