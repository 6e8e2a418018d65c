import Base
import HabitModel
import Rendering

/// The API document as a page for people (the link `service-doc` of OGC API - Features).
struct APIPage {
    private let document: JSON

    init(_ document: JSON) { self.document = document }

    /// Returns the page: a section for each path with its operations.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: "Habitat API")
        page.trail = [HabitatServer.home(site.base)]
        page.description = "The operations of the server. Programs read the OpenAPI document."
        page.alternates = [WebPage.Alternate(type: .openAPI, href: "\(site.base)/api?f=json")]
        for (path, item) in Self.members(of: document["paths"]) {
            page.content += "<section>\n<h2><code>\(path)</code></h2>\n"
            let shared = item["parameters"].elements
            for (method, operation) in Self.members(of: item) {
                page.content += Self.text(of: operation, method, shared)
            }
            page.content += "</section>\n"
        }
        return page
    }

    /// Returns the method, the summary, the description and the parameters of an operation.
    private static func text(of operation: JSON, _ method: String, _ shared: [JSON]) -> HTML {
        // The other members of a path, such as its parameters, are not operations.
        guard case .object = operation else { return "" }
        let names = (shared + operation["parameters"].elements).compactMap { $0["name"].text }
        let parameters = names.reduce("" as HTML) { $0 + " <code>\($1)</code>" }
        let list: HTML = names.isEmpty ? "" : "<p class=\"count\">Parameters:\(parameters)</p>\n"
        let description = operation["description"].text ?? ""
        return """
            <h3>\(method.uppercased()): \(isolated: operation["summary"].text ?? "")</h3>
            <p>\(isolated: description)</p>
            \(list)
            """
    }

    /// Returns the members of an object, sorted by name.
    private static func members(of object: JSON) -> [(name: String, value: JSON)] {
        guard case .object(let members) = object else { return [] }
        return members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
