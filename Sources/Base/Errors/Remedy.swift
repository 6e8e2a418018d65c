/// A way for a user to solve a problem.
///
/// A front end renders it with the names of its options, members and commands.
public enum Remedy: Sendable, Equatable {
    /// Words that are valid in every front end.
    case advice(String)
    /// Supply an input that is missing or has to change.
    case give(Input)
    /// Supply a parameter of a report.
    case giveParameter(String, isPosition: Bool)
    /// Supply one of the parameters of a report.
    ///
    /// `nearest` is the parameter that the user probably meant, or `nil` if no parameter has a similar name.
    case chooseParameter([String], nearest: String?)
    /// Supply the value of an SQL parameter.
    case giveSQLParameter(String)
    /// Omit the value of an SQL parameter.
    case omitSQLParameter(String)
    /// Omit an input.
    case omit(Input)
    /// Look up the existing records or resources.
    case list(Listing)
    /// Perform another operation, before or instead of this one.
    case take(Step)
    /// Write a position in the coordinate order of the front end.
    ///
    /// `isReversed` is `true` if the coordinates would be valid in the reverse order.
    case writePosition(isReversed: Bool)
    /// Act as a user.
    case signIn
    /// Act as the user whom the message names.
    case actAsNamedUser
    /// Act as the operator.
    case actAsOperator

    /// An input of a command or a request.
    public enum Input: Sendable, CaseIterable {
        case photo, shrinkPhoto, keepEXIF, recipient, share
        case kind, strict, strictColumns, allowEmpty, conflictPolicy
        case store, analystStore, reports, output, force, wait, timeout
        case user, format, encoding, delimiter, decimal, dateFormat, timeZone, column, outcomeWord
        case placesFrom, tracks, createHabits, limitUnpacked
        /// The weekdays of a schedule.
        case weekdays
        /// The number of completions and the period of a target.
        case target
        /// The number of completions of a target.
        case times
        /// The length of the period of a target.
        case periodDays
    }

    /// A list of records or other resources.
    public enum Listing: Sendable, CaseIterable {
        case users, habits, pauses, items, follows, blocks, followRequests, followedHabits, tokens, reports, imports
    }

    /// A separate operation.
    public enum Step: Sendable, CaseIterable {
        case editEvent, editHabit, deleteEvent, withdrawItem, dropFollower, sendMessage, shareLocation
        /// End the pause of a habit or of all habits.
        case resumeHabits
        /// End the pause of all habits.
        case resumeAllHabits
        /// Accept or reject the request of a follower.
        case decideOnFollow
        /// Claim, release, give or withdraw the item.
        case moveItem
        case initializeStore, loadStore, loadRejects, importFiles, addUser, migrateStore, checkStore, copyStore
        case exportStore, setUpAnalyst, showCluster
    }

    /// Every remedy once, for tests of the front ends.
    public static let samples: [Remedy] =
        [
            .advice("try again"),
            .giveParameter("near", isPosition: true),
            .chooseParameter(["near", "limit"], nearest: "near"),
            .giveSQLParameter("name"),
            .omitSQLParameter("name"),
            .writePosition(isReversed: false),
            .writePosition(isReversed: true),
            .signIn,
            .actAsNamedUser,
            .actAsOperator,
        ]
        + Input.allCases.flatMap { [.give($0), .omit($0)] }
        + Listing.allCases.map { .list($0) }
        + Step.allCases.map { .take($0) }
}

extension Remedy {
    /// The remedy in words that are valid in every front end and for records in files, or `nil`.
    package var plainWords: String? {
        switch self {
        case .advice(let words): words
        case .give(.weekdays): "name at least one weekday (mon,wed,fri) in 'days'"
        case .give(.target): "give a target (3 times in 7 days) in 'times' and 'period_days'"
        case .give(.times): "add the number of completions in 'times'"
        case .give(.periodDays): "add the days of the period in 'period_days'"
        case .omit(.weekdays): "omit 'days'"
        case .omit(.target): "omit 'times' and 'period_days'"
        default: nil
        }
    }
}

extension HabitError {
    /// Returns the problem and its remedies in the words of a front end.
    ///
    /// - Parameter words: A closure that renders a remedy, or returns `nil` if the front end has no such input or
    ///   operation.
    /// - Returns: The problem and the rendered remedies, or only the problem if no remedy can be rendered.
    public func text(_ words: (Remedy) -> String?) -> String {
        let remedies = remedies.compactMap(words)
        guard !remedies.isEmpty else {
            return message
        }
        let list = remedies.joined(separator: ", or ")
        return "\(message): \(list)"
    }

    /// The problem, with the remedies whose words are valid in every front end and for records in files.
    public var plainText: String { text(\.plainWords) }
}
