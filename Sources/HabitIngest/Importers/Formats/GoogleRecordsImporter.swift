import Base
import Geo
import HabitModel

/// The file `Records.json` of Google Takeout, which contains only track points.
struct GoogleRecordsImporter: GoogleFileImporter {
    static let format = "google-records"
    static let adviceIfEmpty = GoogleImporter.adviceIfEmpty
    static let source = "google"

    static func canRead(_ file: ImportFile, _ options: ImportOptions) throws -> Bool {
        guard let locations = try file.outline(ofArray: "locations") else { return false }
        if locations.isEmptyArray { return options.format == format }
        // The first elements may lack a position.
        return ["latitudeE7", "longitudeE7", "timestampMs"].contains { locations[$0] != nil }
    }

    /// A point by which repetitions are recognized.
    private struct Point: Hashable {
        var microseconds: Int64
        var position: Position
    }

    func read(_ file: ImportFile, _ options: ImportOptions, _ receive: (ImportEntry) throws -> Void) throws -> Int {
        var seen = RecentHashes()
        var count = 0
        let json = try JSONElements(try file.openText())
        try json.forEach(at: ["locations"]) { node in
            let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
            let visit = PlaceEntry(
                time: EntryTime(google: node, "timestamp"), position: Self.position(node, options),
                needsPosition: true, source: source)
            let entry = visit.entry
            guard case .post(let post) = entry, let time = post.time, let position = post.position else {
                return try receive(entry)
            }
            guard let microseconds = Self.microseconds(time) else {
                return try receive(.skipped(SkippedEntry(.posts, .noTime, source: source)))
            }
            let isNew = seen.insert(Point(microseconds: microseconds, position: position))
            if isNew { count += 1 }
            try receive(.skipped(SkippedEntry(.posts, isNew ? .trackPoint : .duplicate, source: source)))
        }
        if let notice = ImportNotice.onlyTrackPoints(count, in: file) { try receive(.notice(notice)) }
        return 0
    }

    func readTrack(_ file: ImportFile, _ options: ImportOptions, _ receive: (TrackItem) throws -> Void) throws {
        try JSONElements(try file.openText()).forEach(at: ["locations"]) { node in
            let time = EntryTime(google: node, "timestamp").located(in: options.timeZone)
            if let item = TrackItem.point(time, Self.position(node, options)) { try receive(item) }
        }
    }

    private static func position(_ node: JSONNode, _ options: ImportOptions) -> EntryPosition {
        EntryPosition(e7: node["latitudeE7"], node["longitudeE7"], options)
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
