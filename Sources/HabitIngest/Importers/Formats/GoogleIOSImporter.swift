import HabitModel

/// The file `location-history.json` that Google Maps exports on iOS.
struct GoogleIOSImporter: GoogleFileImporter {
    static let format = "google-ios"
    static let adviceIfEmpty = GoogleImporter.adviceIfEmpty
    static let source = "google"

    static func canRead(_ file: ImportFile, options: ImportOptions) throws -> Bool {
        guard let array = try file.outline(ofArray: nil) else { return false }
        if array.isEmptyArray { return options.format == format }
        let hasKind = GoogleSegment.kinds.contains { kind in array[kind] != nil }
        return array["startTime"] != nil && hasKind
    }

    func read(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (ImportEntry) throws -> Void
    ) throws -> Int {
        try GoogleSegment.readAll(of: file, at: [], options: options, receive)
    }

    func readTrack(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (TrackItem) throws -> Void
    ) throws {
        let json = try JSONElements(try file.openText())
        try json.forEach(at: []) { node in
            try GoogleSegment(node: node, options: options).track(receive)
        }
    }
}
