/// All error codes of the program.
///
/// The raw value is the slug in `error[slug]: …`, in rejections and in HTTP responses. It never changes.
public enum ErrorCode: String, Sendable, CaseIterable, Equatable {
    /// A defect of the program, or a failure without a code of its own.
    case `internal` = "internal"

    // Usage: the arguments are invalid.
    /// The arguments are invalid for a reason without a code of its own.
    case usage = "usage"
    /// A date or an instant in an argument is malformed or out of range.
    case dateInvalid = "date-invalid"
    /// A position or a bounding box is malformed or out of range.
    case positionInvalid = "position-invalid"
    /// A distance is malformed, has no unit or exceeds the maximum.
    case distanceInvalid = "distance-invalid"
    /// A search text is blank.
    case searchTextEmpty = "search-text-empty"
    /// The user did not confirm the command.
    case confirmRequired = "confirm-required"
    /// The requested output format is unknown or not available.
    case formatNotAvailable = "format-not-available"
    /// A parameter of a report or a query has no value.
    case parameterMissing = "parameter-missing"
    /// A parameter, a setting or an entry of a word list is invalid.
    case parameterInvalid = "parameter-invalid"

    // Data: the data is invalid.
    /// The title of a habit is missing or blank.
    case titleEmpty = "title-empty"
    /// The title of a habit is too long.
    case titleTooLong = "title-too-long"
    /// The reason for a habit is too long.
    case reasonTooLong = "reason-too-long"
    /// A schedule has no weekday.
    case scheduleEmpty = "schedule-empty"
    /// A part of a schedule is not a weekday.
    case scheduleInvalid = "schedule-invalid"
    /// The habit is not due on the day of the event.
    case eventNotDue = "event-not-due"
    /// The day of the event is after the user's current date.
    case dayInFuture = "day-in-future"
    /// A day in a record is malformed, out of range, or before the start of its period.
    case dayInvalid = "day-invalid"
    /// The day and the instant of an event differ by more than a day.
    case dayMismatch = "day-mismatch"
    /// An instant in a record is malformed or out of range.
    case instantInvalid = "instant-invalid"
    /// The comment of an event is too long.
    case commentTooLong = "comment-too-long"
    /// A photo has too many bytes.
    case photoTooLarge = "photo-too-large"
    /// A photo is missing, damaged or not of a supported format.
    case photoInvalid = "photo-invalid"
    /// The photo of an item is missing, damaged or not of a supported format.
    case pictureInvalid = "picture-invalid"
    /// The name of an item is blank or too long.
    case itemNameInvalid = "item-name-invalid"
    /// The description of an item is too long.
    case itemDescriptionInvalid = "item-description-invalid"
    /// A message contains a blocked word or phrase.
    case messageWordNotAllowed = "message-word-not-allowed"
    /// A message is blank.
    case messageEmpty = "message-empty"
    /// A message is too long.
    case messageTooLong = "message-too-long"
    /// The caption of a post is too long.
    case captionTooLong = "caption-too-long"
    /// The follower and the followed user are the same.
    case selfFollow = "self-follow"
    /// The claimant is the poster of the item.
    case ownItem = "own-item"
    /// A required field is missing.
    case fieldMissing = "field-missing"
    /// A field is unknown, or its value is invalid.
    case fieldInvalid = "field-invalid"
    /// An ID is blank, too long, contains a control character or a line break, or is not allowed for the user.
    case idInvalid = "id-invalid"
    /// A text contains a NUL character, or a text with one line contains a line break or a control character.
    case textInvalid = "text-invalid"
    /// A text is not the identifier of a time zone.
    case timeZoneInvalid = "time-zone-invalid"
    /// A position is 0,0, and the load rejects this position.
    case nullIsland = "null-island"
    /// A record has the key of another record with different values.
    case duplicateKey = "duplicate-key"
    /// A load rejected rows.
    case rowsRejected = "rows-rejected"
    /// A load rejected more rows than allowed.
    case tooManyRejects = "too-many-rejects"
    /// The header of an input file is invalid or lacks a required column.
    case headerInvalid = "header-invalid"
    /// A row or a JSON document has a syntax error.
    case rowInvalid = "row-invalid"
    /// A text is not UTF-8.
    case encodingInvalid = "encoding-invalid"
    /// A gzip file is truncated.
    case gzipTruncated = "gzip-truncated"
    /// A record in an input file is too long.
    case recordTooLong = "record-too-long"
    /// No importer recognizes the content of an input.
    case formatNotRecognised = "format-not-recognised"
    /// An input does not have the format that the caller specifies.
    case formatMismatch = "format-mismatch"
    /// A text in an input is not valid JSON.
    case jsonInvalid = "json-invalid"
    /// An input is not well-formed XML, or uses a feature of XML that the reader does not support.
    case xmlInvalid = "xml-invalid"
    /// A line of an input does not have the form that its format requires.
    case lineInvalid = "line-invalid"
    /// An archive or a database file is damaged, encrypted or not supported.
    case archiveUnreadable = "archive-unreadable"
    /// A newer version of the other application has written the input.
    case versionNotKnown = "version-not-known"
    /// The outcome of an event is an unknown word.
    case outcomeInvalid = "outcome-invalid"
    /// A record refers to a record that does not exist.
    case unknownReference = "unknown-reference"
    /// The file or database is not a Habitat store, or a newer version has written it.
    case storeNotHabitat = "store-not-habitat"
    /// The store is damaged.
    case storeDamaged = "store-damaged"
    /// A report or an SQL query is invalid.
    case reportInvalid = "report-invalid"

    // Not found: the record or input does not exist, or no longer exists.
    /// The record does not exist, or the user may not see it.
    case notFound = "not-found"
    /// An input file or folder does not exist.
    case inputNotFound = "input-not-found"
    /// The owner has deleted the post.
    case postDeleted = "post-deleted"

    // Unavailable.
    /// A position that is required for the command is not available.
    case locationUnavailable = "location-unavailable"
    /// The store does not exist, cannot be opened, or must be migrated first.
    case storeUnavailable = "store-unavailable"
    /// A query exceeded its time limit or was interrupted.
    case timeout = "timeout"

    // Output cannot be created.
    /// An output file or folder cannot be written.
    case outputNotWritable = "output-not-writable"
    /// An output file or folder already exists.
    case outputExists = "output-exists"
    /// No space is left for the output or the store.
    case noSpace = "no-space"
    /// The store is read-only.
    case storeReadOnly = "store-read-only"

    // A read or write operation failed before its end.
    /// An input file or folder cannot be read.
    case inputUnreadable = "input-unreadable"
    /// A stored photo cannot be read or downloaded.
    case downloadFailed = "download-failed"
    /// Reading or writing a file failed.
    case writeFailed = "write-failed"

    /// Another process is writing to the store.
    case busy = "busy"

    // Conflicts.
    /// The habit already has an event on the day.
    case eventExists = "event-exists"
    /// The event differs from the result of the change to revert.
    case changedSince = "changed-since"
    /// The user ID or the email address belongs to another account.
    case userExists = "user-exists"
    /// The user already follows the other user.
    case alreadyFollowing = "already-following"
    /// The user has already requested to follow the other user.
    case alreadyRequested = "already-requested"
    /// The item already has a claim.
    case itemAlreadyClaimed = "item-already-claimed"
    /// The item is no longer available.
    case itemUnavailable = "item-unavailable"
    /// The state of the item or claim does not allow the change.
    case itemStateConflict = "item-state-conflict"

    // Forbidden.
    /// The record belongs to another user.
    case notYours = "not-yours"
    /// Only the operator can perform the action.
    case operatorOnly = "operator-only"
    /// Only a user can perform the action.
    case notSignedIn = "not-signed-in"
    /// The user may not send a message to the recipient about the item.
    case messageNotPermitted = "message-not-permitted"
    /// The user does not allow stored positions.
    case locationNotPermitted = "location-not-permitted"

    /// The configuration file of the user is invalid or cannot be read.
    case configInvalid = "config-invalid"

    /// The stable identifier of the code in outputs.
    public var slug: String { rawValue }

    /// The exit status of a command that fails with this error: a value of BSD's `sysexits.h`, or 1 for `internal`.
    public var exitStatus: Int32 {
        switch self {
        case .internal: 1
        case .usage, .dateInvalid, .positionInvalid, .distanceInvalid, .searchTextEmpty, .confirmRequired,
            .formatNotAvailable, .parameterMissing, .parameterInvalid:
            64
        case .titleEmpty, .titleTooLong, .reasonTooLong, .scheduleEmpty, .scheduleInvalid, .eventNotDue,
            .dayInFuture, .dayInvalid, .dayMismatch, .instantInvalid, .commentTooLong, .photoTooLarge,
            .photoInvalid, .pictureInvalid, .itemNameInvalid, .itemDescriptionInvalid, .messageWordNotAllowed,
            .messageEmpty, .messageTooLong, .captionTooLong, .selfFollow, .ownItem, .fieldMissing, .fieldInvalid,
            .idInvalid, .textInvalid, .timeZoneInvalid, .nullIsland, .duplicateKey, .rowsRejected,
            .tooManyRejects, .headerInvalid, .rowInvalid, .encodingInvalid, .gzipTruncated, .recordTooLong,
            .formatNotRecognised, .formatMismatch, .jsonInvalid, .xmlInvalid, .lineInvalid, .archiveUnreadable,
            .versionNotKnown, .outcomeInvalid, .unknownReference, .storeNotHabitat, .storeDamaged, .reportInvalid:
            65
        case .notFound, .inputNotFound, .postDeleted: 66
        case .locationUnavailable, .storeUnavailable, .timeout: 69
        case .outputNotWritable, .outputExists, .noSpace, .storeReadOnly: 73
        case .inputUnreadable, .downloadFailed, .writeFailed: 74
        case .busy: 75
        case .eventExists, .changedSince, .userExists, .alreadyFollowing, .alreadyRequested, .itemAlreadyClaimed,
            .itemUnavailable, .itemStateConflict:
            76
        case .notYours, .operatorOnly, .notSignedIn, .messageNotPermitted, .locationNotPermitted: 77
        case .configInvalid: 78
        }
    }
}
