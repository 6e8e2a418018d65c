import Base
import Foundation
import Geo
import HTTPServing
import Rendering

/// A file that pages load: a script, a style sheet or a page of scripts.
struct WebFile {
    /// The path of the file below `/map`.
    let name: String
    let bytes: [UInt8]
    /// The media type.
    let type: String

    /// Finds a file, or returns `nil` if there is no such file.
    ///
    /// - Parameter name: The path of the file below `/map`.
    init?(_ name: String) {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        guard let bytes = Self.content(of: name), let type = Self.types[ending] else {
            return nil
        }
        self.name = name
        self.bytes = bytes
        self.type = type
    }

    private static func content(of name: String) -> [UInt8]? {
        if name == MapPage.name {
            return embedded[name].map(MapPage.document)
        }
        return embedded[name] ?? styles[name] ?? world[name]
    }

    /// The tag of the file.
    var tag: EntityTag {
        let text = String(decoding: bytes, as: UTF8.self)
        return EntityTag(of: [name, text])
    }

    /// The files of the folder `Web` and of the JavaScript libraries.
    private static let embedded = EmbeddedFiles.all.compactMapValues { text in
        Data(base64Encoded: text).map(Array.init)
    }

    /// The style sheets that pages of the server share with reports.
    private static let styles = Dictionary(
        uniqueKeysWithValues: StyleSheet.allCases.map { sheet in (sheet.fileName, sheet.bytes) })

    /// The levels of the base map, encoded when a client first requests one of them.
    private static let world = Dictionary(
        uniqueKeysWithValues: BaseMap.Level.allCases.map { level in ("world-\(level.rawValue).js", level.module) })

    private static let types: [String: String] = [
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
    ]
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
