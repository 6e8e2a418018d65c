import ArgumentParser
import HabitStore

/// Somebody else, and how it is shown what the actor and they then are to each other.
struct FollowTargetOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The other's id.", valueName: "user"))
    var user: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    /// Does something about the actor following them.
    func followed(_ body: (FollowActions, String) throws -> Void) throws {
        try common.act(output) { actor in
            try body(FollowActions(actor), user)
            return FollowQuery.one(actor.id, user)
        }
    }

    /// Does something about them following the actor.
    func following(_ body: (FollowActions, String) throws -> Void) throws {
        try common.act(output) { actor in
            try body(FollowActions(actor), user)
            return FollowQuery.one(user, actor.id)
        }
    }
}
