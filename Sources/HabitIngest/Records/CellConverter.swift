import Base
import HabitModel

/// A converter of the cells of tables of other programs to the forms that records have.
///
/// The meaning of columns and cells is the same as in ``CSVImporter``.
struct CellConverter {
    private let values: TableValues
    private let zones: RowZones
    /// The names of the columns after the mapping of the options.
    let header: [String]

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - options: The form of the table.
    ///   - header: The names of the columns in the table.
    ///   - kind: The kind of the records, or `nil` if each row specifies its kind.
    ///   - delimiter: The delimiter of the table.
    ///   - zones: The time zones of local times.
    ///   - file: The name of the table in messages.
    /// - Throws: `header-invalid` if the table lacks a column that the options assign to a field of the kind.
    init(
        _ options: TableOptions, header: [String], kind: RecordKind?, delimiter: UInt8, zones: RowZones, file: String
    ) throws(HabitError) {
        values = TableValues(options, delimiter: delimiter)
        self.zones = zones
        // Rows in a file of rejected rows do not use all columns.
        let isRejects = header.contains { $0.lowercased().hasPrefix("rejected_") }
        if !isRejects {
            try options.checkColumns(of: header, file: file) { field in
                kind.map { Field(spelling: field, in: $0) != nil } ?? true
            }
        }
        self.header = Self.names(of: header, options, kind)
    }

    /// Returns the names of the columns after the mapping of the options, with the aliases of tables.
    private static func names(of header: [String], _ options: TableOptions, _ kind: RecordKind?) -> [String] {
        var names = header.map { name in
            options.columns.first { $0.value.trimmed.folded == name.folded }?.key ?? name
        }
        guard let kind, kind == .events || kind == .posts else { return names }
        func isMapped(_ index: Int) -> Bool { names[index] != header[index] }
        let columns = CSVImporter.Columns(header, options, of: kind)
        for column in CSVImporter.Column.allCases {
            guard let index = columns.index(of: column) else { continue }
            // The column `status` can contain the status of the habit.
            if column == .outcome, header[index].folded == Field.status.name, !isMapped(index) { continue }
            // Each kind has its own name for the instant, and an alias that all kinds have.
            let name = column == .at && kind == .posts ? CSVImporter.Column.time.rawValue : column.rawValue
            if Field(spelling: name, in: kind) != nil { names[index] = name }
        }
        return names
    }

    // MARK: Records

    /// Converts the values of a record.
    ///
    /// A value that has another form is unchanged. The record then contains the first error.
    func convert(_ record: inout RawRecord) {
        for field in record.kind.fields {
            do throws(HabitError) {
                try convert(field, of: &record)
            } catch {
                record.problem = record.problem ?? error
            }
        }
        guard record.kind == .events else { return }
        do throws(HabitError) {
            try convertOutcome(.status, of: &record)
        } catch {
            record.problem = record.problem ?? error
        }
        record.isEmptyOutcomeNotDone = true
    }

    private func convert(_ field: Field, of record: inout RawRecord) throws(HabitError) {
        if field == .outcome { return try convertOutcome(.outcome, of: &record) }
        if field == .latitude { return try convertPosition(of: &record) }
        guard case .text(let cell) = record[field] else { return }
        let text = cell.trimmed
        guard !text.isEmpty else { return }
        switch field.form(in: record.kind) {
        case .day: try convertDay(text, field, of: &record)
        case .instant: try convertInstant(text, field, of: &record)
        case .amount:
            guard let amount = try values.amount(text).value, Double(text) != amount else { return }
            record.replace(.text(String(amount)), for: field)
        default: break
        }
    }

    /// Converts the outcome of an event.
    ///
    /// The reader of the complete column decides about a word of a habit's status.
    private func convertOutcome(_ field: Field, of record: inout RawRecord) throws(HabitError) {
        guard case .text(let word) = record[field] else { return }
        let text = word.trimmed
        guard !text.isEmpty else { return record.replace(.null, for: field) }
        if field == .status, values.outcome(text) == nil, HabitStatus(word: text) != nil { return }
        switch try values.entryOutcome(text, field) {
        case .done: record.replace(.text("done"), for: field)
        case .skipped: record.replace(.text("skipped"), for: field)
        case .none: record.replace(.text("no"), for: field)
        }
    }

    private func convertPosition(of record: inout RawRecord) throws(HabitError) {
        guard case .text(let latitude) = record[.latitude], case .text(let longitude) = record[.longitude],
            let position = try values.position(latitude: latitude.trimmed, longitude: longitude.trimmed)
        else { return }
        record.replace(.number(position.latitude), for: .latitude)
        record.replace(.number(position.longitude), for: .longitude)
    }

    // MARK: Times

    private func convertDay(_ text: String, _ field: Field, of record: inout RawRecord) throws(HabitError) {
        guard Day(text) == nil else { return }
        let time: ImportTime
        do throws(HabitError) {
            time = try values.day(text)
        } catch {
            var error = error
            error.field = field.name
            throw error
        }
        if case .date(let day) = time { return record.replace(.text(day.description), for: field) }
        guard record.kind == .events, field == .day else { throw values.invalidDay(text, field) }
        let resolved = try self.resolved(time, writtenAs: text, in: record)
        record.replace(.text(resolved.day.description), for: field)
        if let at = resolved.at, !record.contains(.at) { record.set(.text(at.description), for: .at) }
    }

    /// Converts an instant, or a time of day on the day of the record.
    private func convertInstant(_ text: String, _ field: Field, of record: inout RawRecord) throws(HabitError) {
        guard OffsetInstant(text) == nil else { return }
        let time: ImportTime
        if ClockTime(text) != nil, let day = day(of: record) {
            time = try values.time(text, on: day)
        } else {
            time = try values.instant(text)
        }
        let resolved = try self.resolved(time, writtenAs: text, in: record)
        if let at = resolved.at { return record.replace(.text(at.description), for: field) }
        guard record.kind == .events else { throw values.invalidInstant(text) }
        record.replace(.null, for: field)
        if !record.contains(.day) { record.set(.text(resolved.day.description), for: .day) }
    }

    /// Returns the day of a record, in the form of the table or already converted.
    private func day(of record: RawRecord) -> Day? {
        guard case .text(let cell) = record[.day] else { return nil }
        if let day = Day(cell.trimmed) { return day }
        guard case .date(let day)? = try? values.day(cell.trimmed) else { return nil }
        return day
    }

    private func resolved(
        _ time: ImportTime, writtenAs text: String, in record: RawRecord
    ) throws(HabitError) -> ImportTime.Resolved {
        if let zone = zones.zone(of: record) { return try time.resolved(in: zone) }
        if case .local = time {
            throw HabitError(
                .instantInvalid, "the time '\(text.excerpt)' has no time zone, and its user is not stored",
                field: Field.at.name, .give(.timeZone))
        }
        return try time.resolved(in: .utc)
    }
}
