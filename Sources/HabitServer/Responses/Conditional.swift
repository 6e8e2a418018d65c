import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// The validator of an answer (RFC 9110, section 8.8.3): strong, since equal ones are equal byte for byte.
struct EntityTag: Equatable {
    var value: String

    /// Of what follows from these alone.
    init(of parts: [String]) { value = Self.digest(Data(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)) }

    /// Of one feature: `stored` is what a change of it is held against, `shown` all that an answer says.
    init(stored: [UInt8], shown: [String]) {
        value = Self.digest(Data(stored)) + "." + EntityTag(of: shown).value
    }

    private static func digest(_ data: Data) -> String {
        SHA256.hash(data: data).prefix(12).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    var text: String { "\"\(value)\"" }

    /// The tag of the same answer in another encoding.
    func encoded(_ encoding: ContentEncoding) -> EntityTag {
        var tag = self
        if encoding == .gzip { tag.value += "-gzip" }
        return tag
    }

    /// Whether an answer with this tag need not be sent again (section 13.1.2).
    func matches(ifNoneMatch request: Request) -> Bool { matches(ifNoneMatch: request.headers[.ifNoneMatch]) }

    func matches(ifNoneMatch header: String?) -> Bool {
        guard let header else { return false }
        return Self.values(header).contains { $0 == "*" || $0 == value }
    }

    /// Throws 412 where the feature is no longer the one that the client has seen (section 13.1.1).
    static func require(stored tag: EntityTag?, for header: String?) throws {
        guard let header else { return }
        let stored = tag.map { $0.value.prefix { $0 != "." } }
        // A weak tag is none of a state that could be changed.
        let strong = header.split(separator: ",").filter { !$0.drop(while: \.isWhitespace).hasPrefix("W/") }
        let isMet = Self.values(strong.joined(separator: ",")).contains { value in
            value == "*" ? tag != nil : stored.map { $0 == value.prefix { $0 != "." } } ?? false
        }
        guard isMet else {
            throw Problem(
                .preconditionFailed, "changed-meanwhile",
                "it has been changed since you read it: read it again, and decide anew", field: "If-Match")
        }
    }

    private static func values(_ header: String) -> [String] {
        header.split(separator: ",").map { part in
            var text = part.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("W/") { text = String(text.dropFirst(2)) }
            return text.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
    }
}

/// How a body is encoded on its way.
enum ContentEncoding {
    case identity, gzip

    /// What the client takes (RFC 9110, section 12.5.3).
    init(for request: Request) {
        let accepted = (request.headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = words.first, name == "gzip" || name == "*" else { return false }
            return !words.dropFirst().contains { $0.hasPrefix("q=0") && (Double($0.dropFirst(2)) ?? 0) == 0 }
        }
        self = accepted ? .gzip : .identity
    }
}
