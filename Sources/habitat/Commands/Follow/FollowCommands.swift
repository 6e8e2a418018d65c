import ArgumentParser

struct FollowCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow users and manage your followers.",
        discussion: """
            A follower can see your habits, events and posts after you have accepted the follow request.

            Examples:
              habitat follow request hana --as alice
              habitat follow accept nuno --as alice --share latest
            """,
        subcommands: [
            FollowList.self, FollowRequest.self, FollowAccept.self, FollowReject.self, FollowRemove.self,
            FollowDrop.self,
        ])
}
