import Base
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import Rendering

/// The route for requests, claims and messages that wait for a response of the caller.
extension HabitatServer {
    func addInbox(to router: Router<HabitContext>) { router.route("inbox", [.get: inbox]) }

    /// The formats of the response, the default first.
    static let inboxFormats: [OutputFormat] = [.json, .ndjson, .csv, .text, .html]

    private func inbox(_ request: Request, _ context: HabitContext) async throws -> Response {
        let viewer = try await authenticator.caller(of: request).viewer()
        let parameters = try RequestParameters(request, known: Self.tableParameters)
        guard viewer != .operator else {
            throw Problem.userRequired("the inbox belongs to a user: send the token of a user")
        }
        let format = try format(parameters, of: "the inbox", among: Self.inboxFormats)
        var query = InboxQuery(viewer: viewer)
        query.limit = min(
            try FeatureRequest.count(parameters[.limit], .limit) ?? Self.maximumRows, Self.maximumRows)
        let isSafe = try parameters.isSpreadsheetSafe
        let encoding = ContentEncoding(for: request)
        let tag = ResponseTag(
            request, of: .viewer(viewer), for: .viewer(viewer), at: options.clock(), dependsOnDay: false,
            ["inbox", format.rawValue, "\(query.limit ?? 0)", "\(isSafe)"])
        return try await respond(encoding, context, for: Requester(viewer), on: .requests, tagged: tag) {
            [query] session, begin in
            let selection = try query.selection(in: session)
            var options = RenderOptions()
            options.page.title = "Inbox"
            options.spreadsheetSafe = isSafe
            var head: HTTPFields = [.contentType: format.mediaType.text]
            if format == .html { head[.contentSecurityPolicy] = Self.pagePolicy }
            let renderer = try format.renderer(for: selection.shape, options: options, into: try begin(head))
            try renderer.begin()
            try renderer.append(selection.sql, in: session)
            try renderer.end()
        }
    }
}
