import ArgumentParser
import HabitModel
import HabitStore

struct FollowCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Following others: requests, answers and ends.",
        discussion: """
            Who follows somebody sees their habits, events and posts, once they have accepted.

            Examples:
              habitat follow request hana --as alice
              habitat follow accept nuno --as alice --share latest
            """,
        subcommands: [
            FollowList.self, FollowRequest.self, FollowAccept.self, FollowReject.self, FollowRemove.self,
            FollowDrop.self,
        ])
}

struct FollowList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Whom you follow and who follows you, with what is pending or was rejected.",
        discussion: """
            Examples:
              habitat follow list --as alice
              habitat follow list --as alice --status pending --format json
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("pending, accepted or rejected.", valueName: "status"))
    var status: FollowStatus?
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "Nobody: ask somebody with 'habitat follow request USER'.") {
            session, viewer, _ in
            var query = FollowQuery(viewer: viewer)
            query.status = status
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}

/// Somebody else, and how it is shown what the actor and they then are to each other.
struct OtherUser: ParsableArguments {
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

struct FollowRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Ask to follow somebody.",
        discussion: """
            A request that was rejected may be made again.

            Example:
              habitat follow request hana --as alice
            """)

    @OptionGroup var other: OtherUser

    func run() throws { try other.followed { try $0.request($1) } }
}

struct FollowAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Let somebody follow you who has asked.",
        discussion: """
            --share latest grants only the newest event of each habit. Of somebody who follows you already it changes what \
            they see, at once.

            Examples:
              habitat follow accept nuno --as alice
              habitat follow accept bruno --as alice --share latest
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("all or latest (default: all).", valueName: "what"))
    var share: Share?
    @OptionGroup var other: OtherUser

    func run() throws { try other.following { try $0.accept($1, share: share) } }
}

struct FollowReject: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Refuse somebody's request to follow you.",
        discussion: """
            Example:
              habitat follow reject nuno --as alice
            """)

    @OptionGroup var other: OtherUser

    func run() throws { try other.following { try $0.reject($1) } }
}

struct FollowRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following somebody, or take your request back.",
        discussion: """
            Example:
              habitat follow remove bruno --as alice
            """)

    @OptionGroup var other: OtherUser

    func run() throws { try other.followed { try $0.remove($1) } }
}

struct FollowDrop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "End that somebody follows you; they see nothing of yours from then on.",
        discussion: """
            Example:
              habitat follow drop bruno --as alice
            """)

    @OptionGroup var other: OtherUser

    func run() throws { try other.following { try $0.drop($1) } }
}

extension FollowStatus: ExpressibleByArgument {}
extension Share: ExpressibleByArgument {}
