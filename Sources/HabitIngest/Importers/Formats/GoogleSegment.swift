import Base
import HabitModel

/// A segment of the timeline that Google Maps exports on Android and iOS.
///
/// A segment is valid only as long as its JSON node.
struct GoogleSegment {
    let node: JSONNode
    let options: ImportOptions

    /// The names of the members that determine the kind of a segment.
    static let kinds = ["visit", "activity", "timelinePath", "timelineMemory"]

    private var start: EntryTime {
        let offset = node["startTimeTimezoneUtcOffsetMinutes"]?.integer
        return EntryTime(google: node, "startTime").at(offsetMinutes: offset)
    }

    private var end: EntryTime {
        let offset = node["endTimeTimezoneUtcOffsetMinutes"]?.integer
        return EntryTime(google: node, "endTime").at(offsetMinutes: offset)
    }

    /// The values of the visit that have no effect, because they cannot be read: its UTC offset and its level.
    var unreadableValues: [UnreadableValue] {
        let offset = EntryTime.unreadable(offsetMinutes: node["startTimeTimezoneUtcOffsetMinutes"])
        let level = node["visit"].flatMap(Self.unreadableLevel)
        return [offset, level].compactMap(\.self)
    }

    /// Returns the finding of a level that is not a number, otherwise `nil`.
    private static func unreadableLevel(of visit: JSONNode) -> UnreadableValue? {
        guard let level = visit["hierarchyLevel"], level.isUnreadableNumber else { return nil }
        return UnreadableValue(.visitLevel, level)
    }

    /// Whether the source has the end of the segment.
    private var hasEnd: Bool {
        if case .known = end { true } else { false }
    }

    // MARK: Entries

    /// Reads the segments in an array of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - path: The names of the members that lead to the array.
    ///   - options: The options of the import.
    ///   - receive: A closure that receives each entry.
    /// - Returns: The number of posts whose visit has an end in the file.
    /// - Throws: An error of the file, or the error of `receive`.
    static func readAll(
        of file: ImportFile,
        at path: [String],
        options: ImportOptions,
        _ receive: (ImportEntry) throws -> Void
    ) throws -> Int {
        var ends = 0
        let json = try JSONElements(try file.openText())
        try json.forEach(at: path) { node in
            let segment = GoogleSegment(node: node, options: options)
            let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
            let entry = segment.entry(source)
            if entry.isPost, segment.hasEnd { ends += 1 }
            try receive(entry)
            guard entry.isPost else { return }
            for value in segment.unreadableValues {
                try receive(.unreadable(value))
            }
        }
        return ends
    }

    /// Returns the entry of the segment.
    private func entry(_ source: SourceLocation) -> ImportEntry {
        func skipped(_ reason: SkipReason, note: String? = nil) -> ImportEntry {
            .skipped(.posts, reason, note: note, source: source)
        }
        if let visit = node["visit"] {
            let semanticType = visit["topCandidate"]?["semanticType"]?.text
            let caption = Self.caption(semanticType ?? "")
            guard !Self.isNested(visit) else { return skipped(.nestedVisit, note: caption) }
            let place = PlaceEntry(
                time: start,
                position: Self.position(visit, options),
                caption: caption,
                needsPosition: true,
                source: source)
            return place.entry
        }
        if node["activity"] != nil { return skipped(.activity) }
        if node["timelinePath"] != nil { return skipped(.path) }
        if node["timelineMemory"] != nil { return skipped(.memory) }
        return skipped(.notAPlace)
    }

    // MARK: Tracks

    /// Reads the visit or the points of the segment.
    func track(_ receive: (TrackItem) throws -> Void) throws {
        let start = start.located(in: options.timeZone)
        if let visit = node["visit"] {
            if let item = visitItem(visit, from: start) { try receive(item) }
        }
        guard let path = node["timelinePath"] else { return }
        for point in path.items {
            if let item = pointItem(point, after: start) { try receive(item) }
        }
    }

    /// Returns the visit of the segment, or `nil` if it is a part of another visit.
    private func visitItem(_ visit: JSONNode, from start: EntryTime) -> TrackItem? {
        if let level = visit["hierarchyLevel"], level.isUnreadableNumber {
            return .unreadable(level.anyText ?? "")
        }
        guard !Self.isNested(visit) else { return nil }
        let end = end.located(in: options.timeZone)
        return .visit(from: start, to: end, Self.position(visit, options))
    }

    /// Returns a point of the path of the segment, or `nil` without a time or a position.
    private func pointItem(_ point: JSONNode, after start: EntryTime) -> TrackItem? {
        let position = EntryPosition(google: point["point"] ?? point["latLng"], options)
        var time = EntryTime(google: point, "time").located(in: options.timeZone)
        if time.instant == nil, let relative = Self.time(point, after: start) {
            time = relative
        }
        return .point(time, position, defaultOffset: start.offset)
    }

    /// Returns the time of a point that has the number of minutes since the start of the segment, otherwise `nil`.
    private static func time(_ point: JSONNode, after start: EntryTime) -> EntryTime? {
        guard let start = start.instant else { return nil }
        guard let node = point["durationMinutesOffsetFromStartTime"] else { return nil }
        guard let minutes = node.number, abs(minutes) < 1e8 else {
            return .invalid(node.anyText ?? "")
        }
        let exactMicroseconds = minutes * 60_000_000
        let microseconds = Int64(exactMicroseconds.rounded())
        let instant = Instant(microseconds: start.microseconds + microseconds)
        return .known(.instant(instant, offset: nil))
    }

    /// Whether the visit is a part of another visit.
    ///
    /// A visit without a level is not.
    private static func isNested(_ visit: JSONNode) -> Bool {
        let level = visit["hierarchyLevel"]?.number ?? 0
        return level > 0
    }

    private static func position(_ visit: JSONNode, _ options: ImportOptions) -> EntryPosition {
        EntryPosition(google: visit["topCandidate"]?["placeLocation"], options)
    }

    /// Returns the words of a type of place: `INFERRED_HOME` is `Home`, and `UNKNOWN` has no words.
    static func caption(_ semanticType: String) -> String {
        let parts = semanticType.split { character in character == "_" || character.isWhitespace }
        var words = parts.map { part in part.lowercased() }
        if words.first == "inferred" { words.removeFirst() }
        guard let first = words.first, first != "unknown" else { return "" }
        words[0] = first.prefix(1).uppercased() + first.dropFirst()
        return words.joined(separator: " ")
    }
}
