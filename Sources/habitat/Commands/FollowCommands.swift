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

struct FollowRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Ask to follow somebody.",
        discussion: """
            A request that was rejected may be made again.

            Example:
              habitat follow request hana --as alice
            """)

    @Argument(help: ArgumentHelp("Whom to follow.", valueName: "user"))
    var user: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.act(output) { actor in
            try FollowActions(actor).request(user)
            return try FollowQuery.one(actor.id, user, viewer: actor.viewer, in: actor.session)
        }
    }
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

    @Argument(help: ArgumentHelp("Who has asked.", valueName: "user"))
    var user: String
    @Option(parsing: .unconditional, help: ArgumentHelp("all or latest (default: all).", valueName: "what"))
    var share: Share?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.act(output) { actor in
            try FollowActions(actor).accept(user, share: share)
            return try FollowQuery.one(user, actor.id, viewer: actor.viewer, in: actor.session)
        }
    }
}

struct FollowReject: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Refuse somebody's request to follow you.",
        discussion: """
            Example:
              habitat follow reject nuno --as alice
            """)

    @Argument(help: ArgumentHelp("Who has asked.", valueName: "user"))
    var user: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.act(output) { actor in
            try FollowActions(actor).reject(user)
            return try FollowQuery.one(user, actor.id, viewer: actor.viewer, in: actor.session)
        }
    }
}

struct FollowRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following somebody, or take your request back.",
        discussion: """
            Example:
              habitat follow remove bruno --as alice
            """)

    @Argument(help: ArgumentHelp("Whom you follow.", valueName: "user"))
    var user: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.tell(output) { actor in
            try FollowActions(actor).remove(user)
            return [("follower", .text(actor.id)), ("followee", .text(user)), ("status", .text("none"))]
        }
    }
}

struct FollowDrop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "End that somebody follows you; they see nothing of yours from then on.",
        discussion: """
            Example:
              habitat follow drop bruno --as alice
            """)

    @Argument(help: ArgumentHelp("Who follows you.", valueName: "user"))
    var user: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.tell(output) { actor in
            try FollowActions(actor).drop(user)
            return [("follower", .text(user)), ("followee", .text(actor.id)), ("status", .text("none"))]
        }
    }
}

extension FollowStatus: ExpressibleByArgument {}
extension Share: ExpressibleByArgument {}
