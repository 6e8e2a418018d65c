import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import Rendering

/// The route for requests, claims and messages that wait for a response of the caller.
package struct InboxRoute: RouteGroup {
    let responses: StoreResponses

    package init(responses: StoreResponses) { self.responses = responses }

    /// The formats of the response, the default first.
    private static let formats: [OutputFormat] = [.json, .ndjson, .csv, .text, .html]

    package var routes: [Route] {
        [
            Route(
                .get,
                "/inbox",
                operation: RouteOperation(
                    "inbox",
                    summary: "List requests, claims and messages that need your response",
                    description:
                        "Returns requests to follow you, claims on your items, and messages to which you have not replied, newest first. Requires the token of a user.",
                    permission: .users(refusal: "the inbox belongs to a user: send the token of a user"),
                    query: RowFormat.parameters(of: Self.formats),
                    content: RowFormat.content(of: Self.formats)),
                handler: inbox)
        ]
    }

    @Sendable private func inbox(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let form = try RowFormat(call.parameters, of: "the inbox", among: Self.formats)
        var query = InboxQuery(viewer: viewer)
        query.limit = form.limit
        let tag = ResponseTag(
            call.request,
            of: .viewer(viewer),
            for: call.caller,
            at: call.clock,
            dependsOnDay: false,
            ["inbox", form.format.rawValue, "\(form.limit)", "\(form.isSpreadsheetSafe)"])
        let encoding = ContentEncoding(for: call.request)
        return try await responses.response(to: call, encoding: encoding, on: .requests, tagged: tag) {
            [query] session, begin in
            let selection = try query.selection(in: session)
            var options = RenderOptions()
            options.page.title = "Inbox"
            options.spreadsheetSafe = form.isSpreadsheetSafe
            let output = try begin(form.headers)
            let renderer = try form.format.renderer(for: selection.shape, options: options, into: output)
            try renderer.begin()
            try renderer.append(selection.sql, in: session)
            try renderer.end()
        }
    }
}
