import Base
import HabitModel

/// The file `Timeline.json` that Google Maps exports on Android.
struct GoogleAndroidImporter: GoogleFileImporter {
    static let format = "google-android"
    static let adviceIfEmpty = GoogleImporter.adviceIfEmpty
    static let source = "google"

    static func canRead(_ file: ImportFile, options: ImportOptions) throws -> Bool {
        try file.outline(ofArray: "semanticSegments") != nil
    }

    func read(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (ImportEntry) throws -> Void
    ) throws -> Int {
        try GoogleSegment.readAll(of: file, at: ["semanticSegments"], options: options, receive)
    }

    func readTrack(
        _ file: ImportFile,
        options: ImportOptions,
        _ receive: (TrackItem) throws -> Void
    ) throws {
        let json = try JSONElements(try file.openText())
        try json.forEach(atAnyOf: [["semanticSegments"], ["rawSignals"]]) { index, node in
            if index == 0 {
                try GoogleSegment(node: node, options: options).track(receive)
            } else if let item = Self.point(ofSignal: node, options: options) {
                try receive(item)
            }
        }
    }

    /// Returns the point of a raw signal, or `nil` for a signal without a position.
    private static func point(ofSignal node: JSONNode, options: ImportOptions) -> TrackItem? {
        guard let signal = node["position"] else { return nil }
        let location = signal["LatLng"] ?? signal["latLng"]
        let position = EntryPosition(google: location ?? signal["point"], options)
        let time = EntryTime(google: signal, "timestamp")
        return .point(time.located(in: options.timeZone), position)
    }
}
