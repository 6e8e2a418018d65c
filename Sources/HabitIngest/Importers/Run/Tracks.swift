import HabitModel

/// The reader of tracks in any format that has tracks.
enum Tracks {
    /// Reads the items of tracks, in the order of the inputs.
    ///
    /// - Parameters:
    ///   - paths: Files, folders, and `-` for the standard input.
    ///   - options: The options of the import. The format is recognized from the content.
    ///   - receive: A closure that receives each item.
    /// - Throws: An error of a track, `format-mismatch` if an input has no track, or the error of `receive`.
    static func read(_ paths: [String], _ options: ImportOptions, _ receive: (TrackItem) throws -> Void) throws {
        var options = options
        options.format = nil
        for path in paths {
            let parts = try ImportPlan(paths: [path], options: options).parts
            let tracks = parts.compactMap { part in
                (part.importer.init() as? any TrackImporter).map { (importer: $0, input: part.input) }
            }
            // A folder can contain other files in addition to tracks.
            if tracks.isEmpty, let part = parts.first {
                throw HabitError(
                    .formatMismatch, "the input has the format \(part.importer.format), which has no tracks",
                    file: part.input.name)
            }
            for track in tracks { try track.importer.track(of: track.input, receive) }
        }
    }
}
