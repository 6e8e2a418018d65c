import Base
import HabitModel

/// A month of the folder `Semantic Location History` of Google Takeout.
struct GoogleSemanticImporter: GoogleFileImporter {
    static let format = "google-semantic"
    static let adviceIfEmpty = GoogleImporter.adviceIfEmpty
    static let source = "google"

    static func canRead(_ file: ImportFile, _ options: ImportOptions) throws -> Bool {
        try file.outline(ofArray: "timelineObjects") != nil
    }

    func read(_ file: ImportFile, _ options: ImportOptions, _ receive: (ImportEntry) throws -> Void) throws -> Int {
        var ends = 0
        let json = try JSONElements(try file.openText())
        try json.forEach(at: ["timelineObjects"]) { node in
            let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
            guard let visit = node["placeVisit"] else {
                let reason: SkipReason = node["activitySegment"] != nil ? .activity : .notAPlace
                return try receive(.skipped(SkippedEntry(.posts, reason, source: source)))
            }
            let entry = PlaceEntry(
                time: EntryTime(google: visit["duration"], "startTimestamp"),
                position: Self.position(visit, options), caption: Self.caption(visit), needsPosition: true,
                source: source
            ).entry
            if entry.isPost, case .known = EntryTime(google: visit["duration"], "endTimestamp") { ends += 1 }
            try receive(entry)
            try Self.skipChildren(of: visit, source, receive)
        }
        return ends
    }

    func readTrack(_ file: ImportFile, _ options: ImportOptions, _ receive: (TrackItem) throws -> Void) throws {
        try JSONElements(try file.openText()).forEach(at: ["timelineObjects"]) { node in
            if let visit = node["placeVisit"] {
                let time = EntryTime(google: visit["duration"], "startTimestamp").located(in: options.timeZone)
                let end = EntryTime(google: visit["duration"], "endTimestamp").located(in: options.timeZone)
                let position = Self.position(visit, options)
                if let item = TrackItem.visit(from: time, to: end, position) { try receive(item) }
            }
            // Only the points of the simplified path have times.
            let path = (node["activitySegment"] ?? node["placeVisit"])?["simplifiedRawPath"]
            for point in path?["points"]?.items ?? [] {
                let position = EntryPosition(google: point, options)
                let time = EntryTime(google: point, "timestamp").located(in: options.timeZone)
                if let item = TrackItem.point(time, position) { try receive(item) }
            }
        }
    }

    /// Skips the visits within a visit, and the visits within those.
    private static func skipChildren(
        of visit: JSONNode, _ source: SourceLocation, _ receive: (ImportEntry) throws -> Void
    ) throws {
        for child in visit["childVisits"]?.items ?? [] {
            try receive(.skipped(SkippedEntry(.posts, .nestedVisit, note: caption(child), source: source)))
            try skipChildren(of: child, source, receive)
        }
    }

    private static func position(_ visit: JSONNode, _ options: ImportOptions) -> EntryPosition {
        let location = visit["location"]
        return EntryPosition(e7: location?["latitudeE7"], location?["longitudeE7"], options)
            .or(EntryPosition(e7: visit["centerLatE7"], visit["centerLngE7"], options))
    }

    /// Returns the name of the place of a visit, or else its address.
    private static func caption(_ visit: JSONNode) -> String {
        let texts = ["name", "address"].map { visit["location"]?[$0]?.text?.trimmed ?? "" }
        return texts.first { !$0.isEmpty } ?? ""
    }
}
