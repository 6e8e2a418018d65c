import Base
import Geo
import HabitModel
import Photos

/// The check-ins of Foursquare Swarm: the data export with its numbered files and photos, or a single check-in.
struct SwarmImporter: Importer {
    static let format = "swarm"
    static let companions: Set<String> = [PhotosImporter.format]

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else {
            return try numbered("checkins", of: input).contains { file in
                try file.lastName.lowercased() != "checkins.json" || isExport(file)
            }
        }
        guard try file.content.kind == .json, let outline = try file.content.outline else { return false }
        return try outline["type"]?.text == "checkin" || isExport(file)
    }

    /// Whether a JSON document is a file with check-ins of the data export.
    private static func isExport(_ file: ImportFile) throws -> Bool {
        guard try file.content.kind == .json, let outline = try file.content.outline else { return false }
        return outline.isObject && outline["items"]?["type"]?.text == "checkin"
    }

    /// Returns the files `NAME1.json`, `NAME2.json` and so on, in the order of their numbers.
    private static func numbered(_ name: String, of input: ImportInput) -> [ImportFile] {
        func number(_ file: ImportFile) -> Int? {
            let last = file.lastName.lowercased()
            guard last.hasPrefix(name), last.hasSuffix(".json") else { return nil }
            let digits = last.dropFirst(name.count).dropLast(5)
            guard digits.utf8.allSatisfy({ ($0 &- 48) < 10 }) else { return nil }
            return digits.isEmpty ? 0 : Int(digits)
        }
        let files = input.files.enumerated().compactMap { index, file in
            number(file).map { (number: $0, index: index, file: file) }
        }
        return files.sorted { ($0.number, $0.index) < ($1.number, $1.index) }.map(\.file)
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        if let file = input.file { return try read(file, [:], receive) }
        let photos = try photos(of: input, receive)
        for file in Self.numbered("checkins", of: input) { try read(file, photos, receive) }
    }

    private func read(
        _ file: ImportFile, _ photos: [String: ImportFile], _ receive: (ImportEntry) throws -> Void
    ) throws {
        let json = try JSONElements(try file.openText())
        let outline = try file.content.outline
        // A single check-in, or a list of check-ins, has no member with the list.
        let isCheckin = outline?.isArray == true || outline?["type"]?.text == "checkin"
        try json.forEach(at: isCheckin ? [] : ["items"]) { node in
            guard node.isObject else { return }
            let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
            let entry = Self.entry(node, photos, source)
            try receive(entry)
            if entry.isPost, let value = EntryTime.unreadable(offsetMinutes: node["timeZoneOffset"]) {
                try receive(.unreadable(value))
            }
        }
    }

    // MARK: Check-ins

    private static func entry(
        _ node: JSONNode, _ photos: [String: ImportFile], _ source: SourceLocation
    ) -> ImportEntry {
        var post = ImportedPost()
        post.id = node["id"]?.identifier
        let venue = node["venue"]
        post.caption = [node["shout"]?.text, venue?["name"]?.text].compactMap { $0?.trimmed }
            .filter { !$0.isEmpty }.joined(separator: " @ ")
        post.source = source
        do throws(HabitError) {
            post.time = try time(node)
            post.position = try position(node)
            if post.position == nil { post.position = try position(venue?["location"]) }
        } catch {
            post.position = post.position ?? (try? position(node))
            return .rejected(RejectedEntry(post, error))
        }
        if let photo = post.id.flatMap({ photos[$0] }) {
            post.photo = ImportedPhoto { try photo.bytes(limit: PhotoFile.sizeLimit) }
        }
        return .post(post)
    }

    /// Returns the time of a check-in at its own UTC offset, or `nil` if it has no time.
    private static func time(_ node: JSONNode) throws(HabitError) -> ImportTime? {
        guard let created = node["createdAt"], !(created.text?.trimmed.isEmpty ?? false) else { return nil }
        let time =
            created.number.map { ImportTime(unix: $0) } ?? created.text.flatMap { ImportTime($0, isUTC: true) }
        guard let time else {
            throw HabitError(
                .instantInvalid, "'\((created.anyText ?? "").excerpt)' is not a time of Swarm", field: Field.at.name)
        }
        guard let instant = time.instant, let minutes = node["timeZoneOffset"]?.integer,
            (-1439...1439).contains(minutes)
        else { return time }
        return .instant(instant, offset: UTCOffset(minutes: Int16(minutes)))
    }

    /// Returns the position of an object, or `nil` if a coordinate is missing.
    private static func position(_ node: JSONNode?) throws(HabitError) -> Position? {
        if let error = EntryPosition.unreadable(node?["lat"], node?["lng"]) { throw error }
        let latitude = node?["lat"]?.number
        let longitude = node?["lng"]?.number
        guard let north = latitude, let east = longitude else {
            if case .invalid(let error) = EntryPosition.incomplete(latitude: latitude, longitude: longitude) {
                throw error
            }
            return nil
        }
        guard let position = Position(longitude: east, latitude: north) else {
            throw HabitError(
                .positionInvalid, "the position \(north),\(east) is out of range", field: Field.latitude.name)
        }
        return position
    }

    // MARK: Photos

    /// Returns the first photo of each check-in by the ID of the check-in, and reports the number of further photos.
    private func photos(
        of input: ImportInput, _ receive: (ImportEntry) throws -> Void
    ) throws -> [String: ImportFile] {
        var files: [String: ImportFile] = [:]
        for file in input.files {
            let path = file.name.split(separator: "/")
            guard path.count >= 2, path[path.count - 2].lowercased() == "pix" else { continue }
            files[file.lastName] = files[file.lastName] ?? file
        }
        var photos: [String: ImportFile] = [:]
        var others: Set<String> = []
        guard !files.isEmpty else { return photos }
        for list in Self.numbered("photos", of: input) {
            let path = try list.content.outline?.isArray == true ? [] : ["items"]
            try JSONElements(try list.openText()).forEach(at: path) { node in
                guard let id = Self.lastPart(node["relatedItemUrl"]?.text),
                    let name = Self.lastPart(node["suffix"]?.text) ?? Self.lastPart(node["fullUrl"]?.text),
                    let file = files[name]
                else { return }
                if let first = photos[id] {
                    // Venues have photos too, and their IDs have no check-in.
                    if first !== file, node["relatedItemUrl"]?.text?.contains("/checkin/") == true {
                        others.insert(name)
                    }
                } else {
                    photos[id] = file
                }
            }
        }
        if !others.isEmpty {
            let text =
                others.count == 1
                ? "1 further photo of a check-in is" : "\(others.count) further photos of check-ins are"
            try receive(.notice(ImportNotice("\(text) not stored, because a post has one photo.")))
        }
        return photos
    }

    /// Returns the last part of the path of a URL, or `nil` if the path is missing or empty.
    private static func lastPart(_ url: String?) -> String? {
        guard let path = url?.prefix(while: { $0 != "?" && $0 != "#" }) else { return nil }
        return path.split(separator: "/").last.map { $0.trimmed }
    }
}
