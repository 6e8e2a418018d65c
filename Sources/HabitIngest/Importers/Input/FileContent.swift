import Base
import StoreSpatiaLite

/// The content of a file, determined from its first bytes.
struct FileContent {
    enum Kind: Equatable {
        case empty
        case database
        case archive
        case photo
        /// A Garmin FIT file.
        case fit
        /// XML with the local name of the root element.
        case xml(root: String)
        case json
        case text
        case binary
    }

    /// The first bytes of the file.
    let bytes: [UInt8]
    let kind: Kind
    /// The number of bytes before the text: a byte order mark and blank lines.
    let textStart: Int
    /// The members at the beginning of a JSON document.
    private(set) var outline: JSONOutline?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        textStart = Self.textStart(of: bytes)
        let text = bytes[textStart...]
        outline = nil
        if bytes.isEmpty {
            kind = .empty
        } else if bytes.starts(with: SQLiteFile.signature) {
            kind = .database
        } else if bytes.starts(with: ZipArchive.signature) || bytes.starts(with: ZipArchive.emptySignature) {
            kind = .archive
        } else if Self.isPhoto(bytes) {
            kind = .photo
        } else if bytes.count >= 12, bytes[8..<12].elementsEqual(".FIT".utf8) {
            kind = .fit
        } else if let root = Self.xmlRoot(bytes, textStart) {
            kind = .xml(root: root)
        } else if text.isEmpty {
            kind = .empty
        } else if bytes.contains(0) && !Self.isUTF16(bytes) {
            kind = .binary
        } else if let outline = JSONOutline(Array(text)) {
            kind = .json
            self.outline = outline
        } else {
            kind = .text
        }
    }

    /// Whether the content is a text of any format.
    var isText: Bool {
        switch kind {
        case .xml, .json, .text, .binary: true
        case .empty, .database, .archive, .photo, .fit: false
        }
    }

    mutating func setOutline(_ outline: JSONOutline?) {
        if let outline { self.outline = outline }
    }

    /// Whether the content is a GeoPackage, whose header contains its application ID.
    var isGeoPackage: Bool {
        guard case .database = kind, bytes.count >= 72 else { return false }
        let applicationID = String(decoding: bytes[68..<72], as: UTF8.self)
        return ["GPKG", "GP10", "GP11"].contains(applicationID)
    }

    /// The complete lines at the beginning of a text, without blank lines at its start.
    var lines: [String] {
        guard kind == .text || kind == .json else { return [] }
        let text = String(decoding: bytes[textStart...], as: UTF8.self)
        let parts = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var lines = parts.map(String.init)
        // The last line may be cut off.
        if bytes.count >= ImportFile.headSize, lines.count > 1 { lines.removeLast() }
        return lines
    }

    private static func textStart(of bytes: [UInt8]) -> Int {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var index = start
        while index < bytes.count, bytes[index].isJSONSpace {
            index += 1
            let previous = bytes[index - 1]
            if previous == ASCII.lineFeed || previous == ASCII.carriageReturn { start = index }
        }
        guard index < bytes.count else { return start }
        // White space before an XML declaration or a JSON document has no meaning.
        let firstMarks = "<{[".utf8
        return firstMarks.contains(bytes[index]) ? index : start
    }

    private static func isPhoto(_ bytes: [UInt8]) -> Bool {
        let isJPEG = bytes.starts(with: [0xFF, 0xD8, 0xFF])
        let isPNG = bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
        if isJPEG || isPNG { return true }
        guard bytes.count >= 12 else { return false }
        let brand = String(decoding: bytes[8..<12], as: UTF8.self)
        if bytes.starts(with: "RIFF".utf8) { return brand == "WEBP" }
        let isISOFile = bytes[4..<8].elementsEqual("ftyp".utf8)
        return isISOFile && photoBrands.contains(brand)
    }

    /// The brands of HEIF and AVIF pictures in ISO base media files.
    private static let photoBrands: Set<String> = [
        "heic", "heix", "heif", "hevc", "mif1", "msf1", "avif",
    ]

    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    }

    /// Returns the local name of the root element, or `nil` if the content is not XML.
    private static func xmlRoot(_ bytes: [UInt8], _ textStart: Int) -> String? {
        var text = bytes[textStart...]
        if isUTF16(bytes) {
            let ascii = bytes.filter { byte in byte != 0 && byte < 0x80 }
            text = ascii[...]
        }
        guard text.first == UInt8(ascii: "<") else { return nil }
        var rest = Substring(String(decoding: text, as: UTF8.self))
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...]
            if rest.hasPrefix("<?") {
                guard let end = rest.range(of: "?>") else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!--") {
                guard let end = rest.range(of: "-->") else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!") {
                guard let end = endOfDocumentType(rest) else { return nil }
                rest = rest[end...]
            } else {
                let name = rest.dropFirst().prefix { character in
                    !character.isWhitespace && character != ">" && character != "/"
                }
                return name.split(separator: ":").last.map(String.init)
            }
        }
        return nil
    }

    /// Returns the index after a document type declaration, which may contain other declarations in brackets.
    private static func endOfDocumentType(_ text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "[": depth += 1
            case "]": depth -= 1
            case ">" where depth == 0: return text.index(after: index)
            default: break
            }
        }
        return nil
    }
}

extension Substring {
    /// Returns the range of the first occurrence of a text, or `nil` if it is not found.
    fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
