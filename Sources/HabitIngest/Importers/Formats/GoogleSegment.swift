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
        EntryTime(google: node, "startTime")
            .at(offsetMinutes: node["startTimeTimezoneUtcOffsetMinutes"]?.integer)
    }

    private var end: EntryTime {
        EntryTime(google: node, "endTime").at(offsetMinutes: node["endTimeTimezoneUtcOffsetMinutes"]?.integer)
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
    var hasEnd: Bool { if case .known = end { true } else { false } }

    /// Returns the entry of the segment.
    func entry(_ source: SourceLocation) -> ImportEntry {
        func skipped(_ reason: SkipReason, note: String? = nil) -> ImportEntry {
            .skipped(SkippedEntry(.posts, reason, note: note, source: source))
        }
        if let visit = node["visit"] {
            let caption = Self.caption(visit["topCandidate"]?["semanticType"]?.text ?? "")
            guard !Self.isNested(visit) else { return skipped(.nestedVisit, note: caption) }
            return PlaceEntry(
                time: start, position: Self.position(visit, options), caption: caption, needsPosition: true,
                source: source
            ).entry
        }
        if node["activity"] != nil { return skipped(.activity) }
        if node["timelinePath"] != nil { return skipped(.path) }
        return skipped(node["timelineMemory"] != nil ? .memory : .notAPlace)
    }

    /// Reads the visit or the points of the segment.
    func track(_ receive: (TrackItem) throws -> Void) throws {
        let start = start.located(in: options.timeZone)
        if let visit = node["visit"], let level = visit["hierarchyLevel"], level.isUnreadableNumber {
            try receive(.unreadable(level.anyText ?? ""))
        } else if let visit = node["visit"], !Self.isNested(visit) {
            let end = end.located(in: options.timeZone)
            let position = Self.position(visit, options)
            if let item = TrackItem.visit(from: start, to: end, position) { try receive(item) }
        }
        guard let path = node["timelinePath"] else { return }
        for point in path.items {
            let position = EntryPosition(google: point["point"] ?? point["latLng"], options)
            let own = EntryTime(google: point, "time").located(in: options.timeZone)
            let time = own.instant == nil ? Self.time(point, after: start) ?? own : own
            if let item = TrackItem.point(time, position, defaultOffset: start.offset) { try receive(item) }
        }
    }

    /// Returns the time of a point that has the number of minutes since the start of the segment, otherwise `nil`.
    private static func time(_ point: JSONNode, after start: EntryTime) -> EntryTime? {
        guard let start = start.instant, let node = point["durationMinutesOffsetFromStartTime"] else { return nil }
        guard let minutes = node.number, abs(minutes) < 1e8 else { return .invalid(node.anyText ?? "") }
        let instant = Instant(microseconds: start.microseconds + Int64((minutes * 60_000_000).rounded()))
        return .known(.instant(instant, offset: nil))
    }

    /// Whether the visit is a part of another visit.
    ///
    /// A visit without a level is not.
    private static func isNested(_ visit: JSONNode) -> Bool { (visit["hierarchyLevel"]?.number ?? 0) > 0 }

    private static func position(_ visit: JSONNode, _ options: ImportOptions) -> EntryPosition {
        EntryPosition(google: visit["topCandidate"]?["placeLocation"], options)
    }

    /// Returns the words of a type of place: `INFERRED_HOME` is `Home`, and `UNKNOWN` has no words.
    static func caption(_ semanticType: String) -> String {
        var words = semanticType.split { $0 == "_" || $0.isWhitespace }.map { $0.lowercased() }
        if words.first == "inferred" { words.removeFirst() }
        guard let first = words.first, first != "unknown" else { return "" }
        words[0] = first.prefix(1).uppercased() + first.dropFirst()
        return words.joined(separator: " ")
    }
}
