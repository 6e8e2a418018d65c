import ArgumentParser
import Base
import HabitModel
import HabitStore

/// The fields of an account, except its time zone, which is the common option `--time-zone`.
struct UserFields: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Display name; empty clears it.", valueName: "text"),
        completion: .anyText)
    var name: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "E-mail address, visible only to the user and the operator; empty clears it.", valueName: "address"),
        completion: .anyText)
    var email: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Whether new events, items and posts of the user may have a position.", valueName: "yes|no"),
        completion: .list(["yes", "no"]))
    var shareLocation: String?

    func draft(_ common: CommonOptions) throws -> UserDraft {
        var draft = UserDraft()
        draft.name = FieldInput(option: name)
        draft.email = FieldInput(option: email)
        draft.timeZone = FieldInput(option: common.timeZone)
        if let text = shareLocation?.lowercased() {
            guard let sharesLocation = Bool(word: text) else {
                throw HabitError(
                    .parameterInvalid, "'\(text)' is not a value of --share-location: use yes or no",
                    field: "share-location")
            }
            draft.sharesLocation = .value(sharesLocation)
        }
        return draft
    }
}
