import Geo
import HabitModel
import Photos

/// Photos with the positions and times of their EXIF data: one photo, or a folder or archive with photos.
///
/// The store cannot decode HEIC and AVIF. Such a photo becomes a post without a photo.
struct PhotosImporter: Importer {
    static let format = "photos"
    static let isFallback = true

    /// The offsets of the world's time zones, in minutes.
    ///
    /// A larger difference means that the GPS time is too old.
    private static let offsets: ClosedRange<Int64> = -12 * 60...14 * 60

    static func canRead(_ input: ImportInput) throws -> Bool {
        try input.files.contains { try $0.content.kind == .photo }
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        var digests = RecentHashes()
        var unreadable = 0
        for file in input.files {
            guard try file.content.kind == .photo else { continue }
            let source = SourceLocation(file: file.displayName)
            let entry: ImportEntry
            do {
                let bytes = try file.bytes(limit: PhotoFile.sizeLimit)
                let digest = ImportID.digest(of: bytes)
                if digests.insert(digest) {
                    let metadata = try HabitError.ofPhoto { () throws(PhotoError) in try PhotoMetadata(bytes) }
                    let post = Self.post(bytes, of: file, digest: digest, metadata, source)
                    if !metadata.isReadable, post.time != nil { unreadable += 1 }
                    entry = .post(post)
                } else {
                    entry = .skipped(SkippedEntry(.posts, .duplicate, source: source))
                }
            } catch let error as HabitError where !error.isOfCompleteInput {
                entry = .rejected(RejectedEntry(.posts, error, original: file.name, source: source))
            }
            try receive(entry)
        }
        if unreadable > 0 {
            let text = unreadable == 1 ? "1 photo is in HEIC or AVIF" : "\(unreadable) photos are in HEIC or AVIF"
            try receive(
                .notice(
                    ImportNotice(
                        "\(text), which the store cannot read, so only the times, positions and captions are stored",
                        .advice("convert the photos to JPEG and import the JPEG files instead"))))
        }
    }

    private static func post(
        _ bytes: [UInt8], of file: ImportFile, digest: String, _ metadata: PhotoMetadata, _ source: SourceLocation
    ) -> ImportedPost {
        var post = ImportedPost(time: time(metadata))
        post.caption = metadata.description?.trimmed ?? ""
        post.position = metadata.position
        post.source = source
        if metadata.isReadable {
            // The first call needs no second reading of the file. Later calls read it again, so that an import with
            // many photos does not keep all of them in memory.
            var known: [UInt8]? = bytes
            post.photo = ImportedPhoto(
                bytes: {
                    defer { known = nil }
                    return try known ?? file.bytes(limit: PhotoFile.sizeLimit)
                }, identifiesPost: true)
        } else {
            post.localID = "photo \(digest)"
        }
        return post
    }

    // MARK: Time

    /// Returns the time of a photo, or `nil` if the EXIF data does not contain it.
    static func time(_ metadata: PhotoMetadata) -> ImportTime? {
        let gps = gpsTime(metadata)
        guard let taken = metadata.taken.flatMap({ ImportTime(withHyphens($0)) }) else {
            return gps.map { .instant($0, offset: nil) }
        }
        guard case .local(let day, let microseconds) = taken else {
            if case .date = taken { return gps.map { .instant($0, offset: nil) } }
            return taken
        }
        let local = Instant(microseconds: day.startInUTC.microseconds + microseconds)
        if let text = metadata.offset?.trimmed, let offset = UTCOffset(text) {
            return instant(local, text.uppercased() == "Z" ? nil : offset)
        }
        guard let gps else { return taken }
        // A GPS time is some seconds old.
        let quarters = (Double(local.microseconds - gps.microseconds) / 900_000_000).rounded()
        let minutes = Int64(quarters) * 15
        return offsets.contains(minutes) ? instant(local, UTCOffset(minutes: Int16(minutes))) : taken
    }

    private static func instant(_ local: Instant, _ offset: UTCOffset?) -> ImportTime {
        let minutes = Int64(offset?.minutes ?? 0)
        return .instant(Instant(microseconds: local.microseconds - minutes * 60_000_000), offset: offset)
    }

    /// Returns the UTC time of the GPS position, or `nil` if it is missing or invalid.
    private static func gpsTime(_ metadata: PhotoMetadata) -> Instant? {
        guard let text = metadata.gpsDate, case .date(let day)? = ImportTime(withHyphens(text)),
            let time = metadata.gpsTime, time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]),
            (0..<61).contains(time[2])
        else { return nil }
        let seconds = time[0] * 3600 + time[1] * 60 + time[2]
        // The sum has an error below a nanosecond.
        let microseconds = Int64((seconds * 1e6 + 1e-3).rounded(.down))
        return Instant(microseconds: day.startInUTC.microseconds + microseconds)
    }

    /// Returns a text in which the date has hyphens, such as `2026-05-01 10:15:30`.
    private static func withHyphens(_ text: String) -> String {
        let text = text.trimmed
        return String(text.prefix(10).map { ":/.".contains($0) ? "-" : $0 }) + text.dropFirst(10)
    }
}
