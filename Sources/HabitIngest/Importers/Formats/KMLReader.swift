import Base
import Geo
import HabitModel

/// A placemark of a KML file.
struct KMLPlacemark {
    var name = ""
    var description = ""
    /// The text of `TimeStamp/when`.
    var when: String?
    /// The text of `TimeSpan/begin`.
    var begin: String?
    /// The text of `TimeSpan/end`.
    var end: String?
    /// The coordinates of each point.
    var points: [String] = []
    /// The number of lines and tracks.
    var lineCount = 0
    /// The number of other geometries than points, lines and tracks.
    var otherCount = 0

    /// Parses a tuple of coordinates: `longitude,latitude` with an optional altitude.
    ///
    /// White space may surround the commas. Returns `nil` for a tuple of other than two or three numbers, and for a
    /// position out of range. The altitude has no effect, so it may be empty or no number.
    static func position(_ text: String) -> Position? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        guard isTuple(parts) else { return nil }
        return XMLValues.position(latitude: parts[1], longitude: parts[0])
    }

    /// Parses a tuple of a `gx:Track`: `longitude latitude` with an optional altitude.
    ///
    /// Some programs write commas.
    static func trackPosition(_ text: String) -> Position? {
        if text.contains(",") { return position(text) }
        let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard isTuple(parts) else { return nil }
        return XMLValues.position(latitude: parts[1], longitude: parts[0])
    }

    private static func isTuple(_ parts: [String]) -> Bool {
        guard (2...3).contains(parts.count) else { return false }
        guard parts.count == 3 else { return true }
        let altitude = parts[2]
        if altitude.isEmpty || altitude.lowercased() == "nan" { return true }
        return XMLValues.number(altitude) != nil
    }
}

/// A streaming reader of KML files, with any namespace or none.
///
/// Tracks and lines of any length need little memory.
enum KMLReader {
    /// A part of a file.
    enum Part {
        case placemark(KMLPlacemark)
        /// A point of a `gx:Track`.
        case point(ImportTime, Position)
        /// A point of a `gx:Track` whose time or position cannot be read, with that text.
        case unreadablePoint(String)
    }

    /// Reads a file to its end.
    ///
    /// - Parameters:
    ///   - file: A file with the root element `kml`.
    ///   - readsTracks: Whether `body` receives the points of tracks.
    ///   - body: A closure that receives each part and the source location of its end.
    /// - Throws: `xml-invalid`, an error of reading the file, or the error of `body`.
    static func forEach(
        in file: ImportFile, readsTracks: Bool, _ body: (Part, SourceLocation) throws -> Void
    ) throws {
        let xml = try XMLReader(try file.openText())
        var state = State(readsTracks: readsTracks)
        try xml.forEach { event in
            guard let part = try state.add(event) else { return }
            try body(part, SourceLocation(file: file.displayName, line: xml.line))
        }
    }

    private struct State {
        private enum Target { case name, description, when, begin, end, coordinates, trackTime, trackPosition }
        private enum Time { case stamp, span }

        private let readsTracks: Bool
        private var depth = 0
        private var collector = XMLTextCollector<Target>()
        private var placemark = KMLPlacemark()
        /// The depth of the placemark, of its time, of its point and of its track.
        private var placemarkDepth: Int?
        private var time: (kind: Time, depth: Int)?
        private var pointDepth: Int?
        private var trackDepth: Int?
        private var track = TrackPoints()

        init(readsTracks: Bool) { self.readsTracks = readsTracks }

        mutating func add(_ event: XMLReader.Event) throws(HabitError) -> Part? {
            switch event {
            case .start(let tag):
                depth += 1
                if let placemarkDepth {
                    begin(tag, isChild: depth == placemarkDepth + 1)
                } else if tag.is("Placemark") {
                    placemarkDepth = depth
                    placemark = KMLPlacemark()
                }
                return nil
            case .text(let bytes):
                try collector.add(bytes.span)
                return nil
            case .end:
                defer { depth -= 1 }
                return end()
            }
        }

        /// Begins an element in a placemark.
        private mutating func begin(_ tag: XMLTag, isChild: Bool) {
            if isChild { beginProperty(tag) }
            if let time, depth == time.depth + 1 {
                switch time.kind {
                case .stamp: if tag.is("when") { collector.begin(.when, depth: depth) }
                case .span:
                    if tag.is("begin") { collector.begin(.begin, depth: depth) }
                    if tag.is("end") { collector.begin(.end, depth: depth) }
                }
            } else if let pointDepth {
                if depth == pointDepth + 1, tag.is("coordinates"), placemark.points.last == "" {
                    collector.begin(.coordinates, depth: depth)
                }
            } else if let trackDepth {
                guard readsTracks, depth == trackDepth + 1 else { return }
                if tag.is("when") { collector.begin(.trackTime, depth: depth) }
                if tag.is("coord") { collector.begin(.trackPosition, depth: depth) }
            } else if tag.is("Point") {
                pointDepth = depth
                placemark.points.append("")
            } else if tag.is("LineString") {
                placemark.lineCount += 1
            } else if tag.is("Polygon") || tag.is("Model") {
                placemark.otherCount += 1
            } else if tag.is("Track") {
                placemark.lineCount += 1
                trackDepth = depth
                track = TrackPoints()
            }
        }

        /// Begins the name, the description or the time of a placemark.
        private mutating func beginProperty(_ tag: XMLTag) {
            if tag.is("name") {
                collector.begin(.name, depth: depth)
            } else if tag.is("description") {
                collector.begin(.description, depth: depth)
            } else if tag.is("TimeStamp") {
                time = (.stamp, depth)
            } else if tag.is("TimeSpan") {
                time = (.span, depth)
            }
        }

        private mutating func end() -> Part? {
            var part: Part?
            if let (target, text) = collector.end(depth: depth) { part = set(target, text) }
            if time?.depth == depth { time = nil }
            if pointDepth == depth { pointDepth = nil }
            if trackDepth == depth { trackDepth = nil }
            if placemarkDepth == depth {
                placemarkDepth = nil
                part = .placemark(placemark)
            }
            return part
        }

        private mutating func set(_ target: Target, _ text: String) -> Part? {
            switch target {
            case .name: if placemark.name.isEmpty { placemark.name = text }
            case .description: if placemark.description.isEmpty { placemark.description = text }
            case .when: placemark.when = placemark.when ?? text
            case .begin: placemark.begin = placemark.begin ?? text
            case .end: placemark.end = placemark.end ?? text
            case .coordinates: placemark.points[placemark.points.count - 1] = text
            case .trackTime: return track.add(time: text)
            case .trackPosition: return track.add(position: text)
            }
            return nil
        }
    }

    /// The times and the positions of a track, which are in two lists of equal length.
    private struct TrackPoints {
        private var times: [String] = []
        private var positions: [String] = []
        private var usedTimes = 0
        private var usedPositions = 0

        mutating func add(time: String) -> Part? {
            guard usedPositions < positions.count else {
                times.append(time)
                return nil
            }
            usedPositions += 1
            return Self.part(time, positions[usedPositions - 1])
        }

        mutating func add(position: String) -> Part? {
            guard usedTimes < times.count else {
                positions.append(position)
                return nil
            }
            usedTimes += 1
            return Self.part(times[usedTimes - 1], position)
        }

        /// Returns the point, or `nil` if its time or its position is blank, which means "unknown".
        private static func part(_ timeText: String, _ positionText: String) -> Part? {
            guard !timeText.isEmpty, !positionText.isEmpty else { return nil }
            guard let time = ImportTime(timeText) else { return .unreadablePoint(timeText) }
            guard let position = KMLPlacemark.trackPosition(positionText) else {
                return .unreadablePoint(positionText)
            }
            return .point(time, position)
        }
    }
}
