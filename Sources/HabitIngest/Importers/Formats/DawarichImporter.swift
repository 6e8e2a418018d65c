import Base
import Geo
import HabitModel

/// The archive of all data of a Dawarich account, with JSON lines in the folders `visits` and `points`.
struct DawarichImporter: TrackImporter {
    static let format = "dawarich"

    /// Maximum length of a line in bytes.
    ///
    /// Points may contain the complete message of a device.
    private static let lineLimit = 16 << 20

    static func canRead(_ input: ImportInput) throws -> Bool { try folder(of: input) != nil }

    /// Returns the path of the folder with the manifest, or `nil` if the input has no manifest of Dawarich.
    private static func folder(of input: ImportInput) throws -> String? {
        guard input.form != .file else { return nil }
        for manifest in input.files(named: "manifest.json") where try isManifest(manifest) {
            let folder = String(manifest.name.dropLast(manifest.lastName.count))
            let outline = try manifest.content.outline
            // Other programs have a manifest with a version too.
            let hasVersion = outline?["dawarich_version"] != nil
            let hasFiles = outline?["files"] != nil
            if hasVersion || hasFiles || hasLines(in: folder, of: input) { return folder }
        }
        return nil
    }

    private static func hasLines(in folder: String, of input: ImportInput) -> Bool {
        input.files.contains { file in file.name.hasPrefix(folder) && file.fileExtension == "jsonl" }
    }

    private static func isManifest(_ file: ImportFile) throws -> Bool {
        guard try file.content.kind == .json else { return false }
        guard let outline = try file.content.outline else { return false }
        return outline.isObject && outline["format_version"] != nil
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        var ends = 0
        try Self.forEachLine(of: input, in: "visits") { node, source in
            let visit = Visit(node, input.options)
            if let reason = visit.skipReason {
                return try receive(.skipped(.posts, reason, note: visit.name, source: source))
            }
            let place = PlaceEntry(
                time: visit.start,
                position: visit.position,
                caption: visit.name,
                source: source)
            let entry = place.entry
            if entry.isPost, case .known = visit.end { ends += 1 }
            try receive(entry)
        }
        if let notice = ImportNotice.visitEnds(ends) { try receive(.notice(notice)) }
    }

    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws {
        try Self.forEachLine(of: input, in: "visits") { node, _ in
            let visit = Visit(node, input.options)
            guard visit.status == .confirmed else { return }
            let start = visit.start.located(in: input.options.timeZone)
            let end = visit.end.located(in: input.options.timeZone)
            if let item = TrackItem.visit(from: start, to: end, visit.position) { try receive(item) }
        }
        try Self.forEachLine(of: input, in: "points") { node, _ in
            let time = EntryTime(node["timestamp"]).located(in: input.options.timeZone)
            let position = Self.position(node, input.options)
            if let item = TrackItem.point(time, position) { try receive(item) }
        }
    }

    /// Calls `body` with the object in each line of the files in a folder, or of the file with the name of the folder.
    ///
    /// - Throws: `json-invalid` with the line if a file is damaged, or the error of `body`.
    private static func forEachLine(
        of input: ImportInput,
        in name: String,
        _ body: (JSONNode, SourceLocation) throws -> Void
    ) throws {
        guard let folder = try folder(of: input) else { return }
        let parser = try JSONLineParser()
        let files = input.files.filter { file in
            let isInFolder = file.name.hasPrefix("\(folder)\(name)/") && file.fileExtension == "jsonl"
            return isInFolder || file.name == "\(folder)\(name).jsonl"
        }
        for file in files {
            try file.forEachLine(limit: lineLimit) { text, number in
                guard !text.allSatisfy(\.isWhitespace) else { return }
                let source = SourceLocation(file: file.displayName, line: number)
                do {
                    try parser.parse(text) { node in try body(node, source) }
                } catch let error as HabitError where error.code == .jsonInvalid && error.file == nil {
                    throw HabitError(
                        .jsonInvalid,
                        "the line is not a JSON object: export or download the archive again",
                        file: file.displayName,
                        line: number)
                }
            }
        }
    }

    /// A visit of an account.
    private struct Visit {
        enum Status: String {
            case suggested, confirmed, declined
        }

        var name: String
        /// The status, or `nil` for an unknown value.
        var status: Status?
        var start: EntryTime
        var end: EntryTime
        var position: EntryPosition

        init(_ node: JSONNode, _ options: ImportOptions) {
            let place = node["place_reference"]
            let ownName = node["name"]?.text?.trimmed ?? ""
            let placeName = place?["name"]?.text?.trimmed ?? ""
            name = ownName.isEmpty ? placeName : ownName
            if let text = node["status"]?.text { status = Status(rawValue: text) }
            start = EntryTime(node["started_at"])
            end = EntryTime(node["ended_at"])
            position = .missing
            if let place { position = DawarichImporter.position(place, options) }
        }

        /// The reason for which the visit is not a post, or `nil` for a post.
        var skipReason: SkipReason? {
            switch status {
            case .confirmed: nil
            case .suggested: .suggested
            case .declined: .declined
            case nil: .unknown
            }
        }
    }

    /// Reads the position of a place or a point, which `lonlat` contains as `POINT(16.3655 48.21)`.
    private static func position(_ node: JSONNode, _ options: ImportOptions) -> EntryPosition {
        let position = EntryPosition(latitude: node["latitude"], longitude: node["longitude"], options)
        return position.or(point(node["lonlat"]?.text ?? "", options))
    }

    private static func point(_ text: String, _ options: ImportOptions) -> EntryPosition {
        let text = text.trimmed
        let isEmpty = text.isEmpty || text.uppercased().hasSuffix("EMPTY")
        guard !isEmpty else { return .missing }
        func invalid() -> EntryPosition { .invalid(XMLValues.positionInvalid(text)) }
        guard let parenthesis = text.firstIndex(of: "(") else { return invalid() }
        let kind = text[..<parenthesis].trimmed.uppercased()
        guard kind.hasSuffix("POINT") else { return invalid() }
        let rest = text[parenthesis...].dropFirst()
        let coordinates = rest.prefix { character in character != ")" }
        let numbers = coordinates.split(separator: " ").map { number in Double(decimal: number) }
        guard numbers.count >= 2 else { return invalid() }
        guard let east = numbers[0], let north = numbers[1] else { return invalid() }
        return EntryPosition(latitude: north, longitude: east, options)
    }
}
