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
        var counts = Counts()
        try KMLReader.forEach(in: file, readsTracks: false) { part, source in
            guard case .placemark(let placemark) = part else { return }
            var hasPost = false
            for entry in Self.entries(placemark, source) {
                if case .post(let post) = entry, let time = post.time, !time.isDate { hasPost = true }
                if case .skipped(let skipped) = entry, skipped.reason == .track { counts.tracks += 1 }
                try receive(entry)
            }
            counts.add(placemark, hasPost: hasPost)
        }
        for notice in counts.notices(of: file.displayName) {
            try receive(.notice(notice))
        }
    }

    /// The numbers of placemarks and geometries in a file.
    private struct Counts {
        /// Placemarks with a post.
        var posts = 0
        /// Placemarks without a post.
        var others = 0
        var tracks = 0
        /// Lines and areas of placemarks that have a point too.
        var geometriesNextToPoints = 0

        mutating func add(_ placemark: KMLPlacemark, hasPost: Bool) {
            if hasPost {
                posts += 1
            } else {
                others += 1
            }
            if !placemark.points.isEmpty {
                geometriesNextToPoints += placemark.lineCount + placemark.otherCount
            }
        }

        /// Returns the notices for the parts of a file that are not imported.
        func notices(of file: String) -> [ImportNotice] {
            var notices: [ImportNotice] = []
            if geometriesNextToPoints > 0 {
                let geometries =
                    geometriesNextToPoints == 1
                    ? "1 line or area next to a point is"
                    : "\(geometriesNextToPoints) lines and areas next to points are"
                notices.append(ImportNotice("\(file): \(geometries) not imported"))
            }
            if posts == 0 { notices.append(noPlaces(in: file)) }
            return notices
        }

        /// Returns the notice for a file without posts.
        private func noPlaces(in file: String) -> ImportNotice {
            if tracks > 0 {
                let noun = tracks == 1 ? "track" : "tracks"
                return ImportNotice(
                    "\(file): \(tracks) \(noun), but no places with a time",
                    .give(.placesFrom))
            }
            let placemarks: String
            switch others {
            case 0: placemarks = ""
            case 1: placemarks = "1 placemark, but "
            default: placemarks = "\(others) placemarks, but "
            }
            return ImportNotice(
                "\(file): \(placemarks)no places with a time",
                .advice("export the places with their times"))
        }
    }

    /// Sends the points of tracks, and the places that have a beginning and an end as visits.
    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws {
        guard let file = input.file else { return }
        try KMLReader.forEach(in: file, readsTracks: true) { part, _ in
            switch part {
            case .point(let time, let position):
                guard let time = Self.instant(time, in: input.options.timeZone) else { return }
                try receive(.point(time.instant, position, offset: time.offset))
            case .unreadablePoint(let text): try receive(.unreadable(text))
            case .placemark(let placemark):
                if let visit = Self.visit(placemark, in: input.options.timeZone) { try receive(visit) }
            }
        }
    }

    /// Returns the visit of a placemark with a point, a beginning and an end, otherwise `nil`.
    private static func visit(_ placemark: KMLPlacemark, in zone: TimeZoneRules?) -> TrackItem? {
        guard let coordinates = placemark.points.first, !coordinates.isEmpty else { return nil }
        guard let begin = placemark.begin, !begin.isEmpty else { return nil }
        guard let end = placemark.end, !end.isEmpty else { return nil }
        for text in [begin, end] {
            let isReadable = ImportTime(text) != nil || isPartOfDate(text)
            if !isReadable { return .unreadable(text) }
        }
        guard let beginTime = ImportTime(begin), let start = instant(beginTime, in: zone) else { return nil }
        guard let endTime = ImportTime(end), let stop = instant(endTime, in: zone) else { return nil }
        guard start.instant <= stop.instant else { return nil }
        guard let position = KMLPlacemark.position(coordinates) else { return .unreadable(coordinates) }
        return .visit(from: start.instant, to: stop.instant, position, offset: start.offset)
    }

    /// Returns the instant and the UTC offset of a time, or `nil` for a date.
    ///
    /// - Parameters:
    ///   - time: A time of a KML file.
    ///   - zone: The time zone of local times, or `nil` for UTC.
    /// - Returns: The instant and the UTC offset, or `nil`.
    private static func instant(
        _ time: ImportTime, in zone: TimeZoneRules?
    ) -> (instant: Instant, offset: UTCOffset?)? {
        switch time {
        case .date, .writtenLater: return nil
        case .dated(_, let time): return self.instant(time, in: zone)
        case .instant(let instant, let offset): return (instant, offset)
        case .utc(let instant, let zone): return (instant, instant.offset(in: zone))
        case .local(let day, let microseconds):
            let instant = Instant(local: day, microseconds: microseconds, in: zone ?? .utc)
            let offset = zone.map { zone in instant.offset(in: zone) }
            return (instant, offset)
        }
    }

    /// Returns an entry for each geometry of a placemark with points, or one entry for a placemark without points.
    private static func entries(_ placemark: KMLPlacemark, _ source: SourceLocation) -> [ImportEntry] {
        let track = ImportEntry.skipped(.posts, .track, source: source)
        let other = ImportEntry.skipped(.posts, .notAPlace, source: source)
        if placemark.points.isEmpty { return [placemark.lineCount > 0 ? track : other] }
        let points = placemark.points.map { coordinates in
            entry(of: placemark, at: coordinates, source)
        }
        let tracks = Array(repeating: track, count: placemark.lineCount)
        let others = Array(repeating: other, count: placemark.otherCount)
        return points + tracks + others
    }

    /// Returns the entry of a point.
    private static func entry(
        of placemark: KMLPlacemark,
        at coordinates: String,
        _ source: SourceLocation
    ) -> ImportEntry {
        let caption = placemark.name.isEmpty ? placemark.description : placemark.name
        var post = ImportedPost(caption: caption, source: source)
        post.position = KMLPlacemark.position(coordinates)
        let texts = [placemark.when, placemark.begin].compactMap(\.self)
        let text = texts.first { text in !text.isEmpty }
        if let text { post.time = ImportTime(text) }
        guard post.position != nil else {
            let error = XMLValues.positionInvalid(coordinates)
            return .rejected(RejectedEntry(post, error, original: joined(coordinates, caption)))
        }
        if let text, post.time == nil, !isPartOfDate(text) {
            let error = XMLValues.instantInvalid(text)
            return .rejected(RejectedEntry(post, error, original: joined(text, coordinates, caption)))
        }
        return .post(post)
    }

    /// Whether a text is a year or a month, which KML accepts as a time.
    private static func isPartOfDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count) else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { byte in byte &- UInt8(ascii: "0") < 10 }
        }
    }
}

extension ImportTime {
    /// Whether the time is a date without a time of day.
    fileprivate var isDate: Bool {
        if case .date = self { true } else { false }
    }
}
