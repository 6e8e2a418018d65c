import Base
import Geo
import HabitModel

/// A streaming reader of GPX files of the versions 1.0 and 1.1, with any namespace or none.
///
/// Routes and tracks of any length need constant memory.
enum GPXReader {
    /// A part of a file.
    enum Part {
        /// A waypoint with its complete content.
        case waypoint(XMLNode)
        /// The end of a route.
        case route
        /// A point of a track, with a valid position. The time is `nil` if the point has no time.
        case point(Position, ImportTime?)
        /// A point of a track whose position or time cannot be read, with that text.
        case unreadablePoint(String)
        /// The end of a track, with the type of the track itself.
        case track(type: String?)
    }

    /// The points of tracks that a reading needs.
    enum Points {
        case none
        /// Only the positions up to the first one in the file that is not 0, 0, without their times.
        case first
        case all
    }

    /// Reads a file to its end.
    ///
    /// - Parameters:
    ///   - file: A file with the root element `gpx`.
    ///   - points: The points of tracks to read.
    ///   - body: A closure that receives each part and the source location of its end.
    /// - Throws: `xml-invalid`, an error of reading the file, or the error of `body`.
    static func forEach(
        in file: ImportFile, points: Points, _ body: (Part, SourceLocation) throws -> Void
    ) throws {
        let xml = try XMLReader(try file.openText())
        var state = State(points: points)
        try xml.forEach { event in
            guard let part = try state.add(event) else { return }
            try body(part, SourceLocation(file: file.displayName, line: xml.line))
        }
    }

    /// Adds the first positions of the tracks in a file to a route.
    ///
    /// A file that is not a GPX file has no positions.
    ///
    /// - Throws: `xml-invalid` or an error of reading the file.
    static func addFirstPositions(in file: ImportFile, to route: inout RouteStart) throws {
        guard try file.content.kind == .xml(root: "gpx") else { return }
        try forEach(in: file, points: .first) { part, _ in
            switch part {
            case .point(let position, _): route.add(position)
            case .unreadablePoint(let text): route.addUnreadable(text)
            case .waypoint, .route, .track: break
            }
        }
    }

    private struct State {
        private enum Section { case other, route, track }
        private enum Target { case type, time }

        private var points: Points
        private var depth = 0
        private var section = Section.other
        private var waypoint = XMLTreeBuilder()
        private var collector = XMLTextCollector<Target>()
        /// The type of the current track.
        private var type: String?
        /// The position of the current point.
        private var position: Position?
        private var time: ImportTime?
        /// The text of the current point that cannot be read.
        private var unreadable: String?

        init(points: Points) { self.points = points }

        mutating func add(_ event: XMLReader.Event) throws(HabitError) -> Part? {
            if waypoint.isActive {
                switch event {
                case .start: depth += 1
                case .end: depth -= 1
                case .text: break
                }
                guard let complete = try waypoint.add(event) else { return nil }
                return .waypoint(complete)
            }
            switch event {
            case .start(let tag):
                depth += 1
                try begin(tag, event)
                return nil
            case .text(let bytes):
                try collector.add(bytes.span)
                return nil
            case .end:
                defer { depth -= 1 }
                return end()
            }
        }

        private mutating func begin(_ tag: XMLTag, _ event: XMLReader.Event) throws(HabitError) {
            switch (depth, section) {
            case (2, _):
                if tag.is("wpt") {
                    _ = try waypoint.add(event)
                } else if tag.is("trk") {
                    section = .track
                    type = nil
                } else if tag.is("rte") {
                    section = .route
                }
            case (3, .track) where tag.is("type"): collector.begin(.type, depth: depth)
            case (4, .track) where points != .none && tag.is("trkpt"):
                let latitude = tag["lat"]
                let longitude = tag["lon"]
                position = XMLValues.position(latitude: latitude, longitude: longitude)
                time = nil
                unreadable = position == nil ? "\(latitude ?? ""), \(longitude ?? "")" : nil
            case (5, .track) where position != nil && points == .all && tag.is("time"):
                collector.begin(.time, depth: depth)
            default: break
            }
        }

        private mutating func end() -> Part? {
            switch collector.end(depth: depth) {
            case (.type, let text)?: if type == nil, !text.isEmpty { type = text }
            case (.time, let text)?:
                time = time ?? ImportTime(text, isUTC: true)
                if time?.instant == nil, !text.isEmpty { unreadable = text }
            case nil: break
            }
            switch (depth, section) {
            case (4, .track): return endPoint()
            case (2, .track):
                section = .other
                return .track(type: type)
            case (2, .route):
                section = .other
                return .route
            default: return nil
            }
        }

        private mutating func endPoint() -> Part? {
            if let text = unreadable {
                unreadable = nil
                position = nil
                return .unreadablePoint(text)
            }
            guard let position else { return nil }
            self.position = nil
            if points == .first, !position.isNullIsland { points = .none }
            return .point(position, time)
        }
    }
}

/// The GPX files in a folder or an archive, by name.
struct GPXFiles {
    private var files: [String: [ImportFile]] = [:]

    /// Creates the index of an input.
    ///
    /// A single file has no others.
    init(_ input: ImportInput) {
        guard input.form != .file else { return }
        for file in input.files {
            let name = file.lastName.lowercased()
            if Self.isGPX(name) { files[name, default: []].append(file) }
        }
    }

    /// Whether a path has the extension of a GPX file, which may be compressed.
    static func isGPX(_ path: String) -> Bool {
        let path = path.lowercased()
        return path.hasSuffix(".gpx") || path.hasSuffix(".gpx.gz")
    }

    /// Returns the file at a path below any folder, or `nil` if the input has no file of this name.
    subscript(path: String) -> ImportFile? {
        let parts = path.lowercased().split(separator: "/")
        guard let name = parts.last, let candidates = files[String(name)] else { return nil }
        let end = "/" + parts.joined(separator: "/")
        let exact = candidates.first { file in
            let path = "/" + file.name.lowercased()
            return path.hasSuffix(end)
        }
        return exact ?? candidates.first
    }
}
