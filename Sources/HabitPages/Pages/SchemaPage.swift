import Base
import HabitAPI
import Rendering

/// The properties of the records of a collection in plain words: all fields, or those that filters compare.
struct SchemaPage {
    /// The properties that a page describes.
    enum Subject {
        case fields, conditions
    }

    /// The JSON Schema.
    let schema: JSON
    let subject: Subject

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        let collection = schema.text("title")
        var page = WebPage(title: title(collection))
        page.crumb = crumb
        page.trail = WebPage.Link.links(of: .collections, base: site.base)
        page.trail.append(WebPage.Link(text: collection, href: address))
        page.description = about
        page.alternates = [WebPage.Alternate(type: .schema, href: "\(schema.text("$id"))?f=json")]
        let list = site.path("\(address)/items")
        page.content = """
            <p><a href="\(list)">\(PageText.Schema.list(collection))</a></p>
            <dl class="card">
            \(rows)</dl>

            """
        return page
    }

    /// The URL of the collection.
    private var address: String {
        let parts = schema.text("$id").split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast().joined(separator: "/")
    }

    private func title(_ collection: String) -> String {
        switch subject {
        case .fields: PageText.Schema.fieldsTitle(of: collection)
        case .conditions: PageText.Schema.conditionsTitle(of: collection)
        }
    }

    private var crumb: String {
        switch subject {
        case .fields: PageText.Schema.fields
        case .conditions: PageText.Schema.conditions
        }
    }

    private var about: String {
        switch subject {
        case .fields: PageText.Schema.fieldsAbout
        case .conditions: PageText.Schema.conditionsAbout
        }
    }

    // MARK: Properties

    private var rows: HTML {
        let required = Set(schema["required"].elements.compactMap(\.textValue))
        return properties.reduce("" as HTML) { rows, property in
            rows + property.html(isRequired: required.contains(property.name))
        }
    }

    /// The properties in the order of the columns.
    private var properties: [SchemaProperty] {
        guard case .object(let members) = schema["properties"] else { return [] }
        let properties = members.map { name, schema in SchemaProperty(name: name, schema: schema) }
        return properties.sorted { one, other in one.order < other.order }
    }
}

/// A property of a JSON Schema.
private struct SchemaProperty {
    let name: String
    let schema: JSON

    /// The place of the property among the others.
    var order: Int {
        guard case .integer(let order) = schema["x-ogc-propertySeq"] else { return 0 }
        return order
    }

    /// Returns the title with the sentences about the property.
    func html(isRequired: Bool) -> HTML {
        var remarks = sentences
        if isRequired {
            remarks.append(PageText.Schema.required)
        }
        let text = remarks.joined(separator: " ")
        return """
            <div><dt>\(schema.text("title"))</dt>
            <dd><code>\(name)</code>
            \(isolated: text)</dd></div>

            """
    }

    private var sentences: [String] {
        var sentences = [kind]
        let values = schema["enum"].elements.compactMap(\.textValue)
        if !values.isEmpty {
            sentences.append(PageText.Schema.values(values.joined(separator: ", ")))
        }
        if case .integer(let least) = schema["minimum"] {
            sentences.append(PageText.Schema.minimum(least))
        }
        sentences.append(schema.text("description"))
        if case .boolean(true) = schema["readOnly"] {
            sentences.append(PageText.Schema.readOnly)
        }
        if case .boolean(true) = schema["writeOnly"] {
            sentences.append(PageText.Schema.writeOnly)
        }
        return sentences.filter { sentence in !sentence.isEmpty }
    }

    /// The kind of the values.
    private var kind: String {
        switch (schema.text("type"), schema.text("format")) {
        case (_, "date"): PageText.Schema.date
        case (_, "date-time"): PageText.Schema.instant
        case (_, "uri"): PageText.Schema.address
        case (_, "geometry-point"): PageText.Schema.point
        case ("integer", _): PageText.Schema.integer
        case ("number", _): PageText.Schema.number
        case ("boolean", _): PageText.Schema.boolean
        default: schema["contentEncoding"].textValue == nil ? PageText.Schema.text : PageText.Schema.file
        }
    }
}
