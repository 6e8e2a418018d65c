import Base
import Geo
import HabitModel

/// The reader of tracks in any format that has tracks.
enum Tracks {
    /// Reads the items of tracks, in the order of the inputs.
    ///
    /// A point or a visit at 0, 0 is not an item unless the options keep such positions, because devices without a fix
    /// write them.
    ///
    /// - Parameters:
    ///   - paths: Files, folders, and `-` for the standard input.
    ///   - options: The options of the import. The format is recognized from the content.
    ///   - receive: A closure that receives each item.
    /// - Returns: The notices for points that cannot be read.
    /// - Throws: An error of a track, `format-mismatch` if an input has no track, or the error of `receive`.
    static func read(
        _ paths: [String],
        options: ImportOptions,
        _ receive: (TrackItem) throws -> Void
    ) throws -> [ImportNotice] {
        var options = options
        options.format = nil
        let keepsNullIsland = options.nullIsland == .keep
        var notices: [ImportNotice] = []
        for path in paths {
            let parts = try ImportPlan(paths: [path], options: options).parts
            var hasTrack = false
            for part in parts {
                // A folder can contain other files in addition to tracks.
                guard let importer = part.importer.init() as? any TrackImporter else { continue }
                hasTrack = true
                var unreadable = UnreadableValues()
                try importer.track(of: part.input) { item in
                    if case .unreadable(let text) = item {
                        unreadable.add(UnreadableValue(.trackPoint, text))
                    }
                    let isNullIsland = item.position?.isNullIsland == true
                    if !isNullIsland || keepsNullIsland { try receive(item) }
                }
                notices += unreadable.notices(of: part.input.name)
            }
            if !hasTrack, let part = parts.first { throw noTracks(in: part) }
        }
        return notices
    }

    private static func noTracks(in part: ImportPlan.Part) -> HabitError {
        HabitError(
            .formatMismatch,
            "the input has the format \(part.importer.format), which has no tracks",
            file: part.input.name)
    }
}

extension TrackItem {
    /// The position of the point or the visit, or `nil` if it cannot be read.
    fileprivate var position: Position? {
        switch self {
        case .point(_, let position, _), .visit(_, _, let position, _): position
        case .unreadable: nil
        }
    }
}
