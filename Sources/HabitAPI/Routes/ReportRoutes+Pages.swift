import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

extension Report {
    /// Whether the response to a call is the page of the report.
    ///
    /// A browser gets a page of every report. The format that the parameter `f` names must be one of the report.
    func hasPage(for call: Call) -> Bool {
        let form = call.parameters["f"]
        guard form == nil || formats.contains(.html) else { return false }
        return call.request.wantsPage(form)
    }
}

extension ReportRoutes {
    /// Maximum number of rows in the table of a page.
    private static let tableRows = 100

    /// Responds with the page of the reports.
    ///
    /// - Parameters:
    ///   - search: The words that the title or the description contain.
    ///   - call: The request.
    /// - Returns: The response.
    /// - Throws: `not-signed-in`, or an error of the compression.
    func page(ofReports search: String, for call: Call) throws -> Response {
        let isOperator = try call.viewer == .operator
        let list = ReportList(readableReports, search: search, isForOperator: isOperator, hasNights: hasNights)
        let page = pages.page(of: list, for: call.visit)
        let headers = page.headers.merging(.notStored)
        return try Response(page.html, encoded: ContentEncoding(for: call.request), headers: headers)
    }

    /// Responds with the page of a report: its form and its rows, or its form with the problem of a field.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - call: The request.
    /// - Returns: The response, with the status of the problem.
    /// - Throws: The errors that are not about a parameter of the report.
    func page(of report: Report, for call: Call) async throws -> Response {
        let viewer = try call.viewer
        let limit = try RowFormat.limit(call.parameters)
        var form = ReportForm(report, call.parameters)
        form.choices = try await store.read(for: call.requester) { session in
            try ReportChoices(of: report, viewer: viewer, clock: call.clock, in: session)
        }
        do {
            return try await page(of: form, limit: limit, for: call)
        } catch {
            guard let refused = form.refused(by: error) else { throw error }
            let page = pages.page(of: refused, result: nil, for: call.visit)
            let response = try Response(
                page.html,
                encoded: ContentEncoding(for: call.request),
                status: refused.status,
                headers: page.headers)
            return response.forOneViewer
        }
    }

    /// Responds with the page of a report that runs.
    ///
    /// - Parameters:
    ///   - form: The parameters of the report.
    ///   - limit: Maximum number of rows that the charts contain.
    ///   - call: The request.
    /// - Returns: The response with status 200.
    /// - Throws: The errors of the parameters and of the run.
    private func page(of form: ReportForm, limit: Int, for call: Call) async throws -> Response {
        let viewer = try call.viewer
        let report = form.report
        let arguments = Self.arguments(of: report) { name in form.texts[name] }
        // The default values of parameters depend on the date.
        let tag = ResponseTag(
            call.request,
            of: .viewer(viewer),
            for: call.caller,
            at: call.clock,
            dependsOnDay: true,
            ["page of a report", report.id, report.sql, call.parameters.canonical])
        return try await responses.response(
            to: call,
            encoding: ContentEncoding(for: call.request),
            on: .responses,
            as: report.isShipped ? nil : AnalysisScope(viewer, call.clock),
            tagged: tag
        ) { [deadline, pages] session, begin in
            var run = try Problem.namingUser(of: report, for: viewer) {
                try ReportRun(report, arguments, viewer: viewer, clock: call.clock, in: session)
            }
            run.query.limits = QueryLimits(timeout: deadline)
            run.query.rowLimit = limit
            let rows = OutputBuffer()
            var renderer: HTMLRenderer?
            try run.run(in: session) { shape in
                let part = HTMLRenderer(part: shape, options: Self.options(of: run), into: rows)
                renderer = part
                try part.begin()
                return { row in try part.append(row) }
            }
            try renderer?.end()
            let result = HTML(stringLiteral: rows.text)
            let page = pages.page(of: form.filled(by: run), result: result, for: call.visit)
            let output = try begin(page.headers)
            output.append(page.html.span)
        }
    }

    /// Returns the options of the charts and the table, whose page has the title and the description already.
    private static func options(of run: ReportRun) -> RenderOptions {
        var options = RenderOptions()
        options.ratesAsPercent = true
        options.page = run.report.page(run)
        options.page.description = ""
        options.page.mostRows = tableRows
        return options
    }
}
