import ArgumentParser
import HabitModel
import HabitStore

struct ItemCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item", abstract: "Things that are given away: post, claim, hand over.",
        discussion: """
            An item is available, then claimed, then given; or it expires, or is withdrawn.

            Examples:
              habitat item list --near 38.7223,-9.1393 --sort distance
              habitat item claim item-0007 --as alice
            """,
        subcommands: [
            ItemList.self, ItemShow.self, ItemPost.self, ItemEdit.self, ItemDelete.self, ItemClaim.self,
            ItemRelease.self, ItemGive.self, ItemWithdraw.self, ItemPhoto.self,
        ])
}

struct ItemList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Items, newest first: those that are available, unless --state says otherwise.",
        discussion: """
            Who has claimed an item is shown to its poster and to who claimed it.

            Examples:
              habitat item list --limit 10
              habitat item list --state all --user alice
              habitat item list --near 35.0116,135.7681 --within 2km --sort distance
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "available, claimed, given, withdrawn, expired, several of them, or all.", valueName: "state"))
    var state = "available"
    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only items of this user; repeatable.", valueName: "id"))
    var user: [String] = []
    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "No items match: look at all with --state all.") { session, viewer, clock in
            var query = ItemQuery(viewer: viewer, clock: clock)
            query.states = try ItemStates.parse(state)
            query.users = user
            query.near = try place.near(for: viewer, in: session)
            query.box = try place.box()
            query.sort = place.sort ?? .newest
            query.limit = try place.rowLimit()
            return try query.selection(in: session)
        }
    }
}

struct ItemShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One item.",
        discussion: """
            Examples:
              habitat item show item-0003 --as alice
              habitat item show item-0003 --format geojson
            """)

    @Argument(help: ArgumentHelp("The item's id.", valueName: "item"))
    var item: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, clock in
            try Things(viewer: viewer, in: session).require(.view, .item, item)
            return try ItemQuery.one(item, viewer: viewer, clock: clock, in: session)
        }
    }
}

/// What an item is made of, beside its picture and place.
struct ItemFields: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("1 to 80 characters.", valueName: "text"))
    var name: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 2,000 characters; empty for none.", valueName: "text"))
    var description: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The last day it can be claimed, or none.", valueName: "date"))
    var expires: String?

    func draft(_ photo: PhotoOptions) throws -> ItemDraft {
        var draft = ItemDraft()
        draft.name = Given(option: name)
        draft.description = Given(option: description)
        draft.expires = try Given(option: expires, named: "expires")
        do {
            (draft.photo, draft.position) = try photo.read()
        } catch let error as HabitError {
            throw error.ofItem
        }
        return draft
    }
}

struct ItemPost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Offer something to give away, and show it.",
        discussion: """
            Example:
              habitat item post --as alice --name "Desk lamp" --photo lamp.png --position 38.7223,-9.1393 --expires 2026-12-31
            """)

    @OptionGroup var fields: ItemFields
    @OptionGroup var photo: PhotoOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "ID of the new item: a UUID, or your user ID, a colon and a name without a colon (default: generated).",
            valueName: "id"))
    var id: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try fields.draft(photo)
        try common.act(output) { user in
            let id = try ItemActions(user).post(draft, id: id)
            return try ItemQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}

struct ItemEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an item of yours, and show it.",
        discussion: """
            Example:
              habitat item edit item-0051 --as alice --description "With a new bulb" --expires none
            """)

    @Argument(help: ArgumentHelp("The item's id.", valueName: "item"))
    var item: String
    @OptionGroup var fields: ItemFields
    @OptionGroup var photo: PhotoOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try fields.draft(photo)
        try common.act(output) { user in
            try ItemActions(user).edit(item, draft)
            return try ItemQuery.one(item, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}

struct ItemDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an item of yours with its claims and messages, for good.",
        discussion: """
            'habitat item withdraw' ends the offer and keeps them.

            Example:
              habitat item delete item-0051 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("The item's id.", valueName: "item"))
    var item: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the item '\(item)' with its claims and messages?")
        try common.tell(output) { user in
            let (claims, messages) = try ItemActions(user).delete(item)
            return [
                ("deleted", .text(item)), ("claims", .integer(Int64(claims))), ("messages", .integer(Int64(messages))),
            ]
        }
    }
}

/// An item to which something happens, and how what it then is is shown.
struct ItemTarget: ParsableArguments {
    @Argument(help: ArgumentHelp("The item's id.", valueName: "item"))
    var item: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func move(_ body: (ItemActions, String) throws -> Void) throws {
        try common.act(output) { user in
            try body(ItemActions(user), item)
            return try ItemQuery.one(item, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}

struct ItemClaim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim", abstract: "Claim an item that is available; the first who does has it.",
        discussion: """
            Example:
              habitat item claim item-0007 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws {
        try target.move { try $0.claim($1) }
        let item = target.item.allSatisfy { $0.isLetter || $0.isNumber || "-_.@".contains($0) } ? target.item : "ITEM"
        target.common.notice(
            "It is yours to fetch: write to its poster with 'habitat message send --item \(item) --text TEXT'.")
    }
}

struct ItemRelease: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Give up your claim, or take your item back from who claimed it: it is available again.",
        discussion: """
            Example:
              habitat item release item-0043 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move { try $0.release($1) } }
}

struct ItemGive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "give", abstract: "Say that your item was handed over to who claimed it.",
        discussion: """
            Example:
              habitat item give item-0043 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move { try $0.give($1) } }
}

struct ItemWithdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Take your item out of the offer; a claim on it ends.",
        discussion: """
            Example:
              habitat item withdraw item-0051 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move { try $0.withdraw($1) } }
}

struct ItemPhoto: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Put the picture of an item into a file.",
        discussion: """
            Example:
              habitat item photo item-0003 --as alice --output aloe.png
            """)

    @Argument(help: ArgumentHelp("The item's id.", valueName: "item"))
    var item: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup var common: CommonOptions

    func run() throws { try download.run(.item, item, common) }
}
