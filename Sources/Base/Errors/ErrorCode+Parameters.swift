extension ErrorCode {
    /// The keys of the parameters that an error with this code can have, in the order of the keys.
    ///
    /// An error in a nightly run has the parameter `report` in addition, whatever its code is.
    public var parameterKeys: [ErrorParameter.Key] {
        switch self {
        case .titleTooLong, .reasonTooLong, .commentTooLong, .itemNameInvalid, .itemDescriptionInvalid,
            .messageTooLong, .captionTooLong, .fieldInvalid, .idInvalid:
            [.length, .limit]
        case .usage: [.bytes, .limit]
        case .photoTooLarge: [.bytes, .limit]
        case .parameterInvalid: [.count, .bytes, .limit]
        case .recordTooLong: [.limit]
        case .rowsRejected: [.count]
        case .tooManyRejects: [.count, .limit]
        case .timeout: [.seconds]
        case .eventNotDue: [.day, .timeZone]
        case .dayInFuture: [.day, .today, .timeZone]
        case .dayMismatch: [.day, .localDay, .timeZone]
        case .eventExists: [.day, .event]
        case .changedSince, .notFound, .dayInvalid: [.day]
        case .messageWordNotAllowed: [.word]
        case .internal, .dateInvalid, .positionInvalid, .distanceInvalid, .searchTextEmpty, .confirmRequired,
            .formatNotAvailable, .parameterMissing, .titleEmpty, .scheduleEmpty, .scheduleInvalid,
            .instantInvalid, .photoInvalid, .pictureInvalid, .messageEmpty, .selfFollow, .ownItem, .fieldMissing,
            .textInvalid, .timeZoneInvalid, .nullIsland, .duplicateKey, .headerInvalid, .rowInvalid,
            .encodingInvalid, .gzipTruncated, .formatNotRecognised, .formatMismatch, .jsonInvalid, .xmlInvalid,
            .lineInvalid, .archiveUnreadable, .versionNotKnown, .outcomeInvalid, .unknownReference,
            .storeNotHabitat, .storeDamaged, .reportInvalid, .inputNotFound, .postDeleted, .locationUnavailable,
            .storeUnavailable, .outputNotWritable, .outputExists, .noSpace, .storeReadOnly, .inputUnreadable,
            .downloadFailed, .writeFailed, .busy, .userExists, .alreadyFollowing, .alreadyRequested,
            .itemAlreadyClaimed, .itemUnavailable, .itemStateConflict, .notYours, .operatorOnly, .notSignedIn,
            .messageNotPermitted, .locationNotPermitted, .configInvalid:
            []
        }
    }
}
