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
        for part in try ImportPlan(paths: paths, options: options).parts {
            guard let importer = part.importer.init() as? any TrackImporter else {
                throw HabitError(
                    .formatMismatch, "the input has the format \(part.importer.format), which has no tracks",
                    file: part.input.name)
            }
            try importer.track(of: part.input, receive)
        }
    }
}
