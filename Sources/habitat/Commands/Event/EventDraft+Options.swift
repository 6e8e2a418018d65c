import HabitModel
import HabitStore

extension EventDraft {
    init(day: String?, at: String?, comment: String?, amount: String?, _ options: PhotoOptions) throws {
        self.init()
        self.day = try day.map { try Parse.day($0, field: "day") }
        self.at = try at.map { .value(try Parse.instant($0, field: "at")) } ?? .absent
        details.comment = FieldInput(option: comment)
        details.amount = try FieldInput(amount: amount, named: "amount")
        (details.photo, details.position) = try options.read()
    }
}
