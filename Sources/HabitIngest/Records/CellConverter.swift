import HabitModel

/// A converter of the cells of tables of other programs to the forms that records have.
///
/// A cell that has another form is unchanged, so that the decoder reports it.
struct CellConverter {
    private let values: TableValues
    private let zone: TimeZoneRules?

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - options: The form of the table.
    ///   - delimiter: The delimiter of the table.
    ///   - zone: The time zone of local times, or `nil` to reject local times.
    init(_ options: TableOptions, delimiter: UInt8, zone: TimeZoneRules?) {
        values = TableValues(options, delimiter: delimiter)
        self.zone = zone
    }

    /// Returns the names of the columns after the mapping of the options.
    func header(_ names: [String]) -> [String] {
        let fields = values.options.columns
        return names.map { name in
            fields.first { $0.value.trimmed.folded == name.folded }?.key ?? name
        }
    }

    /// Converts the values of a record.
    func convert(_ record: inout RawRecord) {
        for field in record.kind.fields + record.kind.completionFields {
            guard case .text(let text) = record[field], !text.isEmpty else { continue }
            let converted =
                switch field.form(in: record.kind) {
                case .day: day(text)
                case .instant: instant(text, on: record)
                case .amount, .longitude, .latitude: number(text)
                case .choice: field == .outcome ? outcome(text) : nil
                case .text, .schedule, .count, .offset, .photo, .flag: String?.none
                }
            if let converted { record.replace(.text(converted), for: field) }
        }
    }

    private func day(_ text: String) -> String? {
        guard case .date(let day)? = try? values.day(text.trimmed) else { return nil }
        return day.description
    }

    /// Parses a day that is already converted, or a day of the table.
    private func date(_ text: String) -> Day? {
        if let day = Day(text) { return day }
        guard case .date(let day)? = try? values.day(text) else { return nil }
        return day
    }

    private func number(_ text: String) -> String? {
        guard Double(text) == nil, let number = values.number(text.trimmed) else { return nil }
        return String(number)
    }

    private func outcome(_ text: String) -> String? {
        switch values.outcome(text.trimmed) {
        case .done: "done"
        case .skipped: "skipped"
        case OutcomeWord.none?: "no"
        case nil: nil
        }
    }

    /// Converts an instant, or a time of day on the day of the record.
    private func instant(_ text: String, on record: RawRecord) -> String? {
        if OffsetInstant(text) != nil { return nil }
        var time = try? values.instant(text.trimmed)
        if time == nil, case .text(let day) = record[.day], let date = self.date(day.trimmed) {
            time = try? values.time(text.trimmed, on: date)
        }
        switch time {
        case .local:
            guard let zone else { return nil }
            return (try? time?.resolved(in: zone))?.at?.description
        case .instant, .utc: return (try? time?.resolved(in: zone ?? .utc))?.at?.description
        case .date, nil: return nil
        }
    }
}
