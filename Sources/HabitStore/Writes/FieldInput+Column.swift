import Base
import HabitModel
import StoreEngine

extension FieldInput {
    /// Returns the value for a column, or `nil` if the field is absent.
    func column(_ value: (Value) -> StoreEngine.Value) -> StoreEngine.Value? {
        switch self {
        case .absent: nil
        case .null: .null
        case .value(let given): value(given)
        }
    }

    /// The value for a column that is never null.
    ///
    /// A null value is treated as an absent value.
    var orAbsent: FieldInput {
        if case .null = self { .absent } else { self }
    }
}

extension FieldInput<String> {
    var column: StoreEngine.Value? {
        column { text in .text(text) }
    }
}

extension FieldInput<Int> {
    var column: StoreEngine.Value? {
        column { number in .integer(Int64(number)) }
    }
}

extension FieldInput<Day> {
    var column: StoreEngine.Value? {
        column { day in .day(day) }
    }
}

extension FieldInput<OffsetInstant> {
    var instantColumn: StoreEngine.Value? {
        column { at in .integer(at.instant.microseconds) }
    }

    var offsetColumn: StoreEngine.Value? {
        column { at in
            let minutes = at.offset.map { offset in Int64(offset.minutes) }
            return .integer(minutes)
        }
    }
}
