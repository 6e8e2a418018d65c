import Base
import HTTPTypes
import Hummingbird

/// The fields of an HTML form (URL Standard, section 5.1).
package struct FormBody: Sendable {
    /// The media type of the body.
    package static let type = "application/x-www-form-urlencoded"

    private var fields: [String: String] = [:]

    /// Reads a body, or returns `nil` if a field is not valid UTF-8 in percent-encoding, is repeated or contains NUL.
    ///
    /// - Parameter body: The body.
    package init?(_ body: [UInt8]) {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        for part in text.split(separator: "&") {
            let end = part.firstIndex(of: "=") ?? part.endIndex
            let encodedValue = part[end...].dropFirst()
            let name = part[..<end].percentDecoded(plusIsSpace: true)
            let value = encodedValue.percentDecoded(plusIsSpace: true)
            guard let name, let value else { return nil }
            guard !value.unicodeScalars.contains("\0") else { return nil }
            let former = fields.updateValue(value, forKey: name)
            guard former == nil else { return nil }
        }
    }

    /// Reads the body of a request, or returns `nil` if the request has another media type or the body is not valid.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - request: The request.
    package init?(_ body: [UInt8], sentBy request: Request) {
        guard let type = request.headers[.contentType] else { return nil }
        guard HeaderValue(type)?.word == Self.type else { return nil }
        self.init(body)
    }

    /// Returns the value of a field, or `nil` if the form does not have it.
    package subscript(name: String) -> String? { fields[name] }
}
