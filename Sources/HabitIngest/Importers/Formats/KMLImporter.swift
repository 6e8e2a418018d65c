import Base
import Geo
import HabitModel

/// KML files: placemarks with a point and a time become posts.
///
/// A KMZ file is a ZIP archive that contains a KML file.
struct KMLImporter: TrackImporter {
    static let format = "kml"
    static let companions: Set<String> = [PhotosImporter.format]

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        return try file.content.kind == .xml(root: "kml")
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        var (posts, tracks, others) = (0, 0, 0)
        var besidePoints = 0
        try KMLReader.forEach(in: file, readsTracks: false) { part, source in
            guard case .placemark(let placemark) = part else { return }
            var hasPost = false
            for entry in Self.entries(placemark, source) {
                if case .post(let post) = entry, let time = post.time, !time.isDate { hasPost = true }
                if case .skipped(let entry) = entry, entry.reason == .track { tracks += 1 }
                try receive(entry)
            }
            if hasPost { posts += 1 } else { others += 1 }
            if !placemark.points.isEmpty { besidePoints += placemark.lineCount + placemark.otherCount }
        }
        if besidePoints > 0 {
            let geometries =
                besidePoints == 1
                ? "1 line or area next to a point is" : "\(besidePoints) lines and areas next to points are"
            try receive(.notice(ImportNotice("\(file.displayName): \(geometries) not imported")))
        }
        guard posts == 0 else { return }
        if tracks > 0 {
            try receive(
                .notice(
                    ImportNotice(
                        "\(file.displayName): \(tracks) \(tracks == 1 ? "track" : "tracks"), but no places with a time",
                        .give(.placesFrom))))
        } else {
            try receive(
                .notice(
                    ImportNotice(
                        "\(file.displayName): \(others == 0 ? "" : others == 1 ? "1 placemark, but " : "\(others) placemarks, but ")no places with a time",
                        .advice("export the places with their times"))))
        }
    }

    /// Sends the points of tracks, and the places that have a beginning and an end as visits.
    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws {
        guard let file = input.file else { return }
        try KMLReader.forEach(in: file, readsTracks: true) { part, _ in
            switch part {
            case .point(let time, let position):
                guard let (instant, offset) = Self.instant(time, input.options.timeZone) else { return }
                try receive(.point(instant, position, offset: offset))
            case .unreadablePoint(let text): try receive(.unreadable(text))
            case .placemark(let placemark):
                if let visit = Self.visit(placemark, input.options.timeZone) { try receive(visit) }
            }
        }
    }

    /// Returns the visit of a placemark with a point, a beginning and an end, otherwise `nil`.
    private static func visit(_ placemark: KMLPlacemark, _ zone: TimeZoneRules?) -> TrackItem? {
        guard let coordinates = placemark.points.first, let begin = placemark.begin, let end = placemark.end,
            ![coordinates, begin, end].contains("")
        else { return nil }
        for text in [begin, end] where ImportTime(text) == nil && !isPartOfDate(text) { return .unreadable(text) }
        guard let (first, offset) = instant(begin, zone), let (last, _) = instant(end, zone), first <= last else {
            return nil
        }
        guard let position = KMLPlacemark.position(coordinates) else { return .unreadable(coordinates) }
        return .visit(from: first, to: last, position, offset: offset)
    }

    /// Parses a time, or returns `nil` if the text is missing or not a time.
    private static func instant(_ text: String?, _ zone: TimeZoneRules?) -> (Instant, UTCOffset?)? {
        text.flatMap { ImportTime($0) }.flatMap { instant($0, zone) }
    }

    /// Returns the instant and the UTC offset of a time, or `nil` for a date.
    ///
    /// - Parameters:
    ///   - time: A time of a KML file.
    ///   - zone: The time zone of local times, or `nil` for UTC.
    /// - Returns: The instant and the UTC offset, or `nil`.
    private static func instant(_ time: ImportTime, _ zone: TimeZoneRules?) -> (Instant, UTCOffset?)? {
        switch time {
        case .date, .writtenLater: return nil
        case .dated(_, let time): return self.instant(time, zone)
        case .instant(let instant, let offset): return (instant, offset)
        case .utc(let instant, let zone): return (instant, instant.offset(in: zone))
        case .local(let day, let microseconds):
            let instant = Instant(local: day, microseconds: microseconds, in: zone ?? .utc)
            return (instant, zone.map { instant.offset(in: $0) })
        }
    }

    /// Returns an entry for each geometry of a placemark with points, or one entry for a placemark without points.
    private static func entries(_ placemark: KMLPlacemark, _ source: SourceLocation) -> [ImportEntry] {
        let track = ImportEntry.skipped(SkippedEntry(.posts, .track, source: source))
        let other = ImportEntry.skipped(SkippedEntry(.posts, .notAPlace, source: source))
        if placemark.points.isEmpty { return [placemark.lineCount > 0 ? track : other] }
        let points = placemark.points.map { coordinates in entry(coordinates, placemark, source) }
        let tracks = Array(repeating: track, count: placemark.lineCount)
        let others = Array(repeating: other, count: placemark.otherCount)
        return points + tracks + others
    }

    /// Returns the entry of a point.
    private static func entry(
        _ coordinates: String, _ placemark: KMLPlacemark, _ source: SourceLocation
    ) -> ImportEntry {
        let caption = placemark.name.isEmpty ? placemark.description : placemark.name
        var post = ImportedPost(caption: caption, source: source)
        post.position = KMLPlacemark.position(coordinates)
        let text = [placemark.when, placemark.begin].compactMap { $0 }.first { !$0.isEmpty }
        post.time = text.flatMap { ImportTime($0) }
        guard post.position != nil else {
            return .rejected(
                RejectedEntry(post, XMLValues.positionInvalid(coordinates), original: joined(coordinates, caption)))
        }
        if let text, post.time == nil, !isPartOfDate(text) {
            return .rejected(
                RejectedEntry(post, XMLValues.instantInvalid(text), original: joined(text, coordinates, caption)))
        }
        return .post(post)
    }

    /// Whether a text is a year or a month, which KML accepts as a time.
    private static func isPartOfDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 48 < 10 } }
    }
}

extension ImportTime {
    /// Whether the time is a date without a time of day.
    fileprivate var isDate: Bool {
        if case .date = self { true } else { false }
    }
}
