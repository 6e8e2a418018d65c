import Base
import HabitModel
import Photos

/// Photos with the positions and times of their EXIF data: one photo, or a folder or archive with photos.
///
/// The store cannot decode HEIC and AVIF. Such a photo becomes a post without a photo.
struct PhotosImporter: Importer {
    static let format = "photos"
    static let isFallback = true

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
            var values: [UnreadableValue.Kind] = []
            do {
                let bytes = try file.bytes(limit: PhotoFile.sizeLimit)
                let digest = ImportID.digest(of: bytes)
                if digests.insert(digest) {
                    let metadata = try HabitError.ofPhoto { () throws(PhotoError) in try PhotoMetadata(bytes) }
                    let time = PhotoTime(metadata)
                    var post = Self.post(bytes, of: file, digest: digest, metadata, source)
                    post.time = time.value
                    if !metadata.isReadable, post.time != nil { unreadable += 1 }
                    entry = .post(post)
                    values = time.unreadable
                    if metadata.hasUnreadablePosition { values.append(.position) }
                } else {
                    entry = .skipped(SkippedEntry(.posts, .duplicate, source: source))
                }
            } catch let error as HabitError where !error.isOfCompleteInput {
                entry = .rejected(RejectedEntry(.posts, error, original: file.name, source: source))
            }
            try receive(entry)
            for value in values { try receive(.unreadable(UnreadableValue(value, in: file.displayName))) }
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
        var post = ImportedPost()
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
}
