import HabitModel

/// The body of a request that creates a record: the record in JSON, or a form with the record and its photo.
struct RecordUpload: Sendable {
    /// The names of the parts of a form.
    static let parts = ["record", "photo"]

    private(set) var record: [UInt8]
    /// The file of the photo, or `nil` if the body is not a form with a photo.
    private(set) var photo: [UInt8]?

    /// The media types of the part with the record.
    private static let recordTypes = [
        MediaType.json.text, MediaType.geoJSON.text, "text/plain", "application/octet-stream",
    ]

    /// Splits a body.
    ///
    /// - Parameters:
    ///   - body: The complete body.
    ///   - boundary: The boundary of the form, or `nil` if the body is not a form.
    /// - Throws: `row-invalid`, `field-invalid`, `field-missing`.
    init(_ body: [UInt8], boundary: String?) throws(HabitError) {
        record = body
        guard let boundary else { return }
        let form = try MultipartForm(body, boundary: boundary, known: Self.parts)
        guard let part = form.parts[Self.parts[0]] else {
            throw HabitError(
                .fieldMissing, "the form has no part 'record': send the record as JSON in it", field: Self.parts[0])
        }
        guard part.mediaType.map(Self.recordTypes.contains) ?? true else {
            throw HabitError(
                .fieldInvalid, "the part 'record' is not JSON: send a GeoJSON Feature or a JSON object of fields",
                field: Self.parts[0])
        }
        record = Array(part.content)
        // A browser sends an empty part for a file that the user did not choose.
        let content = form.parts[Self.parts[1]]?.content ?? []
        photo = content.isEmpty ? nil : Array(content)
    }
}
