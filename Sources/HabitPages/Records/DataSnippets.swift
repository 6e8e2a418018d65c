import HabitAPI
import Rendering

/// The part "Use this data" of a page: commands and programs that read the same features.
///
/// The address selects the same features as the page. A program needs an access token unless the data is public.
struct DataSnippets {
    /// The URL of the features as JSON.
    private let address: String
    /// The name of the layer in which geographic programs store the features; `nil` for the records of several
    /// collections.
    private let layer: String?
    private let kind: Kind
    private let isPublic: Bool

    /// The document at the address.
    private enum Kind {
        /// A page of features with a link to the next page.
        case list
        case feature
        /// An array of rows.
        case rows
    }

    /// Creates the snippets for a list.
    init(of list: FeaturePage) {
        address = Self.quotable(list.requested.dataAddress)
        layer = list.view.collection.id
        kind = .list
        isPublic = list.view.isPublic
    }

    /// Creates the snippets for the records near a position, which have several kinds.
    init(of list: NearPage) {
        address = Self.quotable(list.requested.dataAddress)
        layer = nil
        kind = .list
        isPublic = false
    }

    /// Creates the snippets for one feature.
    init(of feature: SingleFeature) {
        address = Self.quotable("\(feature.address)?f=json")
        layer = feature.view.collection.id
        kind = .feature
        isPublic = feature.view.isPublic
    }

    /// Creates the snippets for the rows of one user.
    ///
    /// - Parameter address: The URL of the rows as JSON.
    init(ofRows address: String) {
        self.address = Self.quotable(address)
        layer = nil
        kind = .rows
        isPublic = false
    }

    /// Returns a URL that can be in quotes in a shell, in JavaScript and in Python.
    ///
    /// Only the public URL of the server can contain these characters, because all other parts are percent-encoded.
    private static func quotable(_ url: String) -> String {
        url
            .replacing("'", with: "%27")
            .replacing("\"", with: "%22")
            .replacing("\\", with: "%5C")
    }

    /// Returns the folded part of the page.
    ///
    /// - Parameter site: The server's addresses.
    /// - Returns: The part.
    func html(_ site: PageSite) -> HTML {
        var parts = snippet("curl", curl) + snippet("JavaScript", script) + snippet("Python", python)
        if let layer {
            parts += qgis(site, layer: layer)
            parts += snippet("ogr2ogr", ogr2ogr(layer: layer))
            parts = descriptions(of: layer, site) + parts
        }
        return """
            <details class="data">
            <summary>\(PageText.Data.title)</summary>
            \(token(site))\(pages)\(parts)</details>

            """
    }

    /// The paragraph with links to the pages that describe a collection.
    private func descriptions(of collection: String, _ site: PageSite) -> HTML {
        let path = "\(site.root)/collections/\(collection)"
        let text = PageText.Data.about(
            "<a href=\"\(path)\">\(PageText.Data.collection)</a>",
            fields: "<a href=\"\(path)/schema\">\(PageText.Data.fields)</a>",
            conditions: "<a href=\"\(path)/queryables\">\(PageText.Data.conditions)</a>")
        return "<p>\(text)</p>\n"
    }

    /// The paragraph about the access token; empty for public data.
    private func token(_ site: PageSite) -> HTML {
        if isPublic { return "<p>\(PageText.Data.everyone)</p>\n" }
        let account: HTML = "<a href=\"\(site.root)/account\">\(PageText.Data.account)</a>"
        return "<p>\(PageText.Data.token("<code>TOKEN</code>", account: account))</p>\n"
    }

    /// The paragraph about the pages of a list; empty for other data.
    private var pages: HTML {
        guard case .list = kind else { return "" }
        return "<p>\(PageText.Data.pages(limit: "<code>limit</code>"))</p>\n"
    }

    private func snippet(_ name: String, _ code: String) -> HTML {
        """
        <h2>\(name)</h2>
        <pre tabindex="0" role="region" aria-label="\(name)"><code>\(code)</code></pre>

        """
    }

    private var curl: String {
        let header = isPublic ? "" : " -H 'Authorization: Bearer TOKEN'"
        return "curl\(header) '\(address)'"
    }

    private var script: String {
        let header = isPublic ? "" : ", { headers: { Authorization: 'Bearer TOKEN' } }"
        let last =
            switch kind {
            case .list: "console.log((await response.json()).features);"
            case .feature, .rows: "console.log(await response.json());"
            }
        return "const response = await fetch('\(address)'\(header));\n\(last)"
    }

    private var python: String {
        let header = isPublic ? "{}" : "{\"Authorization\": \"Bearer TOKEN\"}"
        let begin = """
            import json, urllib.request

            headers = \(header)
            url = "\(address)"
            """
        switch kind {
        case .list:
            return """
                \(begin)
                features = []
                while url:
                    request = urllib.request.Request(url, headers=headers)
                    with urllib.request.urlopen(request) as response:
                        page = json.load(response)
                    features += page["features"]
                    url = next((link["href"] for link in page["links"] if link["rel"] == "next"), None)
                print(len(features), "features")
                """
        case .feature, .rows:
            return """
                \(begin)
                request = urllib.request.Request(url, headers=headers)
                with urllib.request.urlopen(request) as response:
                    print(json.load(response))
                """
        }
    }

    private func ogr2ogr(layer: String) -> String {
        let header = isPublic ? "" : "GDAL_HTTP_HEADERS='Authorization: Bearer TOKEN' "
        return "\(header)ogr2ogr -f GPKG -nln \(layer) \(layer).gpkg '\(address)'"
    }

    /// The steps in QGIS, which filters the features itself or reads only those at the address.
    private func qgis(_ site: PageSite, layer: String) -> HTML {
        let header: HTML =
            isPublic
            ? "" : "<li>\(PageText.Data.qgisToken)</li>\n"
        return """
            <h2>QGIS</h2>
            <ol>
            <li>\(PageText.Data.qgisAdd)</li>
            <li>\(PageText.Data.qgisConnection("<code>\(site.base)/</code>"))</li>
            \(header)<li>\(PageText.Data.qgisLayer("<code>\(layer)</code>"))</li>
            <li>\(PageText.Data.qgisPage("<code>\(address)</code>"))</li>
            </ol>

            """
    }
}
