import Rendering

/// A file that pages load: a script, a style sheet or the icon.
struct WebFile: Sendable {
    let name: String
    /// The media type.
    let type: String
    /// The content, compressed with gzip.
    let compressed: [UInt8]

    /// Creates a file, or returns `nil` if the ending of its name has no media type.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - compressed: The content, compressed with gzip.
    init?(_ name: String, compressed: [UInt8]) {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        guard let type = Self.types[ending] else { return nil }
        self.name = name
        self.type = type
        self.compressed = compressed
    }

    /// Returns the content without compression.
    ///
    /// - Throws: `internal` if zlib cannot allocate memory.
    func content() throws -> [UInt8] { try compressed.gunzipped() }

    private static let types: [String: String] = [
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "png": "image/png",
        "svg": "image/svg+xml",
    ]
}
