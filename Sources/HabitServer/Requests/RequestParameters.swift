import Base
import Foundation
import HabitModel
import Hummingbird

/// The query parameters of a request.
struct RequestParameters {
    private(set) var values: [String: [String]] = [:]

    /// Parses the query of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - known: The names of the supported parameters.
    ///   - repeatable: The names of the parameters that may appear several times.
    /// - Throws: ``Problem`` for an unknown parameter, for a second value of a parameter that is not repeatable, and
    ///   for a value that is not UTF-8 in percent-encoding or contains NUL.
    init(_ request: Request, known: [String], repeatable: Set<String> = []) throws {
        guard let query = request.uri.query, !query.isEmpty else { return }
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try Self.decode(query[part.startIndex..<end], of: "query")
            guard known.contains(name) else {
                let nearest = known.nearestSpelling(to: name).map { "did you mean '\($0)'? " } ?? ""
                let list =
                    known.isEmpty ? "this URL has no parameters" : "the parameters are \(known.joined(separator: ", "))"
                throw Problem.invalid(name, "unknown parameter '\(name)': \(nearest)\(list)")
            }
            guard values[name] == nil || repeatable.contains(name) else {
                throw Problem.invalid(name, "parameter '\(name)' is repeated: send it once")
            }
            values[name, default: []].append(try Self.decode(query[end..<part.endIndex].dropFirst(), of: name))
        }
    }

    /// Decodes percent-encoding.
    ///
    /// A plus sign is a space, as in HTML forms.
    private static func decode(_ text: Substring, of name: String) throws -> String {
        guard let decoded = text.percentDecoded(plusIsSpace: true) else {
            throw Problem.invalid(name, "the value of '\(name)' is not percent-encoded UTF-8: encode it again")
        }
        guard !decoded.unicodeScalars.contains("\0") else {
            throw Problem.invalid(name, "the value of '\(name)' contains the character NUL: remove it")
        }
        return decoded
    }

    /// The first value of a parameter, or `nil` if the request does not contain it.
    subscript(_ name: String) -> String? { values[name]?.first }

    /// Returns all values of a parameter that may be repeated.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// Returns the comma-separated words of a parameter, or no words if the request does not contain it.
    func list(_ name: String) -> [String] {
        self[name]?.split(separator: ",").map { $0.trimmingSpaces } ?? []
    }

    func choice<T: RawRepresentable & CaseIterable>(_ name: String, _: T.Type) throws -> T? where T.RawValue == String {
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
    var canonical: String {
        pairs(values).map { "\($0.name)=\($0.value.utf8.count):\($0.value)" }.joined(separator: "&")
    }

    /// Returns the query of the URL, including `?`, with changed parameters.
    ///
    /// A value of `nil` removes a parameter.
    func query(_ changes: [String: String?]) -> String {
        var all = values
        for (name, value) in changes { all[name] = value.map { [$0] } }
        let parts = pairs(all).map { "\($0.name.urlEncoded)=\($0.value.urlEncoded)" }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    private func pairs(_ values: [String: [String]]) -> [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.flatMap { name, values in values.map { (name, $0) } }
    }
}

extension Substring {
    /// The text without the ASCII spaces at its ends.
    ///
    /// Other white space may be a part of an ID.
    fileprivate var trimmingSpaces: String {
        let start = utf8.drop { $0 == UInt8(ascii: " ") }
        let count = start.reversed().drop { $0 == UInt8(ascii: " ") }.count
        return String(Substring(start.prefix(count)))
    }
}

extension String {
    /// The text with every character except letters, digits and `-._~` percent-encoded (RFC 3986, section 2.3).
    var urlEncoded: String {
        var encoded = ""
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
