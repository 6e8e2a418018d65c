extension PageText {
    /// The texts of the pages about the properties of records.
    enum Schema {
        static let fields = "Fields"
        static let fieldsAbout =
            "The fields that a record of this list can have. A program that sends a record uses the same names."
        static let conditions = "Conditions"
        static let conditionsAbout =
            "The fields that a condition can compare. A program sends the condition with the parameter filter of the list."

        static func fieldsTitle(of collection: String) -> String {
            "\(collection): fields"
        }

        static func conditionsTitle(of collection: String) -> String {
            "\(collection): conditions"
        }

        static func list(_ collection: String) -> String {
            "The list: \(collection)"
        }

        // MARK: Kinds of values

        static let text = "Text."
        static let integer = "Whole number."
        static let number = "Number."
        static let boolean = "Yes or no."
        static let date = "Date."
        static let instant = "Date and time."
        static let address = "Web address."
        static let point = "Position on the map."
        static let file = "File in Base64."

        // MARK: Remarks

        static let required = "Every record has it."
        static let readOnly = "Only the server sets it."
        static let writeOnly = "Only in records that a program sends."

        static func values(_ list: String) -> String {
            "One of: \(list)."
        }

        static func minimum(_ number: Int) -> String {
            "At least \(number)."
        }
    }
}
