import Geo
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
        case .missing: return .skipped(SkippedEntry(.posts, .noTime, note: caption, source: source))
        case .invalid(let text): return rejected(EntryTime.error(text))
        }
        var post = ImportedPost(id: id, time: at, caption: caption, source: source)
        switch position {
        case .known(let position): post.position = position
        case .missing where needsPosition:
            return .skipped(SkippedEntry(.posts, .noPlace, note: caption, source: source))
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

/// A time in a JSON document.
enum EntryTime {
    case known(ImportTime)
    case missing
    /// The value is not a time. The associated text is its beginning.
    case invalid(String)

    /// Reads a text in ISO 8601, or seconds or milliseconds since 1970 as a number or a text.
    init(_ node: JSONNode?) {
        guard let node else {
            self = .missing
            return
        }
        let text = node.text
        if let text, text.allSatisfy(\.isWhitespace) {
            self = .missing
        } else if let time = text.flatMap({ ImportTime($0) }) ?? node.number.flatMap({ ImportTime(unix: $0) }) {
            self = .known(time)
        } else {
            self = .invalid((node.anyText ?? "").excerpt)
        }
    }

    /// Reads milliseconds since 1970, as a number or a text.
    init(milliseconds node: JSONNode?) {
        guard let node else {
            self = .missing
            return
        }
        // The range of an instant is checked later.
        if let number = node.integer, abs(number) < 1_000_000_000_000_000 {
            self = .known(.instant(Instant(microseconds: number * 1000), offset: nil))
        } else {
            self.init(node)
        }
    }

    /// The instant, or `nil` if the time is unknown or has no time zone.
    var instant: Instant? { if case .known(let time) = self { time.instant } else { nil } }

    /// The UTC offset of the source, or `nil` if it is unknown.
    var offset: UTCOffset? {
        switch self {
        case .known(.instant(_, let offset)): offset
        case .known(.utc(let instant, let zone)): instant.offset(in: zone)
        case .known, .missing, .invalid: nil
        }
    }

    /// Returns the time at an offset that the source has in another member.
    ///
    /// A time that has an offset itself keeps that offset.
    ///
    /// - Parameter minutes: The minutes ahead of UTC, or `nil` if the source has no offset.
    /// - Returns: The time at the offset.
    func at(offsetMinutes minutes: Int64?) -> EntryTime {
        guard case .known(let time) = self, let minutes, let value = Int16(exactly: minutes), abs(minutes) < 24 * 60
        else { return self }
        let offset = UTCOffset(minutes: value)
        switch time {
        case .instant(let instant, nil): return .known(.instant(instant, offset: offset))
        case .local(let day, let microseconds):
            let local = Int64(day.number) * 86_400_000_000 + microseconds
            return .known(.instant(Instant(microseconds: local - minutes * 60_000_000), offset: offset))
        case .instant, .utc, .date: return self
        }
    }

    /// Returns the time in the time zone of its place.
    ///
    /// A time that has an offset itself keeps that offset. An unknown zone has no effect.
    func at(zone id: String?) -> EntryTime {
        guard case .known(.instant(let instant, nil)) = self, let id, let zone = TimeZoneRules(id) else { return self }
        return .known(.utc(instant, zone: zone))
    }

    /// Returns the error for a value that is not a time.
    static func error(_ text: String) -> HabitError {
        HabitError(.instantInvalid, "'\(text.excerpt)' is not a time: correct it", field: Field.at.name)
    }
}

/// The position of an entry of another application.
enum EntryPosition: Equatable {
    case known(Position)
    /// The entry has no position, or a position at 0, 0 that means "unknown".
    case missing
    /// The position breaks a rule.
    case invalid(HabitError)

    /// Creates a position from degrees, either of which may be missing.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north of the equator.
    ///   - longitude: Degrees east of Greenwich.
    ///   - options: The options of the import, which determine the meaning of 0, 0.
    init(latitude: Double?, longitude: Double?, _ options: ImportOptions) {
        guard let latitude, let longitude else {
            self = .missing
            return
        }
        guard let position = Position(longitude: longitude, latitude: latitude) else {
            self = .invalid(
                HabitError(
                    .positionInvalid,
                    "latitude \(latitude) and longitude \(longitude) are not a position: correct them",
                    field: (-90...90).contains(latitude) ? Field.longitude.name : Field.latitude.name))
            return
        }
        // Positions are stored with 7 decimals.
        let isNullIsland = abs(latitude) < 5e-8 && abs(longitude) < 5e-8
        switch options.nullIsland {
        case .null where isNullIsland: self = .missing
        case .reject where isNullIsland:
            self = .invalid(
                HabitError(
                    .nullIsland, "the position is 0,0, which is usually a sensor error: correct or remove it",
                    field: Field.longitude.name))
        case .null, .reject, .keep: self = .known(position)
        }
    }

    /// Creates a position from two members with degrees.
    init(latitude: JSONNode?, longitude: JSONNode?, _ options: ImportOptions) {
        self.init(latitude: latitude?.number, longitude: longitude?.number, options)
    }

    /// The position, or `nil` if it is unknown.
    var value: Position? { if case .known(let position) = self { position } else { nil } }

    /// Returns `other` if the position is missing.
    func or(_ other: @autoclosure () -> EntryPosition) -> EntryPosition { self == .missing ? other() : self }
}
