import Rendering

/// The credit for the data of a map, as HTML that is safe in pages of any origin.
struct Attribution {
    /// Text and links.
    let html: HTML

    /// The credit for the base map of the program.
    static let naturalEarth = Attribution(
        html: "<a href=\"https://www.naturalearthdata.com/\" rel=\"noopener noreferrer\">Natural Earth</a>")

    private init(html: HTML) {
        self.html = html
    }

    /// Creates a credit from HTML of any kind.
    ///
    /// Only texts and links to web pages remain.
    ///
    /// - Parameter markup: The HTML, of at most some thousand bytes.
    init(untrusted markup: String) {
        var html: HTML = ""
        var rest = markup[...]
        while let link = rest.firstMatch(of: Self.link) {
            let text = Self.plain(rest[..<link.range.lowerBound])
            html += "\(text)"
            html += Self.html(ofLink: link.output.tag, name: link.output.name)
            rest = rest[link.range.upperBound...]
        }
        let text = Self.plain(rest)
        html += "\(text)"
        self.html = html
    }

    private static var link: Regex<(Substring, tag: Substring, name: Substring)> {
        /(?is)(?<tag><a\s[^>]*>)(?<name>.*?)<\/a\s*>/
    }

    private static var address: Regex<Substring> { /https?:\/\/[^"'\s<>]+/ }

    /// Returns a link, or only its name if it does not lead to a web page.
    private static func html(ofLink tag: Substring, name: Substring) -> HTML {
        let name = plain(name)
        guard let match = tag.firstMatch(of: address) else { return "\(name)" }
        let address = plain(match.output)
        return "<a href=\"\(address)\" rel=\"noopener noreferrer\">\(name)</a>"
    }

    private static let entities = [
        "&copy;": "©",
        "&nbsp;": " ",
        "&lt;": "<",
        "&gt;": ">",
        "&quot;": "\"",
        "&#39;": "'",
    ]

    /// Returns the text of some markup in one line, without tags.
    private static func plain(_ markup: Substring) -> String {
        var text = markup.replacing(/<[^>]*>/, with: "")
        for (entity, character) in entities { text = text.replacing(entity, with: character) }
        // The ampersand is last, because it may begin another entity.
        text = text.replacing("&amp;", with: "&")
        return String(text.replacing(/[\p{Cc}\s]+/, with: " "))
    }
}
