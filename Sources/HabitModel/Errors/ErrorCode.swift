/// Everything that can go wrong, as one closed list.
///
/// The raw value is the slug that programs see in `error[slug]: …`, in rejections and over HTTP; it never changes.
public enum ErrorCode: String, Sendable, CaseIterable, Equatable {
    case `internal` = "internal"

    // Usage: the arguments have no valid meaning.
    case usage = "usage"
    case dateInvalid = "date-invalid"
    case positionInvalid = "position-invalid"
    case distanceInvalid = "distance-invalid"
    case searchTextEmpty = "search-text-empty"
    case confirmRequired = "confirm-required"
    case formatNotAvailable = "format-not-available"
    case parameterMissing = "parameter-missing"
    case parameterInvalid = "parameter-invalid"

    // The data is invalid.
    case titleEmpty = "title-empty"
    case titleTooLong = "title-too-long"
    case reasonTooLong = "reason-too-long"
    case scheduleEmpty = "schedule-empty"
    case scheduleInvalid = "schedule-invalid"
    case eventNotDue = "event-not-due"
    case dayInFuture = "day-in-future"
    case dayInvalid = "day-invalid"
    case dayMismatch = "day-mismatch"
    case instantInvalid = "instant-invalid"
    case commentTooLong = "comment-too-long"
    case photoTooLarge = "photo-too-large"
    case photoInvalid = "photo-invalid"
    case pictureInvalid = "picture-invalid"
    case itemNameInvalid = "item-name-invalid"
    case itemDescriptionInvalid = "item-description-invalid"
    case messageWordNotAllowed = "message-word-not-allowed"
    case messageEmpty = "message-empty"
    case messageTooLong = "message-too-long"
    case captionTooLong = "caption-too-long"
    case selfFollow = "self-follow"
    case ownItem = "own-item"
    case fieldMissing = "field-missing"
    case fieldInvalid = "field-invalid"
    case idInvalid = "id-invalid"
    case textInvalid = "text-invalid"
    case timeZoneInvalid = "time-zone-invalid"
    case nullIsland = "null-island"
    case duplicateKey = "duplicate-key"
    case rowsRejected = "rows-rejected"
    case tooManyRejects = "too-many-rejects"
    case headerInvalid = "header-invalid"
    case rowInvalid = "row-invalid"
    case encodingInvalid = "encoding-invalid"
    case gzipTruncated = "gzip-truncated"
    case recordTooLong = "record-too-long"
    case unknownReference = "unknown-reference"
    case storeNotHabitat = "store-not-habitat"
    case storeDamaged = "store-damaged"
    case reportInvalid = "report-invalid"

    // Not found, or gone.
    case notFound = "not-found"
    case inputNotFound = "input-not-found"
    case postDeleted = "post-deleted"

    // Unavailable.
    case locationUnavailable = "location-unavailable"
    case storeUnavailable = "store-unavailable"
    case timeout = "timeout"

    // Output cannot be created.
    case outputNotWritable = "output-not-writable"
    case outputExists = "output-exists"
    case noSpace = "no-space"
    case storeReadOnly = "store-read-only"

    // Reading or writing failed half-way.
    case inputUnreadable = "input-unreadable"
    case downloadFailed = "download-failed"
    case writeFailed = "write-failed"

    case busy = "busy"

    // Conflicts.
    case eventExists = "event-exists"
    case userExists = "user-exists"
    case alreadyFollowing = "already-following"
    case alreadyRequested = "already-requested"
    case itemAlreadyClaimed = "item-already-claimed"
    case itemUnavailable = "item-unavailable"
    case itemStateConflict = "item-state-conflict"

    // Forbidden.
    case notYours = "not-yours"
    case operatorOnly = "operator-only"
    case notSignedIn = "not-signed-in"
    case messageNotPermitted = "message-not-permitted"
    case locationNotPermitted = "location-not-permitted"

    public var slug: String { rawValue }

    /// The exit status of a command that ends with this error: the numbers of BSD's sysexits, 0 excepted.
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
            .unknownReference, .storeNotHabitat, .storeDamaged, .reportInvalid:
            65
        case .notFound, .inputNotFound, .postDeleted: 66
        case .locationUnavailable, .storeUnavailable, .timeout: 69
        case .outputNotWritable, .outputExists, .noSpace, .storeReadOnly: 73
        case .inputUnreadable, .downloadFailed, .writeFailed: 74
        case .busy: 75
        case .eventExists, .userExists, .alreadyFollowing, .alreadyRequested, .itemAlreadyClaimed,
            .itemUnavailable, .itemStateConflict:
            76
        case .notYours, .operatorOnly, .notSignedIn, .messageNotPermitted, .locationNotPermitted: 77
        }
    }
}
