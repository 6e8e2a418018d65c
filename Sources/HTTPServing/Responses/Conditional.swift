import Base
import Foundation
import HTTPTypes
import Hummingbird

/// A strong validator of a response (RFC 9110, section 8.8.3).
package struct EntityTag: Equatable {
    package var value: String

    /// Creates a tag that depends only on `parts`.
    ///
    /// Equal parts produce equal tags.
    package init(of parts: [String]) {
        value = parts.lengthPrefixedSHA256.prefix(12).hexadecimal
    }

    /// Creates a tag that depends only on the bytes of a body.
    package init(ofBody bytes: [UInt8]) {
        value = bytes.sha256.prefix(12).hexadecimal
    }

    /// Creates a tag with a value, which contains no quotation mark.
    package init(value: String) { self.value = value }

    /// Creates the tag of a record that the client may edit.
    ///
    /// - Parameters:
    ///   - version: The version of the record. A condition on a change compares only this part.
    ///   - shown: The tag of the response.
    package init(version: String, shown: EntityTag) {
        value = version + "." + shown.value
    }

    package var text: String { "\"\(value)\"" }

    /// Returns the tag of the same response in another content encoding.
    package func encoded(_ encoding: ContentEncoding) -> EntityTag {
        var tag = self
        if encoding == .gzip { tag.value += "-gzip" }
        return tag
    }

    /// Whether the tag matches If-None-Match, so that the response need not be sent again (section 13.1.2).
    package func matches(ifNoneMatch request: Request) -> Bool {
        matches(ifNoneMatch: request.headers[.ifNoneMatch])
    }

    package func matches(ifNoneMatch header: String?) -> Bool {
        guard let header else { return false }
        return EntityTagList(header).contains(self)
    }
}

/// The content encoding of a response.
package enum ContentEncoding {
    case identity, gzip

    /// Chooses gzip if the client accepts it (RFC 9110, section 12.5.3).
    package init(for request: Request) {
        let header = request.headers[.acceptEncoding] ?? ""
        let parts = header.lowercased().split(separator: ",")
        self = parts.contains(where: Self.permitsGzip) ? .gzip : .identity
    }

    /// Whether a part of the header Accept-Encoding, such as `gzip;q=0.5`, permits gzip.
    private static func permitsGzip(_ part: Substring) -> Bool {
        let words = part.split(separator: ";").map { word in
            word.trimmingCharacters(in: .whitespaces)
        }
        guard let name = words.first,
            name == "gzip" || name == "*"
        else {
            return false
        }
        return !words.dropFirst().contains(where: isZeroQuality)
    }

    /// Whether a parameter, such as `q=0.0`, forbids an encoding.
    private static func isZeroQuality(_ parameter: String) -> Bool {
        guard parameter.hasPrefix("q=0") else { return false }
        let quality = Double(parameter.dropFirst(2)) ?? 0
        return quality == 0
    }
}
