import Base
import HTTPServing
import HTTPTypes
import HabitAPI
import Hummingbird

/// The pages of shared views: one for people who have the address, and one for frames of other sites.
///
/// The pages contain no script and no link to a page that needs a session, and they send no address to other servers.
package struct SharedPageRoutes: RouteGroup {
    private let reader: SharedViewReader

    /// Creates the routes.
    ///
    /// - Parameter reader: Finds the views.
    package init(reader: SharedViewReader) {
        self.reader = reader
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/shared/{\(SharedViewReader.secret)}",
                operation: Self.operation(
                    "shared.page",
                    summary: "Get the page of a shared view",
                    description: "Returns a page with a map and the newest records of the view."),
                handler: page
            )
            .openToEveryOrigin(),
            Route(
                .get,
                "/embed/{\(SharedViewReader.secret)}",
                operation: Self.operation(
                    "shared.embed",
                    summary: "Get the embedded page of a shared view",
                    description: "Returns a page with a map of the view, which every site may show in a frame."),
                handler: embeddedPage
            )
            .openToEveryOrigin(),
        ]
    }

    private static func operation(_ id: String, summary: String, description: String) -> RouteOperation {
        RouteOperation(
            id,
            summary: summary,
            description: "\(description) \(SharedViewRoutes.absence)",
            permission: .everyone,
            pathParameters: [SharedViewRoutes.secretParameter],
            // The handler checks the parameters after the secret.
            query: nil,
            content: .pageContent)
    }

    @Sendable private func page(_ call: Call) async throws -> Response {
        let page = try await content(of: call)
        return try reader.response(to: call, body: page.html, headers: SharedViewPage.headers(framedBy: "'none'"))
    }

    @Sendable private func embeddedPage(_ call: Call) async throws -> Response {
        let page = try await content(of: call)
        return try reader.response(to: call, body: page.embeddedHTML, headers: SharedViewPage.headers(framedBy: "*"))
    }

    private func content(of call: Call) async throws -> SharedViewPage {
        SharedViewPage(content: try await reader.content(of: call), site: PageSite(call.visit))
    }
}
