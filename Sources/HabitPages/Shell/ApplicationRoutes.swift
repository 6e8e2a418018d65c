import Base
import HTTPServing
import HTTPTypes
import HabitAPI
import Hummingbird

/// The routes of the application: its document at the addresses of its views, its service worker and its manifest.
package struct ApplicationRoutes: RouteGroup {
    package init() {}

    package var routes: [Route] {
        let views = ApplicationShell.paths.map { path in
            Route.undocumented(path, permission: .anyCaller, handler: shell)
        }
        return views + [
            .undocumented(ServiceWorker.path, handler: serviceWorker),
            .undocumented(ApplicationManifest.path, handler: manifest),
        ]
    }

    /// Responds with the document of the application, or with the way to the sign-in.
    ///
    /// - Parameter call: The request for a view.
    /// - Returns: The response.
    /// - Throws: `not-signed-in` for a program without a token and for the operator, who has no habits.
    @Sendable package func shell(_ call: Call) throws -> Response {
        let site = PageSite(call.visit)
        switch call.caller {
        case .viewer(.user):
            return try document(for: call, site)
        case .viewer(.operator):
            throw Problem.habitOwnerRequired
        case .nobody:
            guard call.request.wantsPage(nil) else { throw Problem.notSignedIn }
            return Response(status: .seeOther, headers: [.location: site.signIn, .cacheControl: "no-store"])
        }
    }

    private func document(for call: Call, _ site: PageSite) throws -> Response {
        let accepted = AcceptedLanguages(call.request.headers[.acceptLanguage])
        let language = accepted.best(of: ApplicationShell.languages, otherwise: "en")
        let shell = ApplicationShell(root: site.root, language: language)
        let headers = ContentPolicy.headers(ApplicationShell.policy).merging([
            .cacheControl: "private, no-cache",
            .vary: "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie",
        ])
        return try response(to: call, with: shell.document, headers: headers)
    }

    @Sendable private func serviceWorker(_ call: Call) throws -> Response {
        let worker = ServiceWorker(root: PageSite(call.visit).root)
        let headers: HTTPFields = [
            .contentType: "text/javascript; charset=utf-8",
            .contentSecurityPolicy: ApplicationShell.policy,
            .cacheControl: "no-cache",
            .vary: "Accept-Encoding",
        ]
        return try response(to: call, with: worker.script, headers: headers)
    }

    @Sendable private func manifest(_ call: Call) throws -> Response {
        let manifest = ApplicationManifest(root: PageSite(call.visit).root)
        let headers: HTTPFields = [
            .contentType: "application/manifest+json",
            .cacheControl: "no-cache",
            .vary: "Accept-Encoding",
        ]
        return try response(to: call, with: manifest.json.bytes, headers: headers)
    }

    /// Responds with a body that the client may keep and must revalidate.
    private func response(to call: Call, with body: [UInt8], headers: HTTPFields) throws -> Response {
        let encoding = ContentEncoding(for: call.request)
        let tag = EntityTag(ofBody: body).encoded(encoding)
        let headers = headers.merging([.eTag: tag.text])
        guard !tag.matches(ifNoneMatch: call.request) else {
            return Response(status: .notModified, headers: headers)
        }
        return try Response(body, encoded: encoding, headers: headers)
    }
}
