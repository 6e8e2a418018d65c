import ArgumentParser

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
