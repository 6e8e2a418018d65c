import Base
import Geo
import HabitModel
import Photos

/// The handling of positions at ``Position/nullIsland``, which is 0, 0.
public enum NullIslandPolicy: String, Sendable, CaseIterable {
    /// Keeps the position. The summary of the load counts it, so that the user gets a warning.
    case keep
    /// Treats the position as null.
    case null
    /// Rejects the record with the error `null-island`.
    case reject

    /// Applies the policy to a position.
    ///
    /// - Parameter position: A position, which may be 0, 0.
    /// - Returns: The position, or `nil` if the policy treats it as null.
    /// - Throws: `null-island` if the policy rejects the position.
    func apply(to position: Position) throws(HabitError) -> Position? {
        guard position == .nullIsland else { return position }
        switch self {
        case .keep: return position
        case .null: return nil
        case .reject:
            throw HabitError(
                .nullIsland, "the position is 0,0, which is usually a sensor error: correct or remove it",
                field: Field.longitude.name)
        }
    }
}

/// A converter from raw records to typed records, which checks every field by the rules of its kind.
struct RecordDecoder {
    var nullIsland = NullIslandPolicy.keep
    /// The store's settings, which contain the maximum lengths of texts and the maximum sizes of photos.
    var settings = Settings()
    /// The number of positions at 0, 0 that were kept.
    private(set) var nullIslandCount = 0
    /// The number of texts whose control characters and line breaks were replaced.
    private(set) var replacedTextCount = 0

    init(nullIsland: NullIslandPolicy) { self.nullIsland = nullIsland }

    /// Returns the typed record, or `nil` if the record means that a habit was not done.
    ///
    /// - Throws: The error of the first field that breaks a rule.
    mutating func decode(_ raw: RawRecord, photos: PhotoSource) throws(HabitError) -> Record? {
        if let problem = raw.problem, !raw.isNotDone { throw problem }
        return switch raw.kind {
        case .settings: .setting(try setting(raw))
        case .users: .user(try user(raw))
        case .habits: .habit(try habit(raw))
        case .schedules: .schedule(try schedule(raw))
        case .pauses: .pause(try pause(raw))
        case .follows: .follow(try follow(raw))
        case .blocks: .block(try block(raw))
        case .events: try event(raw, photos).map { .event($0) }
        case .items: .item(try item(raw, photos))
        case .claims: .claim(try claim(raw))
        case .messages: .message(try message(raw))
        case .reads: .read(try read(raw))
        case .posts: .post(try post(raw, photos))
        }
    }

    private func setting(_ raw: RawRecord) throws(HabitError) -> SettingRecord {
        do throws(HabitError) {
            return try SettingRecord(name: try raw.required(.name), value: try raw.required(.value))
        } catch {
            // The line of a word list is a position in the value, not in the file.
            let location = error.line.map { "line \($0) of the word list: " } ?? ""
            let field = error.field == SettingRecord.wordListName ? Field.value.name : error.field
            throw HabitError(error.code, location + error.message, field: field, parameters: error.parameters)
        }
    }

    private mutating func user(_ raw: RawRecord) throws(HabitError) -> UserRecord {
        var user = UserRecord(id: try raw.id(.id))
        user.name = try line(.name, of: raw).map(\.composed)
        user.email = try raw.token(.email).map { (text: String) throws(HabitError) in try EmailAddress.check(text) }
        user.timeZone = try raw.token(.timeZone)
        user.sharesLocation = try raw.boolean(.shareLocation)
        user.privatePlaces = try raw.privatePlaces()
        return user
    }

    private mutating func habit(_ raw: RawRecord) throws(HabitError) -> HabitRecord {
        var habit = HabitRecord(
            id: try raw.id(.id), user: try raw.id(.user), title: try requiredLine(.title, of: raw),
            schedule: try raw.schedule())
        habit.reason = try limitedLine(.reason, of: raw)
        habit.start = try raw.day(.start)
        habit.end = try raw.day(.end)
        habit.targetAmount = try raw.targetAmount()
        habit.unit = try limitedLine(.unit, of: raw)
        habit.tint = try raw.integer(.tint)
        habit.symbol = try raw.symbol()
        habit.rank = try raw.integer(.rank)
        habit.remindAt = try raw.timeOfDay(.remindAt)
        return habit
    }

    private func schedule(_ raw: RawRecord) throws(HabitError) -> ScheduleRecord {
        guard let from = try raw.day(.from).value else { throw .missing(.from) }
        return ScheduleRecord(habit: try raw.id(.habit), from: from, schedule: try raw.schedule())
    }

    private func pause(_ raw: RawRecord) throws(HabitError) -> PauseRecord {
        let id = try raw.id(.id)
        let user = try raw.id(.user)
        guard let from = try raw.day(.from).value else { throw .missing(.from) }
        var pause = PauseRecord(id: id, user: user, from: from)
        pause.habit = try raw.token(.habit).map { (habit: String) throws(HabitError) in
            try checkID(habit, field: .habit)
        }
        pause.to = try raw.day(.to)
        return pause
    }

    private func follow(_ raw: RawRecord) throws(HabitError) -> FollowRecord {
        var follow = FollowRecord(follower: try raw.id(.follower), followee: try raw.id(.followee))
        follow.status = try raw.choice(.status, FollowStatus.self)
        follow.share = try raw.choice(.share, Share.self)
        follow.requestedAt = try raw.instant(.requestedAt)
        return follow
    }

    private func read(_ raw: RawRecord) throws(HabitError) -> ReadRecord {
        let item = try raw.id(.item)
        let user = try raw.id(.user)
        guard let readAt = try raw.instant(.readAt).value else {
            throw .missing(.readAt)
        }
        return ReadRecord(item: item, user: user, readAt: readAt)
    }

    private func block(_ raw: RawRecord) throws(HabitError) -> BlockRecord {
        var block = BlockRecord(blocker: try raw.id(.blocker), blocked: try raw.id(.blocked))
        block.blockedAt = try raw.instant(.blockedAt)
        return block
    }

    private mutating func event(_ raw: RawRecord, _ photos: PhotoSource) throws(HabitError) -> EventRecord? {
        guard let outcome = try raw.outcome() else { return nil }
        var event = EventRecord(habit: try raw.id(.habit))
        event.id = try raw.optionalID(.id)
        event.user = try raw.optionalID(.user)
        event.day = try raw.day(.day).value
        event.at = try offsetInstant(raw)
        event.outcome = outcome
        event.details = try raw.eventDetails().checked(settings)
        event.details.position = try position(raw)
        event.details.photo = try photo(raw, photos)
        return event
    }

    private mutating func item(_ raw: RawRecord, _ photos: PhotoSource) throws(HabitError) -> ItemRecord {
        var item = ItemRecord(
            id: try raw.id(.id), user: try raw.id(.user), name: try requiredLine(.itemName, of: raw))
        item.description = try raw.limitedText(.itemDescription, settings)
        // In listings, an available item is `expired` after its expiry date. The store has no such state.
        item.state = raw[.state] == .text("expired") ? .value(.available) : try raw.choice(.state, ItemState.self)
        item.postedAt = try raw.instant(.postedAt)
        item.expires = try raw.day(.expires)
        item.position = try position(raw)
        item.photo = try photo(raw, photos)
        return item
    }

    private func claim(_ raw: RawRecord) throws(HabitError) -> ClaimRecord {
        var claim = ClaimRecord(item: try raw.id(.item), user: try raw.id(.user))
        claim.claimedAt = try raw.instant(.claimedAt)
        claim.state = try raw.choice(.state, ClaimState.self)
        return claim
    }

    private func message(_ raw: RawRecord) throws(HabitError) -> MessageRecord {
        var message = MessageRecord(
            item: try raw.id(.item), sender: try raw.id(.sender), recipient: try raw.id(.recipient),
            text: try raw.requiredText(.message, settings))
        message.id = try raw.optionalID(.id)
        message.sentAt = try raw.instant(.sentAt)
        return message
    }

    private mutating func post(_ raw: RawRecord, _ photos: PhotoSource) throws(HabitError) -> PostRecord {
        var post = PostRecord(id: try raw.id(.id), user: try raw.id(.user))
        post.caption = try raw.limitedText(.caption, settings)
        post.postedAt = try raw.instant(.postedAt)
        post.deletedAt = try raw.instant(.deletedAt)
        post.position = try position(raw)
        post.photo = try photo(raw, photos)
        return post
    }

    // MARK: Texts with one line

    /// Returns a text with spaces instead of control characters and line breaks, and counts it if it had any.
    private mutating func line(_ field: Field, of raw: RawRecord) throws(HabitError) -> FieldInput<String> {
        let input = try raw.text(field)
        guard let text = input.value, !text.isSingleLine else { return input }
        replacedTextCount += 1
        return .value(text.singleLine)
    }

    /// Returns a text with one line after checking it against a rule.
    private mutating func limitedLine(
        _ rule: TextRule, of raw: RawRecord
    ) throws(HabitError) -> FieldInput<String> {
        let settings = settings
        return try line(rule.field, of: raw).map { (text: String) throws(HabitError) in
            try rule.check(text, settings)
        }
    }

    /// Returns a required text with one line.
    ///
    /// The rule determines the error for a missing text.
    private mutating func requiredLine(_ rule: TextRule, of raw: RawRecord) throws(HabitError) -> String {
        try rule.check(try line(rule.field, of: raw).value ?? "", settings)
    }

    // MARK: Fields that depend on other fields or options

    /// Returns the instant in `at` with the UTC offset of `at` or `utc_offset`.
    ///
    /// - Throws: `field-invalid` if `at` and `utc_offset` specify different offsets.
    private func offsetInstant(_ raw: RawRecord) throws(HabitError) -> FieldInput<OffsetInstant> {
        let offset = try raw.offset(.utcOffset)
        return try raw.instant(.at).map { (at: OffsetInstant) throws(HabitError) in
            guard let offset else { return at }
            guard at.offset == nil || at.offset == offset else {
                throw raw.invalid(
                    .utcOffset,
                    "is \(offset), but the offset of the instant is \(at.offset ?? .utc): correct one of them")
            }
            return OffsetInstant(at.instant, offset: offset)
        }
    }

    private mutating func position(_ raw: RawRecord) throws(HabitError) -> FieldInput<Position> {
        let position = try raw.position()
        guard let sent = position.value else { return position }
        guard let stored = try nullIsland.apply(to: sent) else { return .null }
        if stored == .nullIsland { nullIslandCount += 1 }
        return position
    }

    private func photo(_ raw: RawRecord, _ photos: PhotoSource) throws(HabitError) -> FieldInput<Photo> {
        let keepsEXIF = try raw.boolean(.keepEXIF).value ?? false
        let limit = settings.photoLimit(of: raw.kind)
        return try raw.token(.photo).map { (text: String) throws(HabitError) in
            do throws(HabitError) {
                return try photos.photo(text, keepingEXIF: keepsEXIF, limit: limit)
            } catch {
                throw raw.kind == .items ? error.ofItem : error
            }
        }
    }
}
