import Geo
import HabitModel

/// A file of the OwnTracks Recorder: a time, a kind and a JSON object in each line.
///
/// A location in a region that the previous location does not name becomes a post.
struct OwnTracksImporter: TrackImporter {
    static let format = "owntracks"

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file, try file.content.kind == .text else { return false }
        let bodies = try file.content.lines.lazy.filter { !$0.allSatisfy(\.isWhitespace) }.prefix(20)
            .compactMap { Line($0)?.body }
        // All messages of OwnTracks have a type, in contrast to the log files of other programs.
        return bodies.contains { $0.contains("\"_type\"") }
    }

    /// A point by which repetitions are recognized.
    private struct Point: Hashable {
        var instant: Instant
        var position: Position
    }

    /// The time of a line and its JSON object.
    private struct Line {
        var time: ImportTime
        var body: Substring

        /// Parses a line, or returns `nil` if it has another form.
        init?(_ text: String) {
            let text = text.drop(while: \.isWhitespace)
            guard let end = text.firstIndex(where: \.isWhitespace),
                let time = ImportTime(String(text[..<end]), isUTC: true), time.instant != nil,
                let start = text[end...].firstIndex(of: "{"), !text[end..<start].allSatisfy(\.isWhitespace)
            else { return nil }
            self.time = time
            body = text[start...]
        }
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let parser = try JSONLineParser()
        var seen = RecentHashes()
        var regions: Set<String> = []
        var count = (points: 0, posts: 0)
        try file.forEachLine { text, number in
            let source = SourceLocation(file: file.displayName, line: number)
            func skip(_ reason: SkipReason) throws {
                try receive(.skipped(SkippedEntry(.posts, reason, source: source)))
            }
            func reject(_ error: HabitError) throws {
                try receive(.rejected(RejectedEntry(.posts, error, original: text, source: source)))
            }
            guard !text.allSatisfy(\.isWhitespace) else { return }
            guard let line = Line(text) else {
                return try reject(
                    HabitError(.lineInvalid, "the line is not a time, a kind and a JSON object: correct it"))
            }
            let location: Location?
            do {
                location = try parser.parse(line.body) { Location($0, line.time, input.options) }
            } catch let error as HabitError where error.code == .jsonInvalid {
                return try reject(error)
            }
            guard let location else { return try skip(.notALocation) }
            if case .invalid(let text) = location.time { return try reject(EntryTime.error(text)) }
            if case .invalid(let error) = location.position { return try reject(error) }
            guard let instant = location.time.instant else { return try skip(.noTime) }
            guard let position = location.position.value else { return try skip(.noPlace) }
            guard seen.insert(Point(instant: instant, position: position)) else { return try skip(.duplicate) }
            let entered = location.regions.filter { !regions.contains($0) }
            regions = Set(location.regions)
            guard !entered.isEmpty else {
                count.points += 1
                return try skip(.trackPoint)
            }
            count.posts += 1
            let caption = entered.joined(separator: ", ")
            try receive(
                .post(
                    ImportedPost(
                        time: .instant(instant, offset: nil), caption: caption, position: position, source: source)))
        }
        if count.posts == 0, let notice = ImportNotice.onlyTrackPoints(count.points, in: file) {
            try receive(.notice(notice))
        }
    }

    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws {
        guard let file = input.file else { return }
        let parser = try JSONLineParser()
        try file.forEachLine { text, _ in
            guard let line = Line(text),
                let location = try? parser.parse(line.body, { Location($0, line.time, input.options) }),
                let instant = location.time.instant, let position = location.position.value
            else { return }
            try receive(.point(instant, position))
        }
    }

    /// A message with the location of a device.
    private struct Location {
        var time: EntryTime
        var position: EntryPosition
        /// The names of the regions that contain the location, in their order and without repetitions.
        var regions: [String] = []

        /// Reads a message, or returns `nil` if it is not a location.
        ///
        /// - Parameters:
        ///   - node: The message.
        ///   - lineTime: The time of a message without the member `tst`.
        ///   - options: The options of the import.
        init?(_ node: JSONNode, _ lineTime: ImportTime, _ options: ImportOptions) {
            guard node["_type"]?.text == "location" else { return nil }
            time = EntryTime(node["tst"])
            if case .missing = time { time = .known(lineTime) }
            position = EntryPosition(latitude: node["lat"], longitude: node["lon"], options)
            for item in node["inregions"]?.items ?? [] {
                if let name = item.anyText?.trimmed, !name.isEmpty, !regions.contains(name) { regions.append(name) }
            }
        }
    }
}
