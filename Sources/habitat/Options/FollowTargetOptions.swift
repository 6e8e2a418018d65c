import ArgumentParser
import HabitStore

/// The other user of a follow, and the options for showing the changed follow.
struct FollowTargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("ID or name of the other user.", valueName: "user"))
    var user: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    /// Changes the follow in which the actor follows the other user, and shows it.
    func followed(_ body: (FollowActions, String) throws -> Void) throws {
        try common.performAndShow(output) { actor in
            let user = try actor.names.userID(user)
            try body(FollowActions(actor), user)
            return FollowQuery.one(actor.id, user)
        }
    }

    /// Changes the follow in which the other user follows the actor, and shows it.
    func following(_ body: (FollowActions, String) throws -> Void) throws {
        try common.performAndShow(output) { actor in
            let user = try actor.names.userID(user)
            try body(FollowActions(actor), user)
            return FollowQuery.one(user, actor.id)
        }
    }
}
