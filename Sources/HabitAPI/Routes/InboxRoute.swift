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
    /// The parts that the server shows.
    private let sections: Sections
    private let pages: any WebPages

    /// Creates the route.
    ///
    /// - Parameters:
    ///   - responses: Writes the inbox.
    ///   - sections: The parts that the server shows.
    ///   - pages: The pages of the server.
    package init(responses: StoreResponses, sections: Sections, pages: any WebPages) {
        self.responses = responses
        self.sections = sections
        self.pages = pages
    }

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
        query.hasItems = sections.contains(.items)
        let tag = ResponseTag(
            call.request,
            of: .viewer(viewer),
            for: call.caller,
            at: call.clock,
            // A page has words such as "today".
            dependsOnDay: form.format == .html,
            ["inbox", form.format.rawValue, "\(form.limit)", "\(form.isSpreadsheetSafe)", "\(query.hasItems)"])
        let encoding = ContentEncoding(for: call.request)
        return try await responses.response(to: call, encoding: encoding, on: .requests, tagged: tag) {
            [query, pages] session, begin in
            let selection = try query.selection(in: session)
            if form.format == .html {
                let names = RecordNames(viewer: viewer, clock: call.clock, in: session)
                let inbox = pages.inbox(selection.shape, names: names, for: call.visit)
                try inbox.begin()
                try inbox.append(selection.sql, in: session)
                try inbox.end()
                let page = inbox.page
                try begin(page.headers).append(page.html)
                return
            }
            var options = RenderOptions()
            options.spreadsheetSafe = form.isSpreadsheetSafe
            let output = try begin(form.headers)
            let renderer = try form.format.renderer(for: selection.shape, options: options, into: output)
            try renderer.begin()
            try renderer.append(selection.sql, in: session)
            try renderer.end()
        }
    }
}
