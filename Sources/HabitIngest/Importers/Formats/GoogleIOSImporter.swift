import HabitModel

/// The file `location-history.json` that Google Maps exports on iOS.
struct GoogleIOSImporter: GoogleFileImporter {
    static let format = "google-ios"
    static let adviceIfEmpty = GoogleImporter.adviceIfEmpty
    static let source = "google"

    static func canRead(_ file: ImportFile, _ options: ImportOptions) throws -> Bool {
        guard let array = try file.outline(ofArray: nil) else { return false }
        if array.isEmptyArray { return options.format == format }
        return array["startTime"] != nil && GoogleSegment.kinds.contains { array[$0] != nil }
    }

    func read(_ file: ImportFile, _ options: ImportOptions, _ receive: (ImportEntry) throws -> Void) throws -> Int {
        var ends = 0
        let json = try JSONElements(try file.openText())
        try json.forEach(at: []) { node in
            let segment = GoogleSegment(node: node, options: options)
            let entry = segment.entry(SourceLocation(file: file.displayName, line: json.line, entry: json.number))
            if entry.isPost, segment.hasEnd { ends += 1 }
            try receive(entry)
            if entry.isPost { for value in segment.unreadableValues { try receive(.unreadable(value)) } }
        }
        return ends
    }

    func readTrack(_ file: ImportFile, _ options: ImportOptions, _ receive: (TrackItem) throws -> Void) throws {
        try JSONElements(try file.openText()).forEach(at: []) { node in
            try GoogleSegment(node: node, options: options).track(receive)
        }
    }
}
