import Base
import Geo
import HabitModel
import StoreEngine

/// Writes the events of habits.
///
/// A habit has one event for each day.
final class EventWriter {
    private let session: any Session
    private let byID: OnDemand<any Statement>
    /// The events of an initial load until their indexes are created, otherwise `nil`.
    private var initialLoad: InitialLoadIndex?
    private let instant: OnDemand<any Statement>
    private let eventsOfHabit: OnDemand<any Statement>
    private let setUnplanned: OnDemand<any Statement>
    private let changed: ChangedRows
    private let table: TableWriter
    private let references: References
    private let photos: PhotoWriter
    private let positions: PositionAudience

    init(_ context: WriteContext) throws {
        session = context.session
        references = context.references
        changed = context.changed
        photos = context.photos
        positions = PositionAudience(.events, in: context.session)
        byID = session.onDemand("SELECT id, user_id FROM event WHERE external_id = :id")
        let ofUser = session.dialect.andUser("user_id", is: ":user")
        eventsOfHabit = session.onDemand("SELECT id, day, unplanned FROM event WHERE habit_id = :habit\(ofUser)")
        setUnplanned = session.onDemand(
            "UPDATE event SET unplanned = :unplanned, version = :version WHERE id = :id\(ofUser)")
        instant = session.onDemand("SELECT occurred_at, utc_offset FROM event WHERE id = :id\(ofUser)")
        table = TableWriter(
            .events,
            columns: EventTable.columns.definitions(),
            naturalKey: ["habit_id", "day", "user_id"],
            context)
        table.audience = { [session, positions] key, columns in
            try Self.audience(ofEvent: key, changing: columns, in: session)
                ?? positions.audience(of: key, changing: columns)
        }
        guard context.isLoad else { return }
        initialLoad = try InitialLoadIndex(session, columns: table.newRowColumns) { [table] keys in
            table.didInsert(keys)
        }
    }

    /// Returns the audience of a change of an event, or `nil` if the stored event determines it after the change.
    ///
    /// If the newest event of a habit gets an earlier day, another event becomes the newest.
    private static func audience(
        ofEvent key: Int64,
        changing columns: Set<String>,
        in session: any Session
    ) throws -> Audience? {
        guard columns.contains("day") else { return nil }
        let sql: SQL = """
            SELECT 1
            FROM event
            WHERE event.id = \(.integer(key), as: "event") AND \(Visibility.newestOfHabit(session.dialect))
            """
        let isNewest = try session.first(sql) { _ in true } ?? false
        return isNewest ? .followers : nil
    }

    /// The estimated number of remaining events.
    var estimatedRemaining: Int {
        get { table.estimatedRemaining }
        set { table.estimatedRemaining = newValue }
    }

    func write(_ record: EventRecord) throws -> WriteOutcome {
        let habit = try references.habit(record.habit)
        if let user = record.user, user != habit.ownerID {
            throw HabitError(
                .fieldInvalid,
                "the habit '\(record.habit)' belongs to another user",
                field: Field.user.name)
        }
        let day = try Self.day(of: record, habit)
        if let initialLoad {
            initialLoad.prefetch(id: record.id, habit: habit.key, day: day)
            let stored = try initialLoad.find(habit: habit.key, day: day)
            return try write(record, of: habit, on: day, stored: stored)
        }
        if try isStoredUnchanged(record, of: habit, on: day) {
            return .unchanged
        }
        switch try writeOver(record, of: habit, on: day) {
        case .written(let outcome):
            return outcome
        case .other(let stored):
            return try write(record, of: habit, on: day, stored: stored)
        case nil:
            return try write(record, of: habit, on: day, stored: nil)
        }
    }

    /// Writes an event after the lookup of the habit's event on the day.
    private func write(
        _ record: EventRecord,
        of habit: References.Habit,
        on day: Day,
        stored: EventKey?
    ) throws -> WriteOutcome {
        let event = try identify(record, of: habit, on: day, stored: stored)
        if let key = event.key {
            try checkInstant(ofEvent: key, record, of: habit, on: day)
        }
        let values = try values(record, of: habit, on: day, id: event.id)
        if let key = event.key {
            return try table.write(values, over: key)
        }
        guard let initialLoad else {
            return try table.insert(values)
        }
        let row = table.row(values)
        try initialLoad.insert(row, id: event.id, habit: habit.key, day: day)
        return .inserted
    }

    /// Whether the row digests show that the store contains the event with the same values.
    ///
    /// The method returns `false` for an event with a photo, because the photo would have to be stored first.
    private func isStoredUnchanged(
        _ record: EventRecord,
        of habit: References.Habit,
        on day: Day
    ) throws -> Bool {
        guard table.hasDigests, record.details.photo.value == nil else {
            return false
        }
        let values = try values(record, of: habit, on: day, id: record.id)
        return table.isUnchanged(values)
    }

    /// The key and the ID of a stored event.
    struct EventKey {
        var key: Int64
        var id: String
    }

    /// The keys of a stored event and of its owner.
    struct EventOwner {
        var key: Int64
        var owner: Int64
    }

    /// The result of a lookup of the habit's event on a day.
    private enum SameDay {
        case written(WriteOutcome)
        /// The stored event has another ID than the record.
        case other(EventKey)
    }

    /// Finds the habit's event on the day and updates it in one lookup, or returns `nil` if there is no event.
    ///
    /// Most records of a repeated load take this path.
    private func writeOver(
        _ record: EventRecord,
        of habit: References.Habit,
        on day: Day
    ) throws -> SameDay? {
        let naturalKey = Self.naturalKey(habit, day)
        return try table.find(naturalKey) { row in
            if let id = record.id {
                let isSame = row.withText(1) { stored in stored.isEqual(to: id) }
                guard isSame == true else {
                    let stored = EventKey(key: row.integer(0), id: row.text(1) ?? "")
                    return .other(stored)
                }
            }
            let values = try values(record, of: habit, on: day, id: record.id)
            let outcome = try table.write(values, over: row)
            return .written(outcome)
        }
    }

    /// Returns the natural key of an event.
    ///
    /// The user, who owns the habit, selects the partition in some engines.
    private static func naturalKey(_ habit: References.Habit, _ day: Day) -> [Value] {
        [.integer(habit.key), .day(day), .integer(habit.ownerKey)]
    }

    /// Prefetches the rows with which the writer compares these records.
    func prefetch(_ records: [EventRecord]) throws {
        let habits = records.map(\.habit)
        try references.prefetch(habits: habits)
        guard initialLoad == nil, session.pipeline != nil else { return }
        var naturalKeys: [[Value]] = []
        var ids: [String?] = []
        for record in records {
            // The write of an invalid record reports its error.
            guard let habit = try references.knownHabit(record.habit),
                let day = try? Self.day(of: record, habit)
            else { continue }
            let id = record.id ?? DerivedID.events(habit: record.habit, day: day).first
            naturalKeys.append(Self.naturalKey(habit, day))
            ids.append(id)
        }
        let exists = try table.prefetch(naturalKeys)
        var others: [[Value]] = []
        for (id, exists) in zip(ids, exists) where !exists {
            if let id {
                others.append([.text(id)])
            }
        }
        try byID.value().pipelined?.prefetch(others)
    }

    private func values(
        _ record: EventRecord,
        of habit: References.Habit,
        on day: Day,
        id: String?
    ) throws -> [Value?] {
        let keys = EventTable.Keys(
            id: id,
            user: habit.ownerKey,
            habit: habit.key,
            day: day,
            isUnplanned: !habit.history.includes(day),
            photo: try photos.column(record.details.photo),
            isPrivate: positions.mark(record.details.position, in: habit.hiddenArea))
        return EventTable.columns.values(of: record, keys)
    }

    /// See ``RecordWriter/flushInserts()``.
    func flushInserts() throws {
        try initialLoad?.write()
        initialLoad = nil
    }

    /// Returns the day of the record or of its instant.
    ///
    /// The day of an instant is the date at its own offset, or in the owner's time zone if it does not have an offset.
    ///
    /// - Throws: `field-missing` if the record has neither a day nor an instant; `day-invalid`; `day-mismatch`.
    private static func day(of record: EventRecord, _ habit: References.Habit) throws -> Day {
        guard let at = record.at.value else {
            if let day = record.day {
                return day
            }
            throw HabitError(
                .fieldMissing,
                "the event has neither a day nor an instant: add one of them",
                field: Field.day.name)
        }
        return try Self.day(record.day, at: at, of: habit)
    }

    /// Returns the day of an event that has an instant.
    ///
    /// - Parameters:
    ///   - day: The day of the record, or `nil` for the date of the instant.
    ///   - at: The instant.
    ///   - habit: The habit of the event, whose owner's time zone applies to an instant without an offset.
    /// - Returns: The day.
    /// - Throws: `day-invalid`; `day-mismatch` if `day` and the date of the instant differ by more than one day.
    private static func day(
        _ day: Day?,
        at: OffsetInstant,
        of habit: References.Habit
    ) throws -> Day {
        let local = at.day(in: habit.zone)
        guard (Day.first...Day.last).contains(local),
            at.isInRange
        else {
            throw HabitError(
                .dayInvalid,
                "the local time of the instant is outside the years 1 to 9999",
                field: Field.at.name)
        }
        guard let day else { return local }
        guard abs(local.distance(to: day)) <= 1 else {
            let offset = at.offset.map { offset in "\(offset)" }
            let zone = offset ?? habit.zone.id
            throw HabitError(
                .dayMismatch,
                "the day \(day) and the local date \(local) of the instant (time zone \(zone)) differ by more than a day",
                field: Field.day.name,
                parameters: [.day(day), .localDay(local), .timeZone(zone)])
        }
        return day
    }

    /// Checks that the record's day matches the stored instant if the record does not specify an instant.
    ///
    /// - Throws: `day-mismatch` if the dates differ by more than one day.
    private func checkInstant(
        ofEvent key: Int64,
        _ record: EventRecord,
        of habit: References.Habit,
        on day: Day
    ) throws {
        guard case .absent = record.at else { return }
        let statement = try instant.value()
        try statement.bind(["id": .integer(key), "user": .integer(habit.ownerKey)])
        let stored = try statement.firstRow { row -> OffsetInstant? in
            guard !row.isNull(0) else { return nil }
            let instant = Instant(microseconds: row.integer(0))
            guard !row.isNull(1) else {
                return OffsetInstant(instant, offset: nil)
            }
            let minutes = Int16(clamping: row.integer(1))
            return OffsetInstant(instant, offset: UTCOffset(minutes: minutes))
        }
        if let stored = stored ?? nil {
            _ = try Self.day(day, at: stored, of: habit)
        }
    }

    /// The key of the stored event, or `nil` for a new event, and the ID of the event.
    private struct Identity {
        var key: Int64?
        var id: String
    }

    /// Finds the stored event of a record, or the ID of a new event.
    ///
    ///
    /// - Parameters:
    ///   - record: The record to write.
    ///   - habit: The habit of the event.
    ///   - day: The day of the event.
    ///   - stored: The habit's event on that day, or `nil`.
    /// - Returns: The key and the ID of the event.
    /// - Throws: `duplicate-key` if the derived IDs belong to other events; `event-exists` if the habit has an event
    ///   with another ID on that day; `field-invalid` if the event belongs to another user.
    private func identify(
        _ record: EventRecord,
        of habit: References.Habit,
        on day: Day,
        stored: EventKey?
    ) throws -> Identity {
        guard let id = record.id else {
            if let stored {
                return Identity(key: stored.key, id: stored.id)
            }
            // An event that was moved to another day has kept its derived ID, so it may have the first candidate.
            for candidate in DerivedID.events(habit: record.habit, day: day) {
                let other = try find(id: candidate)
                if other == nil {
                    return Identity(key: nil, id: candidate)
                }
            }
            throw HabitError(
                .duplicateKey,
                "the derived ids of the event belong to other events: add an id",
                field: Field.id.name)
        }
        if let stored {
            guard stored.id != id else {
                return Identity(key: stored.key, id: id)
            }
            throw HabitError(
                .eventExists,
                "the habit '\(record.habit)' already has another event on \(day): a habit has one event for each day",
                field: Field.day.name,
                parameters: [.day(day), .event(stored.id)])
        }
        let found = try find(id: id)
        if let found, found.owner != habit.ownerKey {
            throw HabitError(
                .fieldInvalid,
                "the event '\(id)' belongs to another user",
                field: Field.user.name)
        }
        return Identity(key: found?.key, id: id)
    }

    /// See ``RecordWriter/isEventOfOther(_:than:)``.
    func isOfOther(_ id: String, than user: String) throws -> Bool {
        // The store has no events before an initial load.
        guard initialLoad == nil, let found = try find(id: id) else {
            return false
        }
        return try found.owner != references.knownUser(user)
    }

    private func find(id: String) throws -> EventOwner? {
        if let initialLoad {
            return try initialLoad.find(id: id)
        }
        let statement = try byID.value()
        try statement.bind([.text(id)])
        return try statement.firstRow { row in
            EventOwner(key: row.integer(0), owner: row.integer(1))
        }
    }

    /// The number of habits whose schedules ``markUnplanned(habits:)`` prefetches.
    private static let habitsAtOnce = 256

    /// Updates the `unplanned` flags of the events of these habits after a change of their schedules.
    func markUnplanned(habits: Set<Int64>) throws {
        let habits = habits.sorted()
        let histories = references.histories
        for (index, habit) in habits.enumerated() {
            if index % Self.habitsAtOnce == 0 {
                let next = habits[index...].prefix(Self.habitsAtOnce)
                try histories.prefetch(next)
            }
            guard let stored = try histories.history(of: habit) else { continue }
            try markUnplanned(habit: habit, of: stored.user, schedule: stored.schedule)
        }
    }

    /// Updates the `unplanned` flags of the events of one habit.
    private func markUnplanned(habit: Int64, of user: Int64, schedule: ScheduleHistory) throws {
        var wrong: [Marking] = []
        let events = try eventsOfHabit.value()
        try events.bind([
            "habit": .integer(habit),
            "user": .integer(user),
        ])
        try events.forEach { row in
            guard let day = row.day(1) else { return true }
            let isUnplanned = !schedule.includes(day)
            let isMarked = row.integer(2) != 0
            if isUnplanned != isMarked {
                let marking = Marking(event: row.integer(0), isUnplanned: isUnplanned)
                wrong.append(marking)
            }
            return true
        }
        for marking in wrong {
            try mark(marking, of: user)
        }
    }

    /// The key of an event and the right value of its flag.
    private struct Marking {
        var event: Int64
        var isUnplanned: Bool
    }

    private func mark(_ marking: Marking, of user: Int64) throws {
        let update = try setUnplanned.value()
        try update.bind([
            "unplanned": .boolean(marking.isUnplanned),
            "version": .integer(RecordVersion.new()),
            "id": .integer(marking.event),
            "user": .integer(user),
        ])
        try update.run()
        changed.of(.events).insert(marking.event)
    }
}
