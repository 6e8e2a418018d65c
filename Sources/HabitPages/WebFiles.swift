import Base
import Foundation
import Geo
import Rendering

/// The files that pages load, which have one address as long as their contents are the same.
///
/// The address of a file contains the digest of all files. So scripts import each other by relative paths, and the
/// scripts of a page always have the same version. A browser keeps the files until one of them changes.
struct WebFiles: Sendable {
    /// All files, which are collected when a page first needs them.
    static let all = WebFiles()
    /// The name of the icon of all pages.
    static let icon = "icon.svg"
    /// The name of the icon with which a phone shows the installed application.
    static let largeIcon = "icon-512.png"
    /// The path of the folder of all versions, without a slash at its beginning.
    static let folder = "static"

    private let files: [String: WebFile]
    /// The digest of the names and the contents of all files.
    let digest: String

    private init() {
        var contents = Self.embedded
        for (name, content) in Self.derived {
            // Compression fails only if the machine has no memory left. The server then has no such file.
            contents[name] = try? content.gzipped()
        }
        var files: [String: WebFile] = [:]
        for (name, content) in contents {
            files[name] = WebFile(name, compressed: content)
        }
        let names = files.keys.sorted()
        let texts = names.flatMap { name -> [String] in
            let content = files[name]?.compressed ?? []
            return [name, content.sha256.hexadecimal]
        }
        self.files = files
        digest = texts.lengthPrefixedSHA256.prefix(8).hexadecimal
    }

    /// Returns a file, or `nil` if there is no such file.
    subscript(name: String) -> WebFile? { files[name] }

    /// Returns the path of a file below the path of the public URL, without a slash at its beginning.
    func path(of name: String) -> String { "\(Self.folder)/\(digest)/\(name)" }

    /// Returns the body of a page of scripts in UTF-8, which is a file of the folder `Web`.
    ///
    /// - Parameter name: The name of the file.
    /// - Returns: The body; empty if there is no such file.
    static func body(of name: String) -> [UInt8] {
        let body = try? embedded[name]?.gunzipped()
        return body ?? []
    }

    /// The names of the scripts and the style sheet of the application.
    static var ofApplication: [String] { EmbeddedFiles.application }

    /// The bundle of the service worker, compressed with gzip.
    ///
    /// It has an address outside the folder of versions.
    static let serviceWorker = decoded(EmbeddedFiles.serviceWorker) ?? []

    /// The files of the folder `Web`, of the application and of the JavaScript libraries, compressed with gzip.
    private static let embedded = EmbeddedFiles.all.compactMapValues(decoded)

    private static func decoded(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map(Array.init)
    }

    /// The files without compression that other modules contain: the style sheets that pages share with reports, and the
    /// levels of the base map.
    private static var derived: [(name: String, content: [UInt8])] {
        let sheets = StyleSheet.allCases.map { sheet in (name: sheet.fileName, content: sheet.bytes) }
        let levels = BaseMap.Level.allCases.map { level in
            (name: "world-\(level.rawValue).js", content: level.module)
        }
        return sheets + levels
    }
}

extension BaseMap.Level {
    /// A JavaScript module with the encoded lines and the cities.
    ///
    /// It is a module, because the policy of the pages permits scripts of the server, but no other requests.
    fileprivate var module: [UInt8] {
        func lines(_ text: String) -> JSON {
            let lines = text.split(separator: "\n")
            return .list(lines.map { line in .text(String(line)) })
        }
        let cities = cities.map { city -> JSON in
            let position = city.position
            return [.number(position.longitude), .number(position.latitude), .text(city.name)]
        }
        let world: JSON = [
            "unitsPerDegree": .integer(BaseMap.unitsPerDegree),
            "land": lines(encodedLand),
            "borders": lines(encodedBorders),
            "cities": .list(cities),
        ]
        return Array("export default ".utf8) + world.bytes
    }
}
