import HabitModel
import HabitStore

enum ItemStates {
    /// Parses one or several states, separated by commas.
    ///
    /// Returns an empty list for `all`.
    ///
    /// - Throws: `parameter-invalid` for an unknown state and for an empty text.
    static func parse(_ text: String) throws -> [ItemQuery.State] {
        if text == "all" { return [] }
        let states = try text.split(separator: ",").map { name in
            guard let state = ItemQuery.State(rawValue: String(name)) else {
                let known = ItemQuery.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw HabitError(
                    .parameterInvalid, "'\(name)' is not an item state: use \(known) or all", field: "state")
            }
            return state
        }
        guard !states.isEmpty else {
            throw HabitError(
                .parameterInvalid, "--state is empty: use a state such as available, or all", field: "state")
        }
        return states
    }
}
