import HabitModel

/// The file `Timeline.json` that Google Maps exports on Android.
struct GoogleAndroidImporter: GoogleFileImporter {
    static let format = "google-android"
    static let adviceIfEmpty = GoogleImporter.adviceIfEmpty
    static let source = "google"

    static func canRead(_ file: ImportFile, _ options: ImportOptions) throws -> Bool {
        try file.outline(ofArray: "semanticSegments") != nil
    }

    func read(_ file: ImportFile, _ options: ImportOptions, _ receive: (ImportEntry) throws -> Void) throws -> Int {
        var ends = 0
        let json = try JSONElements(try file.openText())
        try json.forEach(at: ["semanticSegments"]) { node in
            let segment = GoogleSegment(node: node, options: options)
            let entry = segment.entry(SourceLocation(file: file.displayName, line: json.line, entry: json.number))
            if entry.isPost, segment.hasEnd { ends += 1 }
            try receive(entry)
            if entry.isPost { for value in segment.unreadableValues { try receive(.unreadable(value)) } }
        }
        return ends
    }

    func readTrack(_ file: ImportFile, _ options: ImportOptions, _ receive: (TrackItem) throws -> Void) throws {
        let json = try JSONElements(try file.openText())
        try json.forEach(atAnyOf: [["semanticSegments"], ["rawSignals"]]) { index, node in
            if index == 0 { return try GoogleSegment(node: node, options: options).track(receive) }
            guard let signal = node["position"] else { return }
            let position = EntryPosition(google: signal["LatLng"] ?? signal["latLng"] ?? signal["point"], options)
            let time = EntryTime(google: signal, "timestamp").located(in: options.timeZone)
            if let item = TrackItem.point(time, position) { try receive(item) }
        }
    }
}
