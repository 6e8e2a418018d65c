import Base
import HabitModel

extension HabitError {
    /// The error and its remedies as a text that uses the names of members, parameters and resources.
    var clientText: String { text(\.clientWords) }
}

extension Remedy {
    /// The remedy as an instruction to a client; `nil` if the server has no such input or operation.
    var clientWords: String? {
        switch self {
        case .advice(let words): words
        case .give(let input): input.instruction
        case .giveParameter(let name, let isPosition):
            "add the parameter '\(name)'" + (isPosition ? " as LONGITUDE,LATITUDE" : "")
        case .chooseParameter(let names, let nearest):
            (nearest.map { "did you mean '\($0)'? " } ?? "") + "the parameters are \(names.joined(separator: ", "))"
        // The server accepts no SQL.
        case .giveSQLParameter, .omitSQLParameter: nil
        case .omit(.keepEXIF): "omit 'keep-exif'"
        case .omit(.weekdays): "omit 'days'"
        case .omit(.target): "omit 'times' and 'period_days'"
        case .omit: nil
        case .list(let listing): listing.path.map { "see \($0)" }
        case .take(let step): step.instruction
        case .writePosition(let isReversed):
            "write LONGITUDE,LATITUDE in degrees, such as -9.1393,38.7223"
                + (isReversed ? " (the longitude comes first)" : "")
        case .signIn: "send the token of a user"
        case .actAsNamedUser: "send the token of that user"
        case .actAsOperator: "send the token of an operator"
        }
    }
}

extension Remedy.Input {
    fileprivate var instruction: String? {
        switch self {
        case .photo: "send it as base64 in 'photo'"
        case .shrinkPhoto: "send it with 'shrink=true' in a POST of the record or in a PUT to its /photo"
        case .keepEXIF: "keep its EXIF data with 'keep-exif=true'"
        case .recipient: "name the recipient in 'recipient'"
        case .share: "change what the follower sees with 'share': 'all' or 'latest'"
        case .weekdays: "name at least one weekday (mon,wed,fri) in 'days'"
        case .target: "give a target (3 times in 7 days) in 'times' and 'period_days'"
        case .times: "add the number of completions in 'times'"
        case .periodDays: "add the days of the period in 'period_days'"
        // Options of the command line that the HTTP API does not have.
        case .kind, .strict, .strictColumns, .allowEmpty, .conflictPolicy, .store, .analystStore, .reports,
            .output, .force, .wait, .timeout, .user, .format, .encoding, .delimiter, .decimal, .dateFormat, .timeZone,
            .column, .outcomeWord, .placesFrom, .tracks, .createHabits, .limitUnpacked:
            nil
        }
    }
}

extension Remedy.Listing {
    fileprivate var path: String? {
        switch self {
        case .habits: "/collections/habits/items"
        case .pauses: "/collections/pauses/items"
        case .items: "/collections/items/items"
        case .follows, .followRequests: "/collections/follows/items"
        case .blocks: "/user/blocks"
        case .reports: "/reports"
        case .users: "/collections/users/items"
        case .followedHabits: "/collections/following/items"
        case .tokens, .imports: nil
        }
    }
}

extension Remedy.Step {
    fileprivate var instruction: String? {
        switch self {
        case .editEvent: "PATCH the event"
        case .editHabit: "PATCH the habit"
        case .resumeHabits, .resumeAllHabits: "PATCH 'to' of the pause"
        case .deleteEvent: "DELETE the event to skip the day"
        case .withdrawItem: "set its 'state' to 'withdrawn'"
        case .dropFollower: "DELETE the follow"
        case .decideOnFollow: "set 'status' to 'accepted' or 'rejected'"
        case .moveItem:
            "set 'state' to 'withdrawn' or 'given', or use the collection 'claims' to claim or release the item"
        case .sendMessage: "POST a message to its poster to /collections/messages/items"
        case .shareLocation: "PATCH /user with 'share_location': true"
        // Steps of the operator, and steps that the HTTP API does not offer.
        case .initializeStore, .loadStore, .loadRejects, .importFiles, .addUser, .migrateStore,
            .checkStore, .copyStore, .exportStore, .setUpAnalyst, .showCluster:
            nil
        }
    }
}
