import Base

/// A form with files (`multipart/form-data`, RFC 7578).
///
/// The parser is strict: it refuses a preamble, an epilogue, folded header fields, repeated names, transfer encodings
/// and all names except those that the caller knows. It reads each byte of the body a constant number of times, and
/// copies none.
package struct MultipartForm {
    /// The content of a part and its media type.
    package struct Part {
        package var content: ArraySlice<UInt8>
        /// The media type in lower case and without parameters, or `nil` if the part has no media type.
        package var mediaType: String?
    }

    /// The parts by name.
    package private(set) var parts: [String: Part] = [:]

    private let delimiter: [UInt8]
    private let known: [String]
    private var rest: ArraySlice<UInt8>

    /// Maximum length of the header fields of a part in bytes.
    private static let headLimit = 4096
    private static let crlf = Array("\r\n".utf8)
    /// The two hyphens before a boundary, and after the last one.
    private static let dashes: [UInt8] = [.hyphen, .hyphen]

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - body: The complete body.
    ///   - boundary: The boundary, from ``boundary(of:)``.
    ///   - known: The names of parts that the form may have, each at most once.
    /// - Throws: `row-invalid` if the body is not such a form.
    package init(
        _ body: [UInt8],
        boundary: String,
        known: [String]
    ) throws(HabitError) {
        delimiter = Self.crlf + Self.dashes + Array(boundary.utf8)
        self.known = known
        rest = body[...]
        guard rest.starts(with: delimiter.dropFirst(2)) else {
            throw Self.malformed("it does not begin with the boundary of the header Content-Type")
        }
        rest.removeFirst(delimiter.count - 2)
        while try !readEnd() { try readPart() }
    }

    /// Returns the boundary in the value of a header Content-Type, or `nil` if it is not a form with files.
    ///
    /// - Throws: `row-invalid` if the boundary is missing or is not valid (RFC 2046, section 5.1.1).
    package static func boundary(of contentType: String?) throws(HabitError) -> String? {
        let form = "multipart/form-data"
        guard let contentType, contentType.lowercased().hasPrefix(form) else {
            return nil
        }
        guard let value = HeaderValue(contentType),
            value.word == form,
            let boundary = value.parameters["boundary"],
            isBoundary(boundary)
        else { throw malformed("the header Content-Type has no valid boundary") }
        return boundary
    }

    private static func isBoundary(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...70).contains(bytes.count),
            bytes.last != .space
        else {
            return false
        }
        return bytes.allSatisfy(isBoundaryByte)
    }

    private static func isBoundaryByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "'()+_,-./:=? ".utf8.contains(byte)
    }

    /// The error of a body that is not a form.
    private static func malformed(_ reason: String) -> HabitError {
        HabitError(.rowInvalid, "the body is not a valid form (multipart/form-data): \(reason)")
    }

    // MARK: Parts

    /// Reads the end of a line with the boundary, and returns whether it is the last one.
    private mutating func readEnd() throws(HabitError) -> Bool {
        if rest.starts(with: "--".utf8) {
            rest.removeFirst(2)
            guard rest.isEmpty || rest.elementsEqual(Self.crlf) else {
                throw Self.malformed("bytes follow the last boundary")
            }
            return true
        }
        rest = rest.drop(while: \.isSpaceOrTab)
        guard rest.starts(with: Self.crlf) else {
            throw Self.malformed("text follows a boundary on its line")
        }
        rest.removeFirst(2)
        return false
    }

    private mutating func readPart() throws(HabitError) {
        let fields = try readHead()
        let name = try name(in: fields)
        try Self.requireIdentityEncoding(in: fields)
        guard let content = readContent() else {
            throw Self.malformed("its last boundary is missing")
        }
        let type = fields["content-type"].flatMap(HeaderValue.init)
        let part = Part(content: content, mediaType: type?.word)
        guard parts.updateValue(part, forKey: name) == nil else {
            throw Self.malformed("the part '\(name)' is repeated")
        }
    }

    /// Returns the name of a part with these header fields.
    private func name(in fields: [String: String]) throws(HabitError) -> String {
        let disposition = fields["content-disposition"].flatMap(HeaderValue.init)
        guard let disposition,
            disposition.word == "form-data",
            let name = disposition.parameters["name"]
        else { throw Self.malformed("a part has no header Content-Disposition with a name") }
        guard known.contains(name) else {
            let names = known.joined(separator: ", ")
            throw HabitError(.fieldInvalid, "the form has the unknown part '\(name)': its parts are \(names)")
        }
        return name
    }

    /// Checks that the content of a part is not encoded.
    private static func requireIdentityEncoding(in fields: [String: String]) throws(HabitError) {
        guard let encoding = fields["content-transfer-encoding"]?.lowercased() else {
            return
        }
        guard ["binary", "7bit", "8bit"].contains(encoding) else {
            throw malformed("a part has a transfer encoding: send its bytes")
        }
    }

    /// Reads the header fields of a part, by lowercase name.
    private mutating func readHead() throws(HabitError) -> [String: String] {
        var fields: [String: String] = [:]
        let end = rest.startIndex + Self.headLimit
        while !rest.starts(with: Self.crlf) {
            guard let line = readLine(before: end) else {
                throw Self.malformed("the header of a part is incomplete or too long")
            }
            let sides = line.split(
                separator: ":",
                maxSplits: 1,
                omittingEmptySubsequences: false)
            let name = sides[0].lowercased()
            // A folded line begins with a space, which is not part of a name.
            guard sides.count == 2,
                !name.isEmpty,
                name.utf8.allSatisfy(HeaderValue.isTokenByte),
                fields.updateValue(HeaderValue.trimmed(sides[1]), forKey: name) == nil
            else { throw Self.malformed("a part has an invalid or repeated header field") }
        }
        rest.removeFirst(2)
        return fields
    }

    /// Reads a line of a header, or returns `nil` if no line ends before `limit`.
    private mutating func readLine(before limit: Int) -> String? {
        let end = rest.prefix(Self.headLimit).firstIndex(of: .carriageReturn)
        guard let end,
            end < limit,
            rest[end...].starts(with: Self.crlf)
        else {
            return nil
        }
        // Old programs write the name of a file in the code page of their system. The name is not used.
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[end...].dropFirst(2)
        return line
    }

    /// Reads the content up to the next boundary, or returns `nil` if no boundary follows.
    private mutating func readContent() -> ArraySlice<UInt8>? {
        var index = rest.startIndex
        while let next = rest[index...].firstIndex(of: .carriageReturn) {
            if rest[next...].starts(with: delimiter) {
                let content = rest[..<next]
                rest = rest[next...].dropFirst(delimiter.count)
                return content
            }
            index = next + 1
        }
        return nil
    }
}
