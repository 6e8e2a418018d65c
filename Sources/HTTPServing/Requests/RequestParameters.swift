import Base
import Foundation
import Hummingbird

/// The query parameters of a request.
package struct RequestParameters {
    package private(set) var values: [String: [String]] = [:]

    /// Creates the parameters of a request without a query.
    package init() {}

    /// Parses the query of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - known: The names of the supported parameters.
    ///   - repeatable: The names of the parameters that may appear several times.
    /// - Throws: ``Problem`` for an unknown parameter, for a second value of a parameter that is not repeatable, and
    ///   for a value that is not UTF-8 in percent-encoding or contains NUL.
    package init(
        _ request: Request,
        known: [String],
        repeatable: Set<String> = []
    ) throws {
        guard let query = request.uri.query, !query.isEmpty else {
            return
        }
        for part in query.utf8.split(separator: .ampersand) {
            let end = part.firstIndex(of: .equalsSign) ?? part.endIndex
            let encodedName = query[part.startIndex..<end]
            let name = try Self.decode(encodedName, of: "query")
            guard known.contains(name) else {
                throw Self.unknown(name, known: known)
            }
            guard values[name] == nil || repeatable.contains(name) else {
                throw Problem.invalid(name, "parameter '\(name)' is repeated: send it once")
            }
            let value = query[end..<part.endIndex].dropFirst()
            values[name, default: []].append(try Self.decode(value, of: name))
        }
    }

    private static func unknown(
        _ name: String,
        known: [String]
    ) -> Problem {
        let nearest = known.nearestSpelling(to: name)
        let question = nearest.map { nearest in "did you mean '\(nearest)'? " } ?? ""
        let names = known.joined(separator: ", ")
        let list = known.isEmpty ? "this URL has no parameters" : "the parameters are \(names)"
        return Problem.invalid(name, "unknown parameter '\(name)': \(question)\(list)")
    }

    /// Decodes percent-encoding.
    ///
    /// A plus sign is a space, as in HTML forms.
    private static func decode(
        _ text: Substring,
        of name: String
    ) throws -> String {
        guard let decoded = text.percentDecoded(plusIsSpace: true) else {
            throw Problem.invalid(name, "the value of '\(name)' is not percent-encoded UTF-8: encode it again")
        }
        guard !decoded.unicodeScalars.contains("\0") else {
            throw Problem.invalid(name, "the value of '\(name)' contains the character NUL: remove it")
        }
        return decoded
    }

    /// The first value of a parameter, or `nil` if the request does not contain it.
    package subscript(_ name: String) -> String? {
        values[name]?.first
    }

    /// Returns all values of a parameter that may be repeated.
    package func all(_ name: String) -> [String] {
        values[name] ?? []
    }

    /// Returns the comma-separated words of all values of a parameter, or no words if the request does not contain it.
    package func list(_ name: String) -> [String] {
        all(name).flatMap { text in
            text.split(separator: ",").map(\.trimmingSpaces)
        }
    }

    package func choice<T: RawRepresentable & CaseIterable>(
        _ name: String,
        _: T.Type
    ) throws -> T?
    where T.RawValue == String {
        guard let text = self[name] else { return nil }
        guard let value = T(rawValue: text) else {
            let choices = T.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid(name, "'\(text)' is not a value of '\(name)': use one of \(choices)")
        }
        return value
    }

    /// A text of all parameters for entity tags.
    ///
    /// Requests with the same parameters and values have the same text.
    package var canonical: String {
        let parts = Self.pairs(values).map { pair in
            "\(pair.name)=\(pair.value.utf8.count):\(pair.value)"
        }
        return parts.joined(separator: "&")
    }

    /// Returns the query of the URL, including `?`, with changed parameters.
    ///
    /// A value of `nil` removes a parameter.
    package func query(_ changes: [String: String?]) -> String {
        var all = values
        for (name, value) in changes {
            all[name] = value.map { text in [text] }
        }
        let parts = Self.pairs(all).map { pair in
            "\(pair.name.urlEncoded)=\(pair.value.urlEncoded)"
        }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// Returns the parameters without some of them.
    ///
    /// - Parameter names: The names of the removed parameters.
    /// - Returns: The other parameters.
    package func without(_ names: Set<String>) -> RequestParameters {
        var rest = self
        for name in names {
            rest.values[name] = nil
        }
        return rest
    }

    /// Returns the parameters without one value of a parameter.
    ///
    /// - Parameters:
    ///   - value: The removed value. All equal values are removed.
    ///   - name: The name of the parameter.
    /// - Returns: The other parameters and values.
    package func without(value: String, of name: String) -> RequestParameters {
        var rest = self
        let values = all(name).filter { other in other != value }
        rest.values[name] = values.isEmpty ? nil : values
        return rest
    }

    /// A parameter with one of its values.
    private struct Pair {
        let name: String
        let value: String
    }

    /// Returns the parameters, sorted by name.
    private static func pairs(_ values: [String: [String]]) -> [Pair] {
        var pairs: [Pair] = []
        for name in values.keys.sorted() {
            for value in values[name, default: []] {
                pairs.append(Pair(name: name, value: value))
            }
        }
        return pairs
    }
}

extension Substring {
    /// The text without the ASCII spaces at its ends.
    ///
    /// Other white space may be a part of an ID.
    fileprivate var trimmingSpaces: String {
        let start = utf8.drop { byte in byte == .space }
        let reversed = start.reversed().drop { byte in byte == .space }
        return String(Substring(start.prefix(reversed.count)))
    }
}

extension String {
    /// The text with every character except letters, digits and `-._~` percent-encoded (RFC 3986, section 2.3).
    package var urlEncoded: String {
        var encoded = ""
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte.isUnreserved {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += byte < 16 ? "%0" : "%"
                encoded += String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}

extension UInt8 {
    /// Whether the byte stands for itself in a URL.
    fileprivate var isUnreserved: Bool {
        switch self {
        case .hyphen, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: isASCIILetterOrDigit
        }
    }
}
