import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// Routes that list and run reports. They accept no SQL from clients.
extension HabitatServer {
    func addReports(to router: Router<HabitContext>) {
        router.route("reports", [.get: reports])
        router.route("reports/:report", [.get: report])
    }

    private func reports(_ request: Request, _ context: HabitContext) async throws -> Response {
        // Custom reports have descriptions that are not public.
        _ = try await authenticator.caller(of: request).viewer()
        _ = try RequestParameters(request, known: [])
        let base = base(of: request)
        let reports: [JSON] = catalog.all().compactMap { entry in
            // Unreadable reports are skipped. The operator finds them with 'habitat report check'.
            guard let report = try? catalog.find(entry.id) else { return nil }
            return [
                "id": .text(report.id), "title": .text(report.title), "description": .text(report.description),
                "parameters": .list(
                    report.parameters.map {
                        [
                            "name": .text($0.optionName), "kind": .text($0.kind.rawValue),
                            "meaning": .text($0.meaning),
                        ]
                    }),
                "columns": .list(
                    report.columns.map {
                        ["name": .text($0.name), "type": .text($0.kind.rawValue), "meaning": .text($0.meaning)]
                    }),
                "formats": .list(report.formats.map { .text($0.rawValue) }),
                "links": [
                    FeaturePage.link("item", "\(base)/reports/\(report.id.urlEncoded)", .json, title: report.title)
                ],
            ]
        }
        return Response([
            "reports": .list(reports), "links": [FeaturePage.link("self", "\(base)/reports", .json)],
        ])
    }

    private func report(_ request: Request, _ context: HabitContext) async throws -> Response {
        let id = try context.parameter("report")
        // The parameter must be the ID of a report, never the path of a file.
        guard (try? Report.checkID(id)) != nil, let report = try? catalog.find(id) else {
            throw HabitError(.notFound, "unknown report '\(id)': see /reports", field: "report")
        }
        let own = report.parameters.map(\.optionName)
        let viewer = try await authenticator.caller(of: request).viewer()
        let parameters = try RequestParameters(request, known: own + Self.tableParameters)
        let format = try format(parameters, of: "report '\(report.id)'", among: report.formats)
        let limit = try parameters["limit"].map { text -> Int in
            guard let limit = Int(text), limit > 0 else {
                throw Problem.invalid("limit", "'\(text)' is not an integer of at least 1")
            }
            return min(limit, Self.maximumRows)
        }
        var arguments: [String: String] = [:]
        for parameter in report.parameters {
            arguments[parameter.name] = parameters[parameter.optionName].map {
                parameter.kind == .position ? Self.latitudeFirst($0) : $0
            }
        }
        let (given, clock, deadline) = (arguments, options.clock(), options.deadline)
        // Parquet files are already compressed.
        let encoding = format.isBinary ? .identity : ContentEncoding(for: request)
        // The default values of parameters depend on the date.
        let tag = ResponseTag(
            request, of: .viewer(viewer), for: .viewer(viewer), at: clock, dependsOnDay: true,
            ["report", id, report.sql, format.rawValue, parameters.canonical])
        let isSafe = try parameters.isSpreadsheetSafe
        let scope = report.isShipped ? nil : AnalysisScope(viewer, clock)
        return try await respond(
            encoding, context, for: Requester(viewer), on: .responses, as: scope, tagged: tag
        ) { session, begin in
            var run = try Problem.namingUser(of: report, for: viewer) {
                try ReportRun(report, given, viewer: viewer, clock: clock, in: session)
            }
            (run.query.limits, run.query.rowLimit) = (QueryLimits(timeout: deadline), limit ?? Self.maximumRows)
            var options = RenderOptions()
            options.spreadsheetSafe = isSafe
            if format == .html { options.page = report.page(run) }
            var renderer: (any Renderer)?
            try run.run(in: session) { shape in
                var head: HTTPFields = [.contentType: format.mediaType.text]
                if format == .html { head[.contentSecurityPolicy] = Self.pagePolicy }
                renderer = try format.renderer(for: shape, options: options, into: try begin(head))
                try renderer?.begin()
                return { try renderer?.append($0) }
            }
            try renderer?.end()
        }
    }

    /// The parameters of a response in one of several formats.
    static let tableParameters = ["f", "limit", FeatureParameter.spreadsheetSafe.rawValue]
    /// Maximum number of rows in a response.
    ///
    /// The command line has no such limit.
    static let maximumRows = 100_000

    /// Converts a position from LONGITUDE,LATITUDE, the order in HTTP requests, to LATITUDE,LONGITUDE.
    private static func latitudeFirst(_ text: String) -> String {
        text.split(separator: ",", omittingEmptySubsequences: false).reversed().joined(separator: ",")
    }

    /// Returns the format of the parameter `f`, or JSON without it.
    ///
    /// - Throws: `format-not-available` if the format is not one of `formats`; the error names `subject`.
    func format(_ parameters: RequestParameters, of subject: String, among formats: [OutputFormat]) throws
        -> OutputFormat
    {
        let name = parameters["f"] ?? OutputFormat.json.rawValue
        guard let format = OutputFormat(rawValue: name), formats.contains(format) else {
            throw HabitError(
                .formatNotAvailable,
                "\(subject) has no format '\(name)': use \(formats.map(\.rawValue).joined(separator: ", "))", field: "f"
            )
        }
        return format
    }
}

extension OutputFormat {
    var mediaType: MediaType {
        switch self {
        case .json: .json
        case .ndjson: .ndjson
        case .geojson: .geoJSON
        case .geojsonseq: .geoJSONSequence
        case .csv: .csv
        case .html: .html
        case .text: .text
        case .ics: .calendar
        case .parquet: .parquet
        }
    }
}
