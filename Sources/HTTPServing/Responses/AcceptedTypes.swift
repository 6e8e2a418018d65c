import Base
import HTTPTypes
import Hummingbird

/// The media types of the header Accept with their qualities (RFC 9110, section 12.5.1).
package struct AcceptedTypes {
    /// The media types and the ranges of media types.
    private let ranges: [WeightedName]

    package init(_ header: String?) { ranges = WeightedName.list(header) }

    /// Returns the quality of the first of `types` that the header contains, or `nil` if it contains none of them.
    package func quality(_ types: String...) -> Double? {
        for type in types {
            let range = ranges.first { range in range.name == type }
            if let range { return range.quality }
        }
        return nil
    }

    /// The quality of JSON documents, including GeoJSON.
    package var json: Double {
        quality("application/geo+json", "application/json", "application/*", "*/*") ?? 0
    }

    /// Whether the client names HTML and prefers it to JSON, as a browser does when it opens a page.
    package var prefersHTML: Bool {
        let html = quality("text/html") ?? 0
        return html > json
    }
}

extension Request {
    /// Whether the response is an HTML page: the parameter `f` is `html`, or it is missing and the header Accept
    /// prefers HTML.
    package func wantsPage(_ form: String?) -> Bool {
        if let form { return form == "html" }
        return AcceptedTypes(headers[.accept]).prefersHTML
    }
}
