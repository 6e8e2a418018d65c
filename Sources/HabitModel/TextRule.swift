/// What a text may be: how long, counted in characters as people see them, and whether it may be blank.
public struct TextRule: Sendable {
    public let field: Field
    /// How long, where the store does not say otherwise.
    public let limit: Int
    /// The setting by which a store changes the limit; nil: none does.
    public let setting: Setting?
    /// What a blank text is refused with; nil: it may be blank.
    public let whenBlank: ErrorCode?
    public let whenTooLong: ErrorCode

    public static let title = TextRule(.title, 20, blank: .titleEmpty, tooLong: .titleTooLong)
    public static let reason = TextRule(.reason, 30, tooLong: .reasonTooLong)
    public static let comment = TextRule(.comment, 20, tooLong: .commentTooLong)
    public static let itemName = TextRule(.name, .itemNameLimit, blank: .itemNameInvalid, tooLong: .itemNameInvalid)
    public static let itemDescription = TextRule(
        .description, .itemDescriptionLimit, tooLong: .itemDescriptionInvalid)
    public static let message = TextRule(.text, .messageLimit, blank: .messageEmpty, tooLong: .messageTooLong)
    public static let caption = TextRule(.caption, .captionLimit, tooLong: .captionTooLong)

    init(_ field: Field, _ limit: Int, blank: ErrorCode? = nil, tooLong: ErrorCode) {
        self.field = field
        self.limit = limit
        setting = nil
        whenBlank = blank
        whenTooLong = tooLong
    }

    init(_ field: Field, _ setting: Setting, blank: ErrorCode? = nil, tooLong: ErrorCode) {
        self.field = field
        limit = setting.standard
        self.setting = setting
        whenBlank = blank
        whenTooLong = tooLong
    }

    /// The text as it is stored, in NFC; `settings` are the store's.
    public func check(_ text: String, _ settings: Settings = Settings()) throws(HabitError) -> String {
        let limit = setting.map { settings[$0] } ?? limit
        let text = text.composed
        if let whenBlank, text.allSatisfy(\.isWhitespace) {
            throw HabitError(whenBlank, "the \(field.name) is missing or blank", field: field.name)
        }
        // Bytes first: no text has more characters than bytes, and counting characters is dear.
        guard text.utf8.count <= limit || text.count <= limit else {
            throw HabitError(
                whenTooLong, "the \(field.name) has \(text.count) characters; at most \(limit) are allowed",
                field: field.name)
        }
        guard !text.utf8.contains(0) else {
            throw HabitError(.textInvalid, "the \(field.name) holds a NUL character", field: field.name)
        }
        return text
    }
}

/// Checks an id: 1 to 64 characters, none of them a control character.
public func checkID(_ text: String, field: Field) throws(HabitError) -> String {
    // Visible ASCII needs no look at Unicode's tables.
    if (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return text }
    let id = text.composed
    guard !id.isEmpty, id.utf8.count <= 64 || id.count <= 64 else {
        throw HabitError(.idInvalid, "an id has 1 to 64 characters, this one \(id.count)", field: field.name)
    }
    guard !id.allSatisfy(\.isWhitespace) else {
        throw HabitError(.idInvalid, "an id is more than blanks", field: field.name)
    }
    guard !id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw HabitError(.idInvalid, "an id holds no control characters", field: field.name)
    }
    return id
}
