import Base
import HabitModel

/// A visit, a step or a region entry of another application, which becomes a post.
struct PlaceEntry {
    var time: EntryTime
    var position: EntryPosition
    var caption = ""
    /// The ID if it is globally unique in the source, otherwise `nil`.
    var id: String?
    /// Whether an entry without a position is skipped (`no-place`) instead of stored without a position.
    var needsPosition = false
    var source = SourceLocation()

    /// The post, or the entry that reports why there is no post.
    var entry: ImportEntry {
        let at: ImportTime
        switch time {
        case .known(let time): at = time
        case .missing: return .skipped(.posts, .noTime, note: caption, source: source)
        case .invalid(let text): return rejected(EntryTime.error(text))
        }
        var post = ImportedPost(id: id, time: at, caption: caption, source: source)
        switch position {
        case .known(let position): post.position = position
        case .missing where needsPosition:
            return .skipped(.posts, .noPlace, note: caption, source: source)
        case .missing: break
        case .invalid(let error): return rejected(error)
        }
        return .post(post)
    }

    private func rejected(_ error: HabitError) -> ImportEntry {
        var post = ImportedPost(id: id, caption: caption, position: position.value, source: source)
        if case .known(let time) = time { post.time = time }
        return .rejected(RejectedEntry(post, error))
    }
}

extension ImportEntry {
    /// Whether the entry is a post.
    var isPost: Bool { if case .post = self { true } else { false } }
}

extension ImportNotice {
    /// The notice for the ends of visits, or `nil` if no visit has an end.
    static func visitEnds(_ count: Int) -> ImportNotice? {
        guard count > 0 else { return nil }
        return ImportNotice(
            "The import does not store \(count == 1 ? "the end of 1 visit" : "the ends of \(count) visits").")
    }

    /// The notice for a file that contains only track points, or `nil` if it contains none.
    static func onlyTrackPoints(_ count: Int, in file: ImportFile) -> ImportNotice? {
        guard count > 0 else { return nil }
        let positions = count == 1 ? "1 position" : "\(count) positions"
        return ImportNotice("\(file.displayName): \(positions) and no visits", .give(.placesFrom))
    }
}
