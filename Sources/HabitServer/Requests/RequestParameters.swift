import Foundation
import HabitModel
import Hummingbird

/// The parameters of a request's address.
struct RequestParameters {
    private(set) var values: [String: [String]] = [:]

    /// Reads the parameters. Those of `repeatable` may be given more than once.
    ///
    /// - Throws: ``Problem`` for a parameter that is given twice, or whose value is not UTF-8, or that is not among `known`.
    init(_ request: Request, known: [String], repeatable: Set<String> = []) throws {
        guard let query = request.uri.query, !query.isEmpty else { return }
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try Self.decode(query[part.startIndex..<end], of: "query")
            guard known.contains(name) else {
                let nearest = known.nearestSpelling(to: name).map { "did you mean '\($0)'? " } ?? ""
                let list = known.isEmpty ? "it takes none" : "it takes \(known.joined(separator: ", "))"
                throw Problem.invalid(name, "there is no parameter '\(name)' here: \(nearest)\(list)")
            }
            guard values[name] == nil || repeatable.contains(name) else {
                throw Problem.invalid(name, "the parameter '\(name)' is given twice: give it once")
            }
            values[name, default: []].append(try Self.decode(query[end..<part.endIndex].dropFirst(), of: name))
        }
    }

    /// A plus is a space, as forms write it.
    private static func decode(_ text: Substring, of name: String) throws -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(text)
        }
        guard let decoded = text.replacing("+", with: " ").removingPercentEncoding else {
            throw Problem.invalid(name, "the value of '\(name)' is not UTF-8 in percent-encoding")
        }
        guard !decoded.unicodeScalars.contains("\0") else {
            throw Problem.invalid(name, "the value of '\(name)' contains the character NUL: leave it out")
        }
        return decoded
    }

    /// Nil where it is not given.
    subscript(_ name: String) -> String? { values[name]?.first }

    /// All values of a parameter that may be repeated.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The words of a list with commas.
    func list(_ name: String) -> [String] {
        self[name]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }

    func choice<T: RawRepresentable & CaseIterable>(_ name: String, _: T.Type) throws -> T? where T.RawValue == String {
        guard let text = self[name] else { return nil }
        guard let value = T(rawValue: text) else {
            let choices = T.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid(name, "'\(text)' is not a value of '\(name)': it takes \(choices)")
        }
        return value
    }

    /// The same for requests that ask for the same thing.
    var canonical: String {
        pairs(values).map { "\($0.name)=\($0.value.utf8.count):\($0.value)" }.joined(separator: "&")
    }

    /// The address's query with some parameters set anew; nil takes one away.
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

extension String {
    /// With everything but letters, digits and `-._~` percent-encoded (RFC 3986, section 2.3).
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
