import Base
import Geo
import HabitModel

/// An entry of an input, before the rules of the store are applied.
enum ImportEntry {
    /// A habit. It precedes the events that refer to it by its key.
    case habit(ImportedHabit)
    case event(ImportedEvent)
    case post(ImportedPost)
    /// An entry that is not a record of Habitat.
    case skipped(SkippedEntry)
    /// An entry that is damaged.
    case rejected(RejectedEntry)
    /// A value that cannot be read, of an entry that is sent without it.
    case unreadable(UnreadableValue)
    /// A message for the user about the input.
    case notice(ImportNotice)

    /// Creates an entry that is not a record of Habitat.
    static func skipped(
        _ kind: RecordKind,
        _ reason: SkipReason,
        note: String? = nil,
        source: SourceLocation = SourceLocation()
    ) -> ImportEntry {
        .skipped(SkippedEntry(kind, reason, note: note, source: source))
    }

    /// Creates an entry that is damaged.
    static func rejected(
        _ kind: RecordKind,
        _ error: HabitError,
        original: String,
        source: SourceLocation = SourceLocation()
    ) -> ImportEntry {
        .rejected(RejectedEntry(kind, error, original: original, source: source))
    }
}

/// A habit of another application.
struct ImportedHabit {
    /// The identifier by which events of the same input refer to the habit.
    var key: String
    /// The ID if it is globally unique in the source, otherwise `nil`.
    var id: String?
    var title: String
    /// The reason.
    ///
    /// `.absent` if the format has no reasons.
    var reason = FieldInput<String>.absent
    var schedule = ImportedSchedule.everyDay
    /// The first day, or `nil` to use the day of the first event.
    var start: Day?
    /// The last day.
    var end: Day?
    /// Whether the habit has ended with its last event.
    ///
    /// Such a habit without events is skipped.
    var isArchived = false
    var targetAmount = FieldInput<Double>.absent
    var unit = FieldInput<String>.absent
    /// Whether a stored habit with the same ID keeps its schedule, reason and start.
    var keepsStored = false
    /// Whether the title can name a stored habit, by its ID or its complete title, which the import then does not change.
    var canNameStored = false

    /// Creates a habit for every day whose key is its title.
    init(title: String) {
        self.title = title
        key = title
    }

    /// Creates a habit for every day.
    init(key: String, title: String) {
        self.key = key
        self.title = title
    }
}

/// The schedule of a habit of another application.
enum ImportedSchedule: Equatable {
    /// The weekdays as a bit mask, 1...127. Bit 0 is Monday.
    case weekdays(Int)
    /// A number of completions in a number of days.
    case target(times: Int, periodDays: Int)

    static let everyDay = ImportedSchedule.weekdays(127)

    /// Returns the schedule for `times` completions in `periodDays` days, which is every day if each day needs one.
    static func times(_ times: Int, in periodDays: Int) -> ImportedSchedule {
        times >= periodDays || times < 1 ? .everyDay : .target(times: times, periodDays: periodDays)
    }
}

/// The habit of an event.
enum HabitReference {
    /// The habit of the same input with this key.
    case key(String)
    /// A habit that exists only because of its events.
    indirect case implied(ImportedHabit)
    /// A stored habit with this ID or title, or a new habit if the options allow it.
    case stored(String)
}

/// The outcome of an entry of a habit.
enum ImportedOutcome: Equatable {
    case done, skipped
    /// The entry is not an event.
    case none(SkipReason)
}

/// An entry of a habit of another application.
struct ImportedEvent {
    /// The ID if it is globally unique in the source, otherwise `nil`.
    var id: String?
    /// The ID if it is unique only in the files of one user, otherwise `nil`.
    var localID: String?
    var habit: HabitReference
    var time: ImportTime
    var outcome = ImportedOutcome.done
    /// The amount.
    ///
    /// `.absent` if the format has no amounts, `.null` if the entry has no amount.
    var amount = FieldInput<Double>.absent
    /// The comment.
    ///
    /// `.absent` if the format has no comments.
    var comment = FieldInput<String>.absent
    var position: Position?
    /// The photo of the event.
    var photo: ImportedPhoto?
    var source = SourceLocation()

    init(habit: HabitReference, _ time: ImportTime) {
        self.habit = habit
        self.time = time
    }
}

/// A visit, a check-in, a place or a photo of another application.
struct ImportedPost {
    /// The ID if it is globally unique in the source, otherwise `nil`.
    var id: String?
    /// The ID if it is unique only in the files of one user, otherwise `nil`.
    var localID: String?
    /// The time.
    ///
    /// A post without an instant is skipped (`no-time`).
    var time: ImportTime?
    var caption = ""
    var position: Position?
    var photo: ImportedPhoto?
    var source = SourceLocation()
}

/// The file of a photo.
final class ImportedPhoto {
    /// Reads the bytes of the file.
    ///
    /// Each call may read the file again.
    let bytes: () throws -> [UInt8]
    /// Whether the bytes identify a post, instead of its instant, position and caption.
    let identifiesPost: Bool

    init(bytes: @escaping () throws -> [UInt8], identifiesPost: Bool = false) {
        self.bytes = bytes
        self.identifiesPost = identifiesPost
    }
}

/// The location of an entry in its input.
struct SourceLocation {
    /// The name of the file, or `nil` for the name of the input.
    var file: String?
    // Small numbers, because each event of an import has a location.
    private var storedLine: Int32
    private var storedEntry: Int32

    init(file: String? = nil, line: Int? = nil, entry: Int? = nil) {
        self.file = file
        storedLine = Int32(clamping: line ?? 0)
        storedEntry = Int32(clamping: entry ?? 0)
    }

    /// The line (from 1), or `nil` if the format has no lines.
    var line: Int? {
        get { storedLine == 0 ? nil : Int(storedLine) }
        set { storedLine = Int32(clamping: newValue ?? 0) }
    }

    /// The number (from 1) of the entry in its JSON array, whose entries may all be on one line.
    var entry: Int? {
        get { storedEntry == 0 ? nil : Int(storedEntry) }
        set { storedEntry = Int32(clamping: newValue ?? 0) }
    }
}

/// The reason why an entry is not a record of Habitat.
///
/// The raw value appears in the summary.
public enum SkipReason: String, Sendable, CaseIterable, Comparable {
    case notDone = "not-done"
    case automatic
    case unknown
    case valueInvalid = "value-invalid"
    case duplicate
    case merged
    case noTime = "no-time"
    case noPlace = "no-place"
    case noHabit = "no-habit"
    case noDay = "no-day"
    case trackPoint = "track-point"
    case track
    case route
    case path
    case activity
    case memory
    case nestedVisit = "nested-visit"
    case notALocation = "not-a-location"
    case notAPlace = "not-a-place"
    case suggested
    case declined
    case deleted
    case archivedEmpty = "archived-empty"

    /// Compares the words.
    public static func < (a: SkipReason, b: SkipReason) -> Bool { a.rawValue < b.rawValue }
}

/// An entry that is not a record of Habitat.
struct SkippedEntry {
    /// The kind of record that the entry would be: events, posts or habits.
    var kind: RecordKind
    var reason: SkipReason
    /// The note of the entry, which the file of rejected entries keeps.
    var note: String?
    var source = SourceLocation()

    init(
        _ kind: RecordKind,
        _ reason: SkipReason,
        note: String? = nil,
        source: SourceLocation = SourceLocation()
    ) {
        self.kind = kind
        self.reason = reason
        self.note = note
        self.source = source
    }
}

/// An entry that is damaged.
struct RejectedEntry {
    /// The kind of record that the entry would be: events, posts or habits.
    var kind: RecordKind
    var error: HabitError
    /// The text of the entry.
    var original: String
    var source = SourceLocation()
    /// The post as far as it could be read, which the file of rejected entries keeps.
    var post: ImportedPost?
    /// The values of an event that could be read, which the file of rejected entries keeps.
    var values: [Field: RawValue] = [:]
    /// The time of an event, if it could be read.
    var time: ImportTime?
    /// The key of the habit of an event, or `nil` if the entry has no known habit.
    var habit: String?

    /// Returns the entry with the key of its habit, whose title messages contain.
    func of(habit key: String) -> RejectedEntry {
        var entry = self
        entry.habit = key
        return entry
    }

    /// Creates the entry of a post of which only some values could be read.
    init(_ post: ImportedPost, _ error: HabitError, original: String = "") {
        self.init(.posts, error, original: original, source: post.source)
        self.post = post
    }

    init(
        _ kind: RecordKind,
        _ error: HabitError,
        original: String = "",
        source: SourceLocation = SourceLocation()
    ) {
        self.kind = kind
        self.error = error
        self.original = original
        self.source = source
    }
}

/// A message for the user, with the words of the front end for its remedies.
public struct ImportNotice: Sendable, Equatable {
    /// The message, without names of options and commands.
    public var message: String
    /// Alternative remedies.
    public var remedies: [Remedy]

    /// Creates a notice.
    public init(_ message: String, _ remedies: Remedy...) {
        self.message = message
        self.remedies = remedies
    }
}

extension ImportNotice {
    /// The notice for a habit that is never due in its source.
    static func neverDue(_ title: String) -> ImportNotice {
        ImportNotice(
            "The habit '\(title.excerpt)' is never due in its source, but every day in the store: change its days.")
    }
}

extension FieldInput<String> {
    /// Creates the input for the text of a format that has the field: null for a blank text.
    init(text: String?) {
        let text = text?.trimmed ?? ""
        self = text.isEmpty ? .null : .value(text)
    }
}

extension FieldInput {
    /// Creates the input for the value of a format that has the field: null if the value is missing.
    init(_ value: Value?) {
        if let value {
            self = .value(value)
        } else {
            self = .null
        }
    }
}
