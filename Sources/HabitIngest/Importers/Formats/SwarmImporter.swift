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
            let isNumber = digits.utf8.allSatisfy { byte in byte &- UInt8(ascii: "0") < 10 }
            guard isNumber else { return nil }
            return digits.isEmpty ? 0 : Int(digits)
        }
        var files: [(number: Int, file: ImportFile)] = []
        for file in input.files {
            if let number = number(file) { files.append((number, file)) }
        }
        // The sort is stable.
        files.sort { first, second in first.number < second.number }
        return files.map(\.file)
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        if let file = input.file { return try read(file, photos: [:], receive) }
        let photos = try photos(of: input, receive)
        for file in Self.numbered("checkins", of: input) {
            try read(file, photos: photos, receive)
        }
    }

    private func read(
        _ file: ImportFile,
        photos: [String: ImportFile],
        _ receive: (ImportEntry) throws -> Void
    ) throws {
        let json = try JSONElements(try file.openText())
        let outline = try file.content.outline
        // A single check-in, or a list of check-ins, has no member with the list.
        let isCheckin = outline?.isArray == true || outline?["type"]?.text == "checkin"
        try json.forEach(at: isCheckin ? [] : ["items"]) { node in
            guard node.isObject else { return }
            let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
            let entry = Self.entry(node, photos: photos, source: source)
            try receive(entry)
            guard entry.isPost else { return }
            if let value = EntryTime.unreadable(offsetMinutes: node["timeZoneOffset"]) {
                try receive(.unreadable(value))
            }
        }
    }

    // MARK: Check-ins

    private static func entry(
        _ node: JSONNode,
        photos: [String: ImportFile],
        source: SourceLocation
    ) -> ImportEntry {
        let venue = node["venue"]
        var post = ImportedPost()
        post.id = node["id"]?.identifier
        let shout = node["shout"]?.text
        let venueName = venue?["name"]?.text
        post.caption = caption(shout: shout, venue: venueName)
        post.source = source
        do throws(HabitError) {
            post.time = try time(node)
            post.position = try position(node)
            if post.position == nil { post.position = try position(venue?["location"]) }
        } catch {
            post.position = post.position ?? (try? position(node))
            return .rejected(RejectedEntry(post, error))
        }
        if let id = post.id, let photo = photos[id] {
            post.photo = ImportedPhoto { try photo.bytes(limit: PhotoFile.sizeLimit) }
        }
        return .post(post)
    }

    /// Returns the words of the user and the name of the venue.
    private static func caption(shout: String?, venue: String?) -> String {
        var texts: [String] = []
        for text in [shout, venue] {
            let trimmed = text?.trimmed ?? ""
            if !trimmed.isEmpty { texts.append(trimmed) }
        }
        return texts.joined(separator: " @ ")
    }

    /// Returns the time of a check-in at its own UTC offset, or `nil` if it has no time.
    private static func time(_ node: JSONNode) throws(HabitError) -> ImportTime? {
        guard let created = node["createdAt"] else { return nil }
        let isBlank = created.text?.trimmed.isEmpty ?? false
        if isBlank { return nil }
        guard let time = parsedTime(created) else {
            let text = created.anyText ?? ""
            throw HabitError(
                .instantInvalid,
                "'\(text.excerpt)' is not a time of Swarm",
                field: Field.at.name)
        }
        guard let instant = time.instant else { return time }
        guard let minutes = node["timeZoneOffset"]?.integer else { return time }
        guard (-1439...1439).contains(minutes) else { return time }
        return .instant(instant, offset: UTCOffset(minutes: Int16(minutes)))
    }

    /// Parses seconds since 1970 or a text in UTC, or returns `nil` for any other value.
    private static func parsedTime(_ node: JSONNode) -> ImportTime? {
        if let number = node.number { return ImportTime(unix: number) }
        guard let text = node.text else { return nil }
        return ImportTime(text, isUTC: true)
    }

    /// Returns the position of an object, or `nil` if a coordinate is missing.
    private static func position(_ node: JSONNode?) throws(HabitError) -> Position? {
        if let error = EntryPosition.unreadable(node?["lat"], node?["lng"]) { throw error }
        let latitude = node?["lat"]?.number
        let longitude = node?["lng"]?.number
        guard let latitude, let longitude else {
            let incomplete = EntryPosition.incomplete(latitude: latitude, longitude: longitude)
            if case .invalid(let error) = incomplete { throw error }
            return nil
        }
        guard let position = Position(longitude: longitude, latitude: latitude) else {
            throw HabitError(
                .positionInvalid,
                "the position \(latitude),\(longitude) is out of range",
                field: Field.latitude.name)
        }
        return position
    }

    // MARK: Photos

    /// Returns the first photo of each check-in by the ID of the check-in, and reports the number of further photos.
    private func photos(
        of input: ImportInput,
        _ receive: (ImportEntry) throws -> Void
    ) throws -> [String: ImportFile] {
        var photos: [String: ImportFile] = [:]
        let files = Self.photoFiles(of: input)
        guard !files.isEmpty else { return photos }
        var furtherPhotos: Set<String> = []
        for list in Self.numbered("photos", of: input) {
            let isArray = try list.content.outline?.isArray == true
            let json = try JSONElements(try list.openText())
            try json.forEach(at: isArray ? [] : ["items"]) { node in
                let url = node["relatedItemUrl"]?.text
                guard let id = Self.lastPart(url) else { return }
                guard let name = Self.photoName(node), let file = files[name] else { return }
                guard let first = photos[id] else {
                    photos[id] = file
                    return
                }
                // Venues have photos too, and their IDs have no check-in.
                let isOfCheckin = url?.contains("/checkin/") == true
                if first !== file, isOfCheckin { furtherPhotos.insert(name) }
            }
        }
        if !furtherPhotos.isEmpty {
            try receive(.notice(Self.notice(ofFurtherPhotos: furtherPhotos.count)))
        }
        return photos
    }

    /// Returns the files in the folder `pix` by their names.
    private static func photoFiles(of input: ImportInput) -> [String: ImportFile] {
        var files: [String: ImportFile] = [:]
        for file in input.files {
            let folder = file.name.split(separator: "/").dropLast().last
            guard folder?.lowercased() == "pix" else { continue }
            files[file.lastName] = files[file.lastName] ?? file
        }
        return files
    }

    /// Returns the file name of a photo, or `nil` if the list does not contain it.
    private static func photoName(_ node: JSONNode) -> String? {
        lastPart(node["suffix"]?.text) ?? lastPart(node["fullUrl"]?.text)
    }

    private static func notice(ofFurtherPhotos count: Int) -> ImportNotice {
        let photos = count == 1 ? "1 further photo of a check-in is" : "\(count) further photos of check-ins are"
        return ImportNotice("\(photos) not stored, because a post has one photo.")
    }

    /// Returns the last part of the path of a URL, or `nil` if the path is missing or empty.
    private static func lastPart(_ url: String?) -> String? {
        guard let url else { return nil }
        let path = url.prefix { character in character != "?" && character != "#" }
        return path.split(separator: "/").last?.trimmed
    }
}
