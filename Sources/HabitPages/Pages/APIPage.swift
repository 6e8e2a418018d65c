import Base
import HTTPServing
import HabitAPI
import HabitModel
import Rendering

/// The API document as a page for people (the link `service-doc` of OGC API - Features).
struct APIPage {
    private let document: JSON

    init(_ document: JSON) {
        self.document = document
    }

    /// Returns the page: a section for each path with its operations.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Document.api)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.description = PageText.Document.apiAbout
        page.alternates = [WebPage.Alternate(type: .openAPI, href: "\(site.base)/api?f=json")]
        for path in Self.members(of: document["paths"]) {
            page.content += "<section>\n<h2><code>\(path.name)</code></h2>\n"
            let shared = path.value["parameters"].elements
            for operation in Self.members(of: path.value) {
                page.content += Self.text(of: operation, shared: shared)
            }
            page.content += "</section>\n"
        }
        return page
    }

    /// Returns the method, the summary, the description and the parameters of an operation.
    ///
    /// - Parameters:
    ///   - member: The operation; its name is the method.
    ///   - shared: The parameters of all operations of the path.
    /// - Returns: The text; empty for another member of a path, such as its parameters.
    private static func text(
        of member: Member,
        shared: [JSON]
    ) -> HTML {
        let operation = member.value
        guard case .object = operation else { return "" }
        let summary = operation["summary"].textValue ?? ""
        let description = operation["description"].textValue ?? ""
        let parameters = shared + operation["parameters"].elements
        return """
            <h3>\(member.name.uppercased()): \(isolated: summary)</h3>
            <p>\(prose(description))</p>
            \(list(of: parameters))
            """
    }

    /// Returns a description, in which a text between two backticks is code.
    private static func prose(_ description: String) -> HTML {
        let parts = description.split(separator: "`", omittingEmptySubsequences: false)
        var prose: HTML = ""
        for (index, part) in parts.enumerated() {
            let isCode = !index.isMultiple(of: 2)
            prose += isCode ? "<code>\(String(part))</code>" : "\(isolated: String(part))"
        }
        return prose
    }

    /// Returns the names of parameters; empty without parameters.
    private static func list(of parameters: [JSON]) -> HTML {
        let names = parameters.compactMap { parameter in parameter["name"].textValue }
        if names.isEmpty { return "" }
        let list = names.reduce("" as HTML) { list, name in
            list + " <code>\(name)</code>"
        }
        return "<p class=\"count\">\(PageText.Document.parameters)\(list)</p>\n"
    }

    /// A member of a JSON object.
    private struct Member {
        let name: String
        let value: JSON
    }

    /// Returns the members of an object, sorted by name.
    private static func members(of object: JSON) -> [Member] {
        guard case .object(let values) = object else { return [] }
        let members = values.map { name, value in Member(name: name, value: value) }
        return members.sorted { one, other in one.name < other.name }
    }
}
