import HTTPServing
import HTTPTypes
import HabitAPI
import Hummingbird

/// The home page, which a browser shows at `/`.
package struct HomePages: Sendable {
    private let reader: HomeReader
    private let signIn: SignInPageRoutes
    private let pages: SitePages

    /// Creates the home page.
    ///
    /// - Parameters:
    ///   - reader: Reads the values of the page.
    ///   - signIn: The sign-in, which the page of a visitor contains.
    ///   - pages: The pages of the server.
    package init(reader: HomeReader, signIn: SignInPageRoutes, pages: SitePages) {
        self.reader = reader
        self.signIn = signIn
        self.pages = pages
    }

    /// Responds with the page of the caller.
    ///
    /// - Parameter call: The request.
    /// - Returns: The response, which no cache stores.
    /// - Throws: An error of the store.
    package func response(to call: Call) async throws -> Response {
        let home = try await reader.home(for: call)
        let page = pages.page(call.visit) { site in
            switch home.content {
            case .visitor:
                let form = signIn.page(for: call, leadingTo: .home)
                return VisitorPage(home: home, signIn: form).page(site)
            case .person(let person):
                return PersonPage(home: home, person: person).page(site)
            case .operator(let counts):
                return OperatorHomePage(home: home, counts: counts).page(site)
            }
        }
        let ofPerson: HTTPFields = [
            .cacheControl: "no-store",
            .vary: "Accept, Authorization, Cookie",
            .link: "<\(call.base)/?f=json>; rel=\"alternate\"; type=\"\(ContentType.json.text)\"",
        ]
        return Response(
            status: .ok,
            headers: page.headers.merging(ofPerson),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.html)))
    }
}
