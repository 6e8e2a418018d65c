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
            if outline?["dawarich_version"] != nil || outline?["files"] != nil
                || input.files.contains(where: { $0.name.hasPrefix(folder) && $0.fileExtension == "jsonl" })
            {
                return folder
            }
        }
        return nil
    }

    private static func isManifest(_ file: ImportFile) throws -> Bool {
        guard try file.content.kind == .json, let outline = try file.content.outline else { return false }
        return outline.isObject && outline["format_version"] != nil
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        var ends = 0
        try Self.forEachLine(of: input, in: "visits") { node, source in
            let visit = Visit(node, input.options)
            var reason: SkipReason?
            switch visit.status {
            case .confirmed: break
            case .suggested: reason = .suggested
            case .declined: reason = .declined
            case nil: reason = .unknown
            }
            if let reason {
                let note = visit.name
                return try receive(.skipped(SkippedEntry(.posts, reason, note: note, source: source)))
            }
            let entry = PlaceEntry(
                time: visit.start, position: visit.position, caption: visit.name, source: source
            ).entry
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
            if let item = TrackItem.point(time, Self.position(node, input.options)) { try receive(item) }
        }
    }

    /// Calls `body` with the object in each line of the files in a folder, or of the file with the name of the folder.
    ///
    /// - Throws: `json-invalid` with the line if a file is damaged, or the error of `body`.
    private static func forEachLine(
        of input: ImportInput, in name: String, _ body: (JSONNode, SourceLocation) throws -> Void
    ) throws {
        guard let folder = try folder(of: input) else { return }
        let parser = try JSONLineParser()
        for file in input.files
        where file.name.hasPrefix(folder + name + "/") && file.fileExtension == "jsonl"
            || file.name == "\(folder)\(name).jsonl"
        {
            try file.forEachLine(limit: lineLimit) { text, number in
                guard !text.allSatisfy(\.isWhitespace) else { return }
                do {
                    try parser.parse(text) { try body($0, SourceLocation(file: file.displayName, line: number)) }
                } catch let error as HabitError where error.code == .jsonInvalid && error.file == nil {
                    throw HabitError(
                        .jsonInvalid, "the line is not a JSON object: export or download the archive again",
                        file: file.displayName, line: number)
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
            let names = [node["name"]?.text, place?["name"]?.text].map { $0?.trimmed ?? "" }
            name = names.first { !$0.isEmpty } ?? ""
            status = node["status"]?.text.flatMap { Status(rawValue: $0) }
            start = EntryTime(node["started_at"])
            end = EntryTime(node["ended_at"])
            position = place.map { DawarichImporter.position($0, options) } ?? .missing
        }
    }

    /// Reads the position of a place or a point, which `lonlat` contains as `POINT(16.3655 48.21)`.
    private static func position(_ node: JSONNode, _ options: ImportOptions) -> EntryPosition {
        EntryPosition(latitude: node["latitude"], longitude: node["longitude"], options)
            .or(point(node["lonlat"]?.text ?? "", options))
    }

    private static func point(_ text: String, _ options: ImportOptions) -> EntryPosition {
        let text = text.trimmed
        guard !text.isEmpty, !text.uppercased().hasSuffix("EMPTY") else { return .missing }
        guard let start = text.firstIndex(of: "("), text[..<start].trimmed.uppercased().hasSuffix("POINT") else {
            return .invalid(XMLValues.positionInvalid(text))
        }
        let numbers = text[text.index(after: start)...].prefix { $0 != ")" }.split(separator: " ").map {
            Double(decimal: $0)
        }
        guard numbers.count >= 2, let east = numbers[0], let north = numbers[1] else {
            return .invalid(XMLValues.positionInvalid(text))
        }
        return EntryPosition(latitude: north, longitude: east, options)
    }
}
