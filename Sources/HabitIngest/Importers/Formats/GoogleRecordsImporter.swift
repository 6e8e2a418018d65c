import Base
import Geo
import HabitModel

/// The file `Records.json` of Google Takeout, which contains only track points.
struct GoogleRecordsImporter: GoogleFileImporter {
    static let format = "google-records"
    static let adviceIfEmpty = GoogleImporter.adviceIfEmpty
    static let source = "google"

    static func canRead(_ file: ImportFile, options: ImportOptions) throws -> Bool {
        guard let locations = try file.outline(ofArray: "locations") else { return false }
        if locations.isEmptyArray { return options.format == format }
        // The first elements may lack a position.
        return ["latitudeE7", "longitudeE7", "timestampMs"].contains { name in locations[name] != nil }
    }

    /// A point by which repetitions are recognized.
    private struct Point: Hashable {
        var microseconds: Int64
        var position: Position
    }

    func read(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (ImportEntry) throws -> Void
    ) throws -> Int {
        var seen = RecentHashes()
        var count = 0
        let json = try JSONElements(try file.openText())
        try json.forEach(at: ["locations"]) { node in
            let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
            let entry = Self.entry(node, options: options, source: source)
            guard case .post(let post) = entry, let time = post.time, let position = post.position else {
                return try receive(entry)
            }
            guard let microseconds = Self.microseconds(time) else {
                return try receive(.skipped(.posts, .noTime, source: source))
            }
            let isNew = seen.insert(Point(microseconds: microseconds, position: position))
            if isNew { count += 1 }
            let reason: SkipReason = isNew ? .trackPoint : .duplicate
            try receive(.skipped(.posts, reason, source: source))
        }
        if let notice = ImportNotice.onlyTrackPoints(count, in: file) { try receive(.notice(notice)) }
        return 0
    }

    func readTrack(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (TrackItem) throws -> Void
    ) throws {
        let json = try JSONElements(try file.openText())
        try json.forEach(at: ["locations"]) { node in
            let time = EntryTime(google: node, "timestamp").located(in: options.timeZone)
            let position = Self.position(node, options)
            if let item = TrackItem.point(time, position) { try receive(item) }
        }
    }

    /// Returns a location as a post, or the entry that reports why it is not a point.
    private static func entry(
        _ node: JSONNode,
        options: ImportOptions,
        source: SourceLocation
    ) -> ImportEntry {
        let place = PlaceEntry(
            time: EntryTime(google: node, "timestamp"),
            position: position(node, options),
            needsPosition: true,
            source: source)
        return place.entry
    }

    private static func position(_ node: JSONNode, _ options: ImportOptions) -> EntryPosition {
        EntryPosition(latitudeE7: node["latitudeE7"], longitudeE7: node["longitudeE7"], options)
    }

    /// Returns the microseconds by which times are compared, or `nil` for a date without a time.
    private static func microseconds(_ time: ImportTime) -> Int64? {
        switch time {
        case .instant(let instant, _), .utc(let instant, _): instant.microseconds
        case .local(let day, let microseconds): day.startInUTC.microseconds + microseconds
        case .dated(_, let time): microseconds(time)
        case .date, .writtenLater: nil
        }
    }
}
