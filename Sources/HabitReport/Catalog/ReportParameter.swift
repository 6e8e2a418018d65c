/// What a report can be asked with, as its header declares it.
public struct ReportParameter: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case text, integer, number, boolean, date, instant, distance, position, user, habit
    }

    public enum Need: Sendable, Equatable {
        case required
        /// NULL where it is not given.
        case optional
        /// Read as if this had been given.
        case `default`(String)
    }

    /// As SQL knows it.
    public var name: String
    public var kind: Kind
    /// The texts that it can be; empty: any.
    public var choices: [String] = []
    public var need: Need
    public var meaning: String
    /// Where the header declares it.
    public var line: Int

    static let form = "-- parameter: NAME TYPE required|optional|default VALUE - MEANING"

    /// As it is typed behind `--`.
    public var optionName: String { name.replacing("_", with: "-") }

    /// The parameters of the SQL that it gives values to, without their colon.
    public var sqlNames: [String] { kind == .position ? ["\(name)_longitude", "\(name)_latitude"] : [name] }

    /// What to write for its value, as help shows it.
    public var valueName: String {
        switch kind {
        case .text: choices.isEmpty ? "TEXT" : choices.joined(separator: "|")
        case .integer, .number: "NUMBER"
        case .boolean: "yes|no"
        case .date: "DATE"
        case .instant: "INSTANT"
        case .distance: "DISTANCE"
        case .position: "LATITUDE,LONGITUDE|last"
        case .user: "USER|me"
        case .habit: "HABIT"
        }
    }
}
