import Base
import HTTPTypes
import HabitModel
import Hummingbird

/// The media types of the header Accept with their qualities (RFC 9110, section 12.5.1).
struct AcceptedTypes {
    private let ranges: [(type: String, quality: Double)]

    init(_ header: String?) {
        ranges = (header ?? "").lowercased().split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (parts.first ?? "", quality ?? 1)
        }
    }

    /// Returns the quality of the first of `types` that the header contains, or `nil` if it contains none of them.
    func quality(_ types: String...) -> Double? {
        types.lazy.compactMap { type in ranges.first { $0.type == type }?.quality }.first
    }

    /// The quality of JSON documents, including GeoJSON.
    var json: Double { quality("application/geo+json", "application/json", "application/*", "*/*") ?? 0 }

    /// Whether the client names HTML and prefers it to JSON, as a browser does when it opens a page.
    var prefersHTML: Bool { (quality("text/html") ?? 0) > json }
}

extension Request {
    /// Whether the response is an HTML page: the parameter `f` is `html`, or it is missing and the header Accept
    /// prefers HTML.
    func wantsPage(_ form: String?) -> Bool {
        form.map { $0 == "html" } ?? AcceptedTypes(headers[.accept]).prefersHTML
    }
}
