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
    var orAbsent: FieldInput { if case .null = self { .absent } else { self } }
}

extension FieldInput<String> {
    var column: StoreEngine.Value? { column { .text($0) } }
}

extension FieldInput<Day> {
    var column: StoreEngine.Value? { column { .day($0) } }
}

extension FieldInput<OffsetInstant> {
    var instantColumn: StoreEngine.Value? { column { .integer($0.instant.microseconds) } }
    var offsetColumn: StoreEngine.Value? { column { .integer($0.offset.map { Int64($0.minutes) }) } }
}
