import HTTPServing
import HabitAPI
import HabitReport
import Rendering
import StoreEngine

/// The addresses of a report with the parameters of a form.
struct ReportAddress {
    /// A link that sets the period of a report.
    struct Preset {
        let title: String
        let href: String
        /// Whether the form has this period.
        let isCurrent: Bool
    }

    let form: ReportForm
    let site: PageSite

    /// Returns the path of the report with other texts.
    ///
    /// - Parameters:
    ///   - changes: The texts by option name; an empty text omits the parameter.
    ///   - format: The value of the parameter `f`, or `nil` without it.
    /// - Returns: The path and the query.
    func path(_ changes: [String: String] = [:], format: OutputFormat? = nil) -> String {
        var parts: [String] = []
        for parameter in form.report.parameters {
            let name = parameter.optionName
            guard let text = changes[name] ?? form.texts[name], !text.isEmpty else { continue }
            parts.append("\(name.urlEncoded)=\(text.urlEncoded)")
        }
        if let format {
            parts.append("f=\(format.rawValue)")
        }
        let path = "\(site.root)/reports/\(form.report.id)"
        return parts.isEmpty ? path : "\(path)?\(parts.joined(separator: "&"))"
    }

    /// The links for 4 weeks, a quarter and a year, if the report has a period; otherwise empty.
    var presets: [Preset] {
        let titles = [PageText.Report.weeks, PageText.Report.quarter, PageText.Report.year]
        if has("weeks", .integer) {
            return zip(titles, ["4", "13", "52"]).map { title, weeks in preset(title, ["weeks": weeks]) }
        }
        let end = ["to", "date"].first { name in has(name, .date) }
        guard let end, has("from", .date) else { return [] }
        return zip(titles, ["today-27", "today-90", "today-364"]).map { title, first in
            preset(title, ["from": first, end: ""])
        }
    }

    private func has(_ name: String, _ kind: ReportParameter.Kind) -> Bool {
        form.report.parameters.contains { parameter in parameter.name == name && parameter.kind == kind }
    }

    private func preset(_ title: String, _ changes: [String: String]) -> Preset {
        let isCurrent = changes.allSatisfy { name, text in
            let given = form.texts[name] ?? ""
            return given == text
        }
        return Preset(title: title, href: path(changes), isCurrent: isCurrent)
    }
}

extension OutputFormat {
    /// The formats of links to all rows, the most common first.
    static let linked: [OutputFormat] = [.csv, .json, .parquet, .geojson, .ndjson, .geojsonseq, .ics, .text]

    /// The name of the format in links.
    var title: String {
        switch self {
        case .text: PageText.Report.text
        case .csv: "CSV"
        case .json: "JSON"
        case .ndjson: "NDJSON"
        case .geojson: "GeoJSON"
        case .geojsonseq: PageText.Report.sequence
        case .html: "HTML"
        case .ics: "iCalendar"
        case .parquet: "Parquet"
        }
    }
}
