import Base
import Foundation
import HTTPTypes
import HabitModel
import Hummingbird

/// A strong validator of a response (RFC 9110, section 8.8.3).
struct EntityTag: Equatable {
    var value: String

    /// Creates a tag that depends only on `parts`.
    ///
    /// Equal parts produce equal tags.
    init(of parts: [String]) { value = parts.lengthPrefixedSHA256.prefix(12).hexadecimal }

    /// Creates a tag with a value, which contains no quotation mark.
    init(value: String) { self.value = value }

    /// Creates the tag of a record that the client may edit.
    ///
    /// - Parameters:
    ///   - version: The version of the record. A condition on a change compares only this part.
    ///   - shown: The tag of the response.
    init(version: String, shown: EntityTag) {
        value = version + "." + shown.value
    }

    var text: String { "\"\(value)\"" }

    /// Returns the tag of the same response in another content encoding.
    func encoded(_ encoding: ContentEncoding) -> EntityTag {
        var tag = self
        if encoding == .gzip { tag.value += "-gzip" }
        return tag
    }

    /// Whether the tag matches If-None-Match, so that the response need not be sent again (section 13.1.2).
    func matches(ifNoneMatch request: Request) -> Bool { matches(ifNoneMatch: request.headers[.ifNoneMatch]) }

    func matches(ifNoneMatch header: String?) -> Bool {
        guard let header else { return false }
        return EntityTagList(header).contains(self)
    }
}

/// The content encoding of a response.
enum ContentEncoding {
    case identity, gzip

    /// Chooses gzip if the client accepts it (RFC 9110, section 12.5.3).
    init(for request: Request) {
        let accepted = (request.headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = words.first, name == "gzip" || name == "*" else { return false }
            return !words.dropFirst().contains { $0.hasPrefix("q=0") && (Double($0.dropFirst(2)) ?? 0) == 0 }
        }
        self = accepted ? .gzip : .identity
    }
}
