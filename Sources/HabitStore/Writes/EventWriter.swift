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

    init(_ context: WriteContext) throws {
        session = context.session
        references = context.references
        changed = context.changed
        photos = context.photos
        byID = session.onDemand("SELECT id, user_id FROM event WHERE external_id = :id")
        let ofUser = session.dialect.andUser("user_id", is: ":user")
        eventsOfHabit = session.onDemand("SELECT id, day, unplanned FROM event WHERE habit_id = :habit\(ofUser)")
        setUnplanned = session.onDemand("UPDATE event SET unplanned = :unplanned WHERE id = :id\(ofUser)")
        instant = session.onDemand("SELECT occurred_at, utc_offset FROM event WHERE id = :id\(ofUser)")
        table = TableWriter(
            .events,
            columns: EventTable.columns.definitions(),
            naturalKey: ["habit_id", "day", "user_id"],
            context)
        guard context.isLoad else { return }
        initialLoad = try InitialLoadIndex(session, columns: table.columnNames) { [table] keys in
            table.didInsert(keys)
        }
    }

    /// The estimated number of remaining events.
    var estimatedRemaining: Int {
        get { table.estimatedRemaining }
        set { table.estimatedRemaining = newValue }
    }

    func write(_ record: EventRecord) throws -> WriteOutcome {
        let habit = try references.habit(record.habit)
        guard record.user.map({ $0 == habit.ownerID }) ?? true else {
            throw HabitError(
                .fieldInvalid, "the habit '\(record.habit)' belongs to another user", field: Field.user.name)
        }
        let day = try Self.day(of: record, habit)
        var onDay: (key: Int64, id: String)?
        if let initialLoad {
            initialLoad.prefetch(id: record.id, habit: habit.key, day: day)
            onDay = try initialLoad.find(habit: habit.key, day: day)
        } else {
            if try isStoredUnchanged(record, of: habit, on: day) { return .unchanged }
            switch try writeOver(record, of: habit, on: day) {
            case nil: break
            case .written(let outcome): return outcome
            case .other(let key, let id): onDay = (key, id)
            }
        }
        let event = try identify(record, of: habit, on: day, stored: onDay)
        if let key = event.key { try checkInstant(ofEvent: key, record, of: habit, on: day) }
        let values = try values(record, of: habit, on: day, id: event.id)
        if let key = event.key { return try table.write(values, over: key) }
        guard let initialLoad else { return try table.insert(values) }
        try initialLoad.insert(table.row(values), id: event.id, habit: habit.key, day: day)
        return .inserted
    }

    /// Whether the row digests show that the store contains the event with the same values.
    ///
    /// The method returns `false` for an event with a photo, because the photo would have to be stored first.
    private func isStoredUnchanged(
        _ record: EventRecord, of habit: References.Habit, on day: Day
    ) throws -> Bool {
        guard table.hasDigests, record.details.photo.value == nil else { return false }
        return table.isUnchanged(try values(record, of: habit, on: day, id: record.id))
    }

    /// The result of a lookup of the habit's event on a day.
    private enum SameDay {
        case written(WriteOutcome)
        /// The stored event has another ID than the record.
        case other(key: Int64, id: String)
    }

    /// Finds the habit's event on the day and updates it in one lookup, or returns `nil` if there is no event.
    ///
    /// Most records of a repeated load take this path.
    private func writeOver(
        _ record: EventRecord, of habit: References.Habit, on day: Day
    ) throws -> SameDay? {
        return try table.find(Self.naturalKey(habit, day)) { row in
            if let id = record.id, row.withText(1, { stored in stored.isEqual(to: id) }) != true {
                return .other(key: row.integer(0), id: row.text(1) ?? "")
            }
            let values = try values(record, of: habit, on: day, id: record.id)
            return .written(try table.write(values, over: row))
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
        try references.prefetch(habits: records.map(\.habit))
        guard initialLoad == nil, session.pipeline != nil else { return }
        var days: [(naturalKey: [Value], id: String?)] = []
        for record in records {
            // The write of an invalid record reports its error.
            guard let habit = try references.knownHabit(record.habit), let day = try? Self.day(of: record, habit)
            else { continue }
            let id = record.id ?? DerivedID.events(habit: record.habit, day: day).first
            days.append((Self.naturalKey(habit, day), id))
        }
        let isThere = try table.prefetch(days.map(\.naturalKey))
        let others = zip(days, isThere).compactMap { day, isThere in isThere ? nil : day.id.map { [Value.text($0)] } }
        try byID.value().pipelined?.prefetch(others)
    }

    private func values(
        _ record: EventRecord, of habit: References.Habit, on day: Day, id: String?
    ) throws -> [Value?] {
        let keys = EventTable.Keys(
            id: id,
            user: habit.ownerKey,
            habit: habit.key,
            day: day,
            isUnplanned: !habit.history.includes(day),
            photo: try photos.column(record.details.photo))
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
            if let day = record.day { return day }
            throw HabitError(
                .fieldMissing, "the event has neither a day nor an instant: add one of them", field: Field.day.name)
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
    private static func day(_ day: Day?, at: OffsetInstant, of habit: References.Habit) throws -> Day {
        let local = at.day(in: habit.zone)
        guard (Day.first...Day.last).contains(local), at.isInRange else {
            throw HabitError(
                .dayInvalid, "the local time of the instant is outside the years 1 to 9999", field: Field.at.name)
        }
        guard let day else { return local }
        guard abs(local.distance(to: day)) <= 1 else {
            let zone = at.offset.map { "\($0)" } ?? habit.zone.id
            throw HabitError(
                .dayMismatch,
                "the day \(day) and the local date \(local) of the instant (time zone \(zone)) differ by more than a day",
                field: Field.day.name, parameters: [.day(day), .localDay(local), .timeZone(zone)])
        }
        return day
    }

    /// Checks that the record's day matches the stored instant if the record does not specify an instant.
    ///
    /// - Throws: `day-mismatch` if the dates differ by more than one day.
    private func checkInstant(
        ofEvent key: Int64, _ record: EventRecord, of habit: References.Habit, on day: Day
    ) throws {
        guard case .absent = record.at else { return }
        let statement = try instant.value()
        try statement.bind(["id": .integer(key), "user": .integer(habit.ownerKey)])
        let stored = try statement.firstRow { row -> OffsetInstant? in
            guard !row.isNull(0) else { return nil }
            return OffsetInstant(
                Instant(microseconds: row.integer(0)),
                offset: row.isNull(1) ? nil : UTCOffset(minutes: Int16(clamping: row.integer(1))))
        }
        if let stored = stored ?? nil { _ = try Self.day(day, at: stored, of: habit) }
    }

    /// Returns the key and the ID of the stored event.
    ///
    /// The key is `nil` for a new event.
    ///
    /// - Parameters:
    ///   - record: The record to write.
    ///   - habit: The habit of the event.
    ///   - day: The day of the event.
    ///   - stored: The habit's event on that day, or `nil`.
    /// - Returns: The key of the stored event, or `nil` for a new event, and the ID of the event.
    /// - Throws: `duplicate-key` if the derived IDs belong to other events; `event-exists` if the habit has an event
    ///   with another ID on that day; `field-invalid` if the event belongs to another user.
    private func identify(
        _ record: EventRecord, of habit: References.Habit, on day: Day, stored: (key: Int64, id: String)?
    ) throws -> (key: Int64?, id: String) {
        guard let id = record.id else {
            if let stored { return stored }
            // An event that was moved to another day has kept its derived ID, so it may have the first candidate.
            for derived in DerivedID.events(habit: record.habit, day: day)
            where try find(id: derived) == nil { return (nil, derived) }
            throw HabitError(
                .duplicateKey, "the derived ids of the event belong to other events: add an id",
                field: Field.id.name)
        }
        if let stored, stored.id == id { return stored }
        guard stored == nil else {
            throw HabitError(
                .eventExists,
                "the habit '\(record.habit)' already has another event on \(day): a habit has one event for each day",
                field: Field.day.name, parameters: [.day(day)])
        }
        let found = try find(id: id)
        guard found.map({ $0.owner == habit.ownerKey }) ?? true else {
            throw HabitError(.fieldInvalid, "the event '\(id)' belongs to another user", field: Field.user.name)
        }
        return (found?.key, id)
    }

    /// See ``RecordWriter/isEventOfOther(_:than:)``.
    func isOfOther(_ id: String, than user: String) throws -> Bool {
        // The store has no events before an initial load.
        guard initialLoad == nil, let found = try find(id: id) else { return false }
        return try found.owner != references.knownUser(user)
    }

    private func find(id: String) throws -> (key: Int64, owner: Int64)? {
        if let initialLoad { return try initialLoad.find(id: id) }
        let statement = try byID.value()
        try statement.bind([.text(id)])
        return try statement.firstRow { row in (row.integer(0), row.integer(1)) }
    }

    /// The number of habits whose schedules ``markUnplanned(habits:)`` prefetches.
    private static let habitsAtOnce = 256

    /// Updates the `unplanned` flags of the events of these habits after a change of their schedules.
    func markUnplanned(habits: Set<Int64>) throws {
        let habits = habits.sorted()
        let histories = references.histories
        for (index, habit) in habits.enumerated() {
            if index % Self.habitsAtOnce == 0 { try histories.prefetch(habits[index...].prefix(Self.habitsAtOnce)) }
            guard let (history, _, user) = try histories.history(of: habit) else { continue }
            try markUnplanned(habit: habit, of: user, history)
        }
    }

    /// Updates the `unplanned` flags of the events of one habit.
    private func markUnplanned(habit: Int64, of user: Int64, _ history: ScheduleHistory) throws {
        var wrong: [(key: Int64, isUnplanned: Bool)] = []
        let events = try eventsOfHabit.value()
        try events.bind(["habit": .integer(habit), "user": .integer(user)])
        try events.forEach { row in
            guard let day = row.day(1) else { return true }
            let isUnplanned = !history.includes(day)
            let isMarked = row.integer(2) != 0
            if isUnplanned != isMarked { wrong.append((row.integer(0), isUnplanned)) }
            return true
        }
        for (key, isUnplanned) in wrong {
            let update = try setUnplanned.value()
            try update.bind(["unplanned": .boolean(isUnplanned), "id": .integer(key), "user": .integer(user)])
            try update.run()
            changed.of(.events).insert(key)
        }
    }
}
