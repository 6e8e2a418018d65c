import ArgumentParser
import HabitModel
import HabitStore

/// The fields of an account, except its time zone, which is the common option `--time-zone`.
struct UserFields: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("What others call them; empty for none.", valueName: "text"))
    var name: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Seen by themselves and the operator alone.", valueName: "address"))
    var email: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Whether new events, items and posts of theirs may have a place: yes or no.", valueName: "yes|no"))
    var shareLocation: String?

    func draft(_ common: CommonOptions) throws -> UserDraft {
        var draft = UserDraft()
        draft.name = Given(option: name)
        draft.email = Given(option: email)
        draft.timeZone = Given(option: common.timeZone)
        switch shareLocation?.lowercased() {
        case nil: break
        case "yes", "true": draft.sharesLocation = .value(true)
        case "no", "false": draft.sharesLocation = .value(false)
        case let text?:
            throw HabitError(
                .parameterInvalid, "--share-location takes yes or no, not '\(text)'", field: "share-location")
        }
        return draft
    }
}
