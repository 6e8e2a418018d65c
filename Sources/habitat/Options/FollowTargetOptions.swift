import ArgumentParser
import HabitStore

/// The other user of a follow, and the options for showing the changed follow.
struct FollowTargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("ID or name of the other user.", valueName: "user"), completion: .followTarget)
    var user: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    /// Changes the follow in which the acting user follows the other user, and shows it.
    func followed(as line: Confirmation.Line, action body: (FollowActions, String) throws -> Void) throws {
        try common.performAndShow(output, as: line) { actingUser in
            let user = try actingUser.names.userID(user)
            try body(FollowActions(actingUser), user)
            return FollowQuery.one(actingUser.id, user)
        }
    }

    /// Changes the follow in which the other user follows the acting user, and shows it.
    func following(as line: Confirmation.Line, action body: (FollowActions, String) throws -> Void) throws {
        try common.performAndShow(output, as: line) { actingUser in
            let user = try actingUser.names.userID(user)
            try body(FollowActions(actingUser), user)
            return FollowQuery.one(user, actingUser.id)
        }
    }
}
