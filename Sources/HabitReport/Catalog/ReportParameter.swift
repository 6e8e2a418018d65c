/// A parameter that the header of a report declares.
public struct ReportParameter: Sendable, Equatable {
    /// The type of a parameter.
    public enum Kind: String, Sendable, CaseIterable {
        case text, integer, number, boolean, date, instant, distance, position, area, user, habit
    }

    /// The effect of omitting a parameter.
    public enum Need: Sendable, Equatable {
        /// Omitting the parameter is an error.
        case required
        /// The value of an omitted parameter is NULL.
        case optional
        /// The text is evaluated as if the user had given it.
        case `default`(String)
    }

    /// The name in the SQL, without the colon.
    public var name: String
    /// The type of the value.
    public var kind: Kind
    /// The allowed texts.
    ///
    /// If the array is empty, every text is allowed.
    public var choices: [String] = []
    /// The effect of omitting the parameter.
    public var need: Need
    /// The description in the header.
    public var meaning: String
    /// The line (from 1) of the declaration in the header.
    public var line: Int

    static let form = "-- parameter: NAME TYPE required|optional|default VALUE - MEANING"

    /// The name of the command-line option, without `--`.
    public var optionName: String { name.replacing("_", with: "-") }

    /// The names of the SQL parameters that receive the value, without colons.
    public var sqlNames: [String] { kind == .position ? ["\(name)_longitude", "\(name)_latitude"] : [name] }

    /// The placeholder of the value in help texts.
    public var valueName: String {
        switch kind {
        case .text: choices.isEmpty ? "TEXT" : choices.joined(separator: "|")
        case .integer, .number: "NUMBER"
        case .boolean: "yes|no"
        case .date: "DATE"
        case .instant: "INSTANT"
        case .distance: "DISTANCE"
        case .position: "LATITUDE,LONGITUDE|last"
        case .area: "GEOJSON-FILE"
        case .user: "USER|me"
        case .habit: "HABIT"
        }
    }
}
