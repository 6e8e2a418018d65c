import Base
import Geo
import HabitModel

/// A file of the OwnTracks Recorder: a message in each line, which its time and its kind can precede, or the JSON document of
/// `ocat` and of the Recorder's API.
///
/// A location in a region that the previous location does not name becomes a post.
struct OwnTracksImporter: TrackImporter {
    static let format = "owntracks"
    static let adviceIfEmpty = "record locations in the app, or export a period that contains some"

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        if try file.content.kind == .text { return try hasMessages(file) }
        if try isMessage(file.content.outline) { return true }
        return try documentPath(of: file, isDeclared: input.options.format == format) != nil
    }

    /// Whether one of the first lines of a text contains a message.
    private static func hasMessages(_ file: ImportFile) throws -> Bool {
        let lines = try file.content.lines.lazy.filter { line in !line.allSatisfy(\.isWhitespace) }
        // All messages of OwnTracks have a type, in contrast to the log files of other programs.
        return lines.prefix(20).contains { line in
            Line(line)?.body.contains("\"_type\"") == true
        }
    }

    /// Whether a JSON value is a message.
    ///
    /// A location has a time.
    private static func isMessage(_ outline: JSONOutline?) -> Bool {
        guard let outline, outline.isObject, let type = outline["_type"]?.text else { return false }
        let hasTime = ["tst", "isotst"].contains { name in outline[name] != nil }
        return type != "location" || hasTime
    }

    /// Returns the path of the locations in a JSON document, or `nil` if the file is not such a document.
    ///
    /// `ocat` writes the locations in the member `locations`, and the API of the Recorder in `data` or as an array. An empty
    /// list is recognized by the names of the other members.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - isDeclared: Whether the user declares that the file has the format.
    /// - Returns: The path, or `nil`.
    /// - Throws: An error of reading the file.
    private static func documentPath(of file: ImportFile, isDeclared: Bool) throws -> [String]? {
        let names = try file.content.outline?.names ?? []
        let areKnown = !names.isEmpty && memberNames.isSuperset(of: names)
        let canBeEmpty = isDeclared || (areKnown && names != ["data"])
        for name in ["locations", "data", nil] {
            guard let list = try file.outline(ofArray: name) else { continue }
            // The first message may be of another type, such as a transition.
            let type = list["_type"]?.text
            let hasMessage = type != nil && (type != "location" || list["tst"] != nil)
            let isEmptyList = list.isEmptyArray && canBeEmpty
            guard hasMessage || isEmptyList else { continue }
            guard let name else { return [] }
            return [name]
        }
        return nil
    }

    /// The names of the members that `ocat` and the API of the Recorder write.
    private static let memberNames: Set<String> = ["count", "locations", "data", "status", "version"]

    /// A point by which repetitions are recognized.
    private struct Point: Hashable {
        var instant: Instant
        var position: Position
    }

    /// The JSON object of a line and the time before it.
    private struct Line {
        /// The time, or `nil` if the line contains only the object.
        var time: ImportTime?
        var body: Substring

        /// Parses a line, or returns `nil` if it has another form.
        init?(_ text: String) {
            let text = text.drop(while: \.isWhitespace)
            guard text.first != "{" else {
                body = text
                return
            }
            guard let end = text.firstIndex(where: \.isWhitespace) else { return nil }
            let word = String(text[..<end])
            guard let time = ImportTime(word, isUTC: true), time.instant != nil else { return nil }
            guard let start = text[end...].firstIndex(of: "{") else { return nil }
            let kind = text[end..<start]
            guard !kind.allSatisfy(\.isWhitespace) else { return nil }
            self.time = time
            body = text[start...]
        }
    }

    /// Returns the path of the messages in a JSON document, or `nil` if each line of the file contains a message.
    private static func path(of input: ImportInput, _ file: ImportFile) throws -> [String]? {
        guard try file.content.kind == .json else { return nil }
        let isDeclared = input.options.format == format
        if let path = try documentPath(of: file, isDeclared: isDeclared) { return path }
        let firstLine = try file.content.lines.first { line in !line.allSatisfy(\.isWhitespace) }
        let isObject = try? JSONLineParser().parse(firstLine ?? "") { node in node.isObject }
        // A single message can span several lines.
        let isCompleteLine = isObject == true
        return isCompleteLine ? nil : []
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        var state = State()
        if let path = try Self.path(of: input, file) {
            let json = try JSONElements(try file.openText())
            try json.forEach(at: path) { node in
                let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
                let location = Location(node, lineTime: nil, input.options)
                try receive(state.entry(location, original: "", source: source))
            }
        } else {
            let parser = try JSONLineParser()
            try file.forEachLine { text, number in
                guard !text.allSatisfy(\.isWhitespace) else { return }
                let source = SourceLocation(file: file.displayName, line: number)
                let entry = try Self.entry(
                    text,
                    parser: parser,
                    options: input.options,
                    source: source,
                    state: &state)
                try receive(entry)
            }
        }
        if state.postCount == 0, let notice = ImportNotice.onlyTrackPoints(state.pointCount, in: file) {
            try receive(.notice(notice))
        }
    }

    /// Returns the entry of a line.
    private static func entry(
        _ text: String,
        parser: JSONLineParser,
        options: ImportOptions,
        source: SourceLocation,
        state: inout State
    ) throws -> ImportEntry {
        guard let line = Line(text) else {
            let error = HabitError(
                .lineInvalid, "the line is not a JSON object, or a time, a kind and a JSON object: correct it")
            return .rejected(.posts, error, original: text, source: source)
        }
        do {
            let location = try parser.parse(line.body) { node in
                Location(node, lineTime: line.time, options)
            }
            return state.entry(location, original: text, source: source)
        } catch let error as HabitError where error.code == .jsonInvalid {
            return .rejected(.posts, error, original: text, source: source)
        }
    }

    /// The locations read so far.
    private struct State {
        private var seen = RecentHashes()
        private var regions: Set<String> = []
        private(set) var pointCount = 0
        private(set) var postCount = 0

        /// Returns the entry of a location, or of a message that is not a location.
        mutating func entry(
            _ location: Location?,
            original: String,
            source: SourceLocation
        ) -> ImportEntry {
            func skipped(_ reason: SkipReason) -> ImportEntry {
                .skipped(.posts, reason, source: source)
            }
            guard let location else { return skipped(.notALocation) }
            if let error = location.error {
                return .rejected(.posts, error, original: original, source: source)
            }
            guard let instant = location.time.instant else { return skipped(.noTime) }
            guard let position = location.position.value else { return skipped(.noPlace) }
            let isNew = seen.insert(Point(instant: instant, position: position))
            guard isNew else { return skipped(.duplicate) }
            let entered = location.regions.filter { region in !regions.contains(region) }
            regions = Set(location.regions)
            guard !entered.isEmpty else {
                pointCount += 1
                return skipped(.trackPoint)
            }
            postCount += 1
            let post = ImportedPost(
                time: .instant(instant, offset: nil),
                caption: entered.joined(separator: ", "),
                position: position,
                source: source)
            return .post(post)
        }
    }

    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws {
        guard let file = input.file else { return }
        if let path = try Self.path(of: input, file) {
            let json = try JSONElements(try file.openText())
            try json.forEach(at: path) { node in
                let location = Location(node, lineTime: nil, input.options)
                if let item = location?.item { try receive(item) }
            }
            return
        }
        let parser = try JSONLineParser()
        try file.forEachLine { text, _ in
            guard !text.allSatisfy(\.isWhitespace) else { return }
            guard let line = Line(text) else { return try receive(.unreadable(text)) }
            do {
                let location = try parser.parse(line.body) { node in
                    Location(node, lineTime: line.time, input.options)
                }
                if let item = location?.item { try receive(item) }
            } catch let error as HabitError where error.code == .jsonInvalid {
                try receive(.unreadable(text))
            }
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
        ///   - lineTime: The time of a message without the member `tst`, or `nil` if the file has no other time.
        ///   - options: The options of the import.
        init?(_ node: JSONNode, lineTime: ImportTime?, _ options: ImportOptions) {
            guard node["_type"]?.text == "location" else { return nil }
            time = EntryTime(node["tst"])
            if case .missing = time {
                if let lineTime {
                    time = .known(lineTime)
                } else {
                    time = EntryTime(node["isotst"])
                }
            }
            position = EntryPosition(latitude: node["lat"], longitude: node["lon"], options)
            for item in node["inregions"]?.items ?? [] {
                guard let name = item.anyText?.trimmed, !name.isEmpty else { continue }
                if !regions.contains(name) { regions.append(name) }
            }
        }

        /// The error of a value that cannot be read, otherwise `nil`.
        var error: HabitError? {
            if case .invalid(let text) = time { return EntryTime.error(text) }
            if case .invalid(let error) = position { return error }
            return nil
        }

        /// The point of a track, or `nil` if the time or the position is missing.
        var item: TrackItem? { TrackItem.point(time, position) }
    }
}
