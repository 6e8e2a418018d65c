import Base
import HTTPServing
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// Routes that list and run reports.
///
/// They accept no SQL from clients.
package struct ReportRoutes: RouteGroup {
    let catalog: ReportCatalog
    let store: StorePool
    let responses: StoreResponses
    let deadline: Duration
    /// Whether the server has nightly runs.
    let hasNights: Bool
    /// The parts that the server shows.
    let sections: Sections
    let pages: any WebPages

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - catalog: The reports.
    ///   - store: The connections to the store.
    ///   - responses: Writes the results of reports.
    ///   - deadline: Maximum time for running a report.
    ///   - hasNights: Whether the server has nightly runs.
    ///   - sections: The parts that the server shows.
    ///   - pages: The pages of the server.
    package init(
        catalog: ReportCatalog,
        store: StorePool,
        responses: StoreResponses,
        deadline: Duration,
        hasNights: Bool,
        sections: Sections,
        pages: any WebPages
    ) {
        self.catalog = catalog
        self.store = store
        self.responses = responses
        self.deadline = deadline
        self.hasNights = hasNights
        self.sections = sections
        self.pages = pages
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/reports",
                operation: RouteOperation(
                    "reports",
                    summary: "List reports",
                    description:
                        "Returns the parameters, columns and formats of each report, or a page with the reports in groups.",
                    // Custom reports have descriptions that are not public.
                    permission: .viewers,
                    query: [
                        .form(DocumentForm.allCases.map(\.rawValue)),
                        QueryParameter(
                            "q",
                            "Words that the title or the description of the reports contain, in any letter case.",
                            schema: ["type": "string"]),
                    ],
                    content: .content(.json, schema: ["type": "object"]).merging(.pageContent)),
                handler: reports),
            Route(
                .get,
                "/reports/{report}",
                match: { [self] context in
                    let report = try report(in: context)
                    let operation = Self.operation(of: report).withForm(ReportForm.ownFields(of: report))
                    return Route.Match(operation: operation) { call in
                        guard report.hasPage(for: call) else { return try await run(report, for: call) }
                        return try await page(of: report, for: call)
                    }
                },
                documented: { [self] isKnownCaller in
                    let reports = readableReports.filter { report in report.isShipped || isKnownCaller }
                    return reports.map { report in Self.operation(of: report).at("/reports/\(report.id)") }
                }),
        ]
    }

    /// The reports of the catalog without unreadable ones and those of hidden parts of the server.
    ///
    /// The operator finds the unreadable ones with `habitat report check`.
    var readableReports: [Report] {
        catalog.all().compactMap { entry in try? catalog.find(entry.id) }.filter(sections.shows)
    }

    /// Returns the report of a request.
    ///
    /// - Throws: `not-found` if there is no such report, or if it is unreadable.
    private func report(in context: ServerContext) throws -> Report {
        let id = try context.parameter("report")
        // The parameter must be the ID of a report, never the path of a file.
        guard (try? Report.checkID(id)) != nil, let report = try? catalog.find(id),
            sections.shows(report)
        else {
            throw HabitError(.notFound, "unknown report '\(id)': see /reports", field: "report")
        }
        return report
    }

    // MARK: The list of reports

    @Sendable private func reports(_ call: Call) throws -> Response {
        let form = try call.parameters.choice("f", DocumentForm.self)
        let search = call.parameters["q"] ?? ""
        guard !call.request.wantsPage(form?.rawValue) else { return try page(ofReports: search, for: call) }
        let found = readableReports.filter { report in report.contains(search) }
        let reports = found.map { report in Self.document(of: report, base: call.base) }
        let document: JSON = [
            "reports": .list(reports),
            "links": [FeaturePage.link("self", to: "\(call.base)/reports", type: .json)],
        ]
        return Response(document, headers: .notStored)
    }

    private static func document(of report: Report, base: String) -> JSON {
        let address = "\(base)/reports/\(report.id.urlEncoded)"
        return [
            "id": .text(report.id),
            "title": .text(report.title),
            "description": .text(report.description),
            "parameters": .list(report.parameters.map(document(of:))),
            "columns": .list(report.columns.map(document(of:))),
            "formats": .list(report.formats.map { .text($0.rawValue) }),
            "links": [FeaturePage.link("item", to: address, type: .json, title: report.title)],
        ]
    }

    private static func document(of parameter: ReportParameter) -> JSON {
        [
            "name": .text(parameter.optionName),
            "kind": .text(parameter.kind.rawValue),
            "meaning": .text(parameter.meaning),
        ]
    }

    private static func document(of column: ReportColumn) -> JSON {
        [
            "name": .text(column.name),
            "type": .text(column.kind.rawValue),
            "meaning": .text(column.meaning),
        ]
    }

    // MARK: A report

    private static func operation(of report: Report) -> RouteOperation {
        RouteOperation(
            "report.\(report.id)",
            summary: "Run the report \(report.id)",
            description: report.title + ". " + report.description,
            permission: .viewers,
            query: report.parameters.map(queryParameter) + RowFormat.parameters(of: report.formats),
            content: RowFormat.content(of: report.formats))
    }

    private static func queryParameter(_ parameter: ReportParameter) -> QueryParameter {
        let form =
            switch parameter.kind {
            case .position: " The format is longitude,latitude in degrees."
            case .area: " The format is the text of a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection."
            default: ""
            }
        return QueryParameter(
            parameter.optionName,
            parameter.meaning + form,
            schema: ["type": "string"],
            isRequired: parameter.need == .required)
    }

    private func run(_ report: Report, for call: Call) async throws -> Response {
        let viewer = try call.viewer
        let form = try RowFormat(call.parameters, of: "report '\(report.id)'", among: report.formats)
        let arguments = Self.arguments(of: report) { name in call.parameters[name] }
        // The default values of parameters depend on the date.
        let tag = ResponseTag(
            call.request,
            of: .viewer(viewer),
            for: call.caller,
            at: call.clock,
            dependsOnDay: true,
            ["report", report.id, report.sql, form.format.rawValue, call.parameters.canonical])
        return try await responses.response(
            to: call,
            // Parquet files are already compressed.
            encoding: form.format.isBinary ? .identity : ContentEncoding(for: call.request),
            on: .responses,
            as: report.isShipped ? nil : AnalysisScope(viewer, call.clock),
            tagged: tag
        ) { [deadline] session, begin in
            var run = try Problem.namingUser(of: report, for: viewer) {
                try ReportRun(report, arguments, viewer: viewer, clock: call.clock, in: session)
            }
            run.query.limits = QueryLimits(timeout: deadline)
            run.query.rowLimit = form.limit
            var options = RenderOptions()
            options.spreadsheetSafe = form.isSpreadsheetSafe
            var renderer: (any Renderer)?
            try run.run(in: session) { shape in
                let output = try begin(form.headers)
                renderer = try form.format.renderer(for: shape, options: options, into: output)
                try renderer?.begin()
                return { row in try renderer?.append(row) }
            }
            try renderer?.end()
        }
    }

    /// Returns the texts of a report's parameters by name.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - given: Returns the text of an option in the coordinate order of HTTP requests, or `nil` if it is omitted.
    /// - Returns: The texts in the coordinate order of reports.
    static func arguments(of report: Report, given: (String) -> String?) -> [String: String] {
        var arguments: [String: String] = [:]
        for parameter in report.parameters {
            guard let text = given(parameter.optionName) else { continue }
            arguments[parameter.name] = parameter.kind == .position ? latitudeFirst(text) : text
        }
        return arguments
    }

    /// Converts a position from LONGITUDE,LATITUDE, the order in HTTP requests, to LATITUDE,LONGITUDE.
    private static func latitudeFirst(_ text: String) -> String {
        text.split(separator: ",", omittingEmptySubsequences: false).reversed().joined(separator: ",")
    }
}
