import Base
import HabitModel

/// A month of the folder `Semantic Location History` of Google Takeout.
struct GoogleSemanticImporter: GoogleFileImporter {
    static let format = "google-semantic"
    static let adviceIfEmpty = GoogleImporter.adviceIfEmpty
    static let source = "google"

    static func canRead(_ file: ImportFile, options: ImportOptions) throws -> Bool {
        try file.outline(ofArray: "timelineObjects") != nil
    }

    func read(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (ImportEntry) throws -> Void
    ) throws -> Int {
        var ends = 0
        let json = try JSONElements(try file.openText())
        try json.forEach(at: ["timelineObjects"]) { node in
            let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
            guard let visit = node["placeVisit"] else {
                let reason: SkipReason = node["activitySegment"] != nil ? .activity : .notAPlace
                return try receive(.skipped(.posts, reason, source: source))
            }
            let place = PlaceEntry(
                time: Self.start(of: visit),
                position: Self.position(visit, options),
                caption: Self.caption(visit),
                needsPosition: true,
                source: source)
            let entry = place.entry
            if entry.isPost, case .known = Self.end(of: visit) { ends += 1 }
            try receive(entry)
            try Self.skipChildren(of: visit, source: source, receive)
        }
        return ends
    }

    func readTrack(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (TrackItem) throws -> Void
    ) throws {
        let json = try JSONElements(try file.openText())
        try json.forEach(at: ["timelineObjects"]) { node in
            let visit = node["placeVisit"]
            if let visit {
                let start = Self.start(of: visit).located(in: options.timeZone)
                let end = Self.end(of: visit).located(in: options.timeZone)
                let position = Self.position(visit, options)
                if let item = TrackItem.visit(from: start, to: end, position) { try receive(item) }
            }
            let object = node["activitySegment"] ?? visit
            // Only the points of the simplified path have times.
            let path = object?["simplifiedRawPath"]
            for point in path?["points"]?.items ?? [] {
                let position = EntryPosition(google: point, options)
                let time = EntryTime(google: point, "timestamp").located(in: options.timeZone)
                if let item = TrackItem.point(time, position) { try receive(item) }
            }
        }
    }

    /// Skips the visits within a visit, and the visits within those.
    private static func skipChildren(
        of visit: JSONNode,
        source: SourceLocation,
        _ receive: (ImportEntry) throws -> Void
    ) throws {
        for child in visit["childVisits"]?.items ?? [] {
            let skipped = SkippedEntry(.posts, .nestedVisit, note: caption(child), source: source)
            try receive(.skipped(skipped))
            try skipChildren(of: child, source: source, receive)
        }
    }

    private static func start(of visit: JSONNode) -> EntryTime {
        EntryTime(google: visit["duration"], "startTimestamp")
    }

    private static func end(of visit: JSONNode) -> EntryTime {
        EntryTime(google: visit["duration"], "endTimestamp")
    }

    private static func position(_ visit: JSONNode, _ options: ImportOptions) -> EntryPosition {
        let location = visit["location"]
        let own = EntryPosition(
            latitudeE7: location?["latitudeE7"], longitudeE7: location?["longitudeE7"], options)
        return own.or(
            EntryPosition(latitudeE7: visit["centerLatE7"], longitudeE7: visit["centerLngE7"], options))
    }

    /// Returns the name of the place of a visit, or else its address.
    private static func caption(_ visit: JSONNode) -> String {
        let location = visit["location"]
        for name in ["name", "address"] {
            let text = location?[name]?.text?.trimmed ?? ""
            if !text.isEmpty { return text }
        }
        return ""
    }
}
