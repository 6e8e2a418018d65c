import Base

/// The constraints on a text field: its maximum length in grapheme clusters, and whether it may be blank or have lines.
public struct TextRule: Sendable {
    /// The field that contains the text.
    public let field: Field
    /// The default of the maximum length, in characters.
    public let limit: Int
    /// The store setting that replaces the default limit, or `nil` if the limit is fixed.
    public let setting: Setting?
    /// The code of the error for a blank text, or `nil` if the text may be blank.
    public let whenBlank: ErrorCode?
    /// The code of the error for a text that is too long.
    public let whenTooLong: ErrorCode
    /// Whether the text has one line and no control characters.
    public let isSingleLine: Bool

    /// The title of a habit, which must not be blank.
    public static let title = TextRule(
        .title, .titleLimit, blank: .titleEmpty, tooLong: .titleTooLong, isSingleLine: true)
    /// The reason for a habit.
    public static let reason = TextRule(.reason, .reasonLimit, tooLong: .reasonTooLong, isSingleLine: true)
    /// The comment of an event.
    public static let comment = TextRule(.comment, .commentLimit, tooLong: .commentTooLong)
    /// The unit of the amounts of a habit: at most 20 characters.
    public static let unit = TextRule(.unit, 20, tooLong: .fieldInvalid, isSingleLine: true)
    /// The name of a user, which must not be blank: at most 100 characters.
    public static let userName = TextRule(
        .name, 100, blank: .fieldInvalid, tooLong: .fieldInvalid, isSingleLine: true)
    /// The name of an item, which must not be blank.
    public static let itemName = TextRule(
        .name, .itemNameLimit, blank: .itemNameInvalid, tooLong: .itemNameInvalid, isSingleLine: true)
    /// The description of an item.
    public static let itemDescription = TextRule(
        .description, .itemDescriptionLimit, tooLong: .itemDescriptionInvalid)
    /// The text of a message, which must not be blank.
    public static let message = TextRule(.text, .messageLimit, blank: .messageEmpty, tooLong: .messageTooLong)
    /// The caption of a post.
    public static let caption = TextRule(.caption, .captionLimit, tooLong: .captionTooLong)

    /// All rules by the name of their text, such as `item_name`.
    public static let byName: [String: TextRule] = [
        "title": title,
        "reason": reason,
        "comment": comment,
        "unit": unit,
        "user_name": userName,
        "item_name": itemName,
        "item_description": itemDescription,
        "message": message,
        "caption": caption,
    ]

    /// Returns the maximum length in a store, in characters.
    public func limit(in settings: Settings) -> Int {
        guard let setting else { return limit }
        return settings[setting]
    }

    /// Creates a rule with a fixed limit.
    init(
        _ field: Field, _ limit: Int, blank: ErrorCode? = nil, tooLong: ErrorCode, isSingleLine: Bool = false
    ) {
        self.field = field
        self.limit = limit
        setting = nil
        whenBlank = blank
        whenTooLong = tooLong
        self.isSingleLine = isSingleLine
    }

    /// Creates a rule with a limit that is a store setting.
    init(
        _ field: Field, _ setting: Setting, blank: ErrorCode? = nil, tooLong: ErrorCode, isSingleLine: Bool = false
    ) {
        self.field = field
        limit = setting.standard
        self.setting = setting
        whenBlank = blank
        whenTooLong = tooLong
        self.isSingleLine = isSingleLine
    }

    /// Checks a text and converts it to NFC.
    ///
    /// - Parameters:
    ///   - text: The text in the input.
    ///   - settings: The settings of the store.
    /// - Returns: The text in NFC, the form in which texts are stored.
    /// - Throws: ``whenBlank``, ``whenTooLong``, or `text-invalid` if the text contains a NUL character, or a
    ///   line break or a control character that ``isSingleLine`` excludes.
    public func check(_ text: String, _ settings: Settings = Settings()) throws(HabitError) -> String {
        let limit = self.limit(in: settings)
        let text = text.composed
        if let whenBlank, text.allSatisfy(\.isWhitespace) {
            throw HabitError(whenBlank, "the \(field.name) is missing or blank: enter a text", field: field.name)
        }
        // A text does not have more characters than bytes. Counting characters is expensive, so the byte count is
        // checked first.
        guard text.utf8.count <= limit || text.count <= limit else {
            throw HabitError(whenTooLong, field, length: text.count, limit: limit)
        }
        if isSingleLine { try text.requireSingleLine(field.name) }
        guard !text.utf8.contains(0) else {
            throw HabitError(.textInvalid, "the \(field.name) contains a NUL character: remove it", field: field.name)
        }
        return text
    }
}

extension HabitError {
    /// Creates the error of a text with more characters than `limit`.
    fileprivate init(_ code: ErrorCode, _ field: Field, length: Int, limit: Int) {
        self.init(
            code, "the \(field.name) has \(length) characters; at most \(limit) are allowed: shorten it",
            field: field.name, parameters: [.length(length), .limit(limit)])
    }
}

extension String {
    /// Whether all characters are letters, digits and signs of ASCII.
    fileprivate var isVisibleASCII: Bool {
        utf8.allSatisfy { byte in (0x21...0x7E).contains(byte) }
    }
}

/// Checks an ID: 1 to 64 characters, not only white space, without control characters and line breaks.
///
/// Converts it to NFC.
///
/// - Parameters:
///   - text: The ID in the input.
///   - field: The field that contains the ID, for the error.
/// - Returns: The ID in NFC.
/// - Throws: `id-invalid`.
public func checkID(_ text: String, field: Field) throws(HabitError) -> String {
    // A fast path for visible ASCII, which needs no Unicode tables.
    if (1...64).contains(text.utf8.count), text.isVisibleASCII { return text }
    let id = text.composed
    guard !id.isEmpty, id.utf8.count <= 64 || id.count <= 64 else {
        throw HabitError(
            .idInvalid, "the id has \(id.count) characters: use 1 to 64", field: field.name,
            parameters: [.length(id.count), .limit(64)])
    }
    guard !id.allSatisfy(\.isWhitespace) else {
        throw HabitError(.idInvalid, "the id is blank: use 1 to 64 characters", field: field.name)
    }
    guard id.isSingleLine else {
        throw HabitError(
            .idInvalid, "the id contains a control character or a line break: remove it", field: field.name)
    }
    return id
}
