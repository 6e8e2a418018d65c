import Base
import HabitModel
import StoreEngine

/// A user whom the change of a record concerns: the owner, or one of two parties.
struct LoggedParty {
    /// The expression for the key of the user.
    var user: SQL
    /// The expression for the ID of the record.
    ///
    /// The ID of a relation is a ``CompositeID`` of two IDs.
    var id: SQL
    /// The expression for the day of the record.
    var day: SQL = "NULL"
    /// The joins of the tables that the expressions read.
    var joins: SQL = ""
    /// The condition that a block does not hide the record from the user, or `nil` for records that no block hides from
    /// their parties.
    var isVisible: SQL?
    /// Returns the expression for the audience of the change of one record.
    var audience: @Sendable (any Dialect) -> SQL

    /// Returns the parties of a kind, or nothing for settings, which have no rows with keys.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - audience: The users who can see the change, or `nil` for the usual audience.
    /// - Returns: The parties, each of which has a row in the log.
    static func all(of kind: RecordKind, _ audience: Audience? = nil) -> [LoggedParty] {
        let audienceSQL = { @Sendable (dialect: any Dialect) -> SQL in
            guard audience == nil, kind == .events else {
                return SQL((audience ?? kind.audience).rawValue.description)
            }
            return audienceOfEvent(dialect)
        }
        var parties = owners(of: kind).map { party in
            LoggedParty(
                user: party.user,
                id: party.id,
                day: party.day,
                joins: party.joins,
                isVisible: Visibility.isShownToParties(kind),
                audience: audienceSQL)
        }
        if kind == .items, audience == .party {
            parties.append(claimant(audienceSQL))
        }
        return parties
    }

    /// Returns the claimant of an item, who sees its exact position.
    private static func claimant(_ audience: @escaping @Sendable (any Dialect) -> SQL) -> LoggedParty {
        LoggedParty(
            user: "claim.user_id",
            id: "item.external_id",
            joins: "JOIN claim ON claim.item_id = item.id AND claim.state IN ('claimed', 'given')",
            isVisible: Visibility.isShownToParties(.claims),
            audience: audience)
    }

    /// Returns the expression for the audience of an event.
    ///
    /// A follower with a grant of the newest events sees no change of another event.
    private static func audienceOfEvent(_ dialect: any Dialect) -> SQL {
        let newest = Audience.followers.rawValue.description
        let other = Audience.fullFollowers.rawValue.description
        return "CASE WHEN \(Visibility.newestOfHabit(dialect)) THEN \(raw: newest) ELSE \(raw: other) END"
    }

    /// The user of a record, and the ID and the day of the record.
    private struct Owner {
        var user: SQL
        var id: SQL
        var day: SQL = "NULL"
        var joins: SQL = ""
    }

    private static func owners(of kind: RecordKind) -> [Owner] {
        switch kind {
        case .settings:
            []
        case .users:
            [Owner(user: "account.id", id: "account.external_id")]
        case .habits:
            [Owner(user: "habit.user_id", id: "habit.external_id")]
        case .schedules:
            [
                Owner(
                    user: "habit.user_id",
                    id: "habit.external_id",
                    day: "habit_schedule.from_day",
                    joins: ScheduleTable.join)
            ]
        case .pauses:
            [Owner(user: "pause.user_id", id: "pause.external_id", day: "pause.from_day")]
        case .follows:
            owners(
                ["follow.follower_id", "follow.followee_id"],
                id: pair("follower", "followee"),
                joins: FollowTable.joins)
        case .blocks:
            [
                Owner(
                    user: "block.blocker_id",
                    id: pair("blocker", "blocked"),
                    joins: BlockTable.joins)
            ]
        case .events:
            [Owner(user: "event.user_id", id: "event.external_id", day: "event.day")]
        case .items:
            [Owner(user: "item.user_id", id: "item.external_id")]
        case .claims:
            owners(
                ["claim.user_id", "item.user_id"],
                id: pair("item", "claimant"),
                joins: ClaimTable.joins)
        case .messages:
            owners(["message.sender_id", "message.recipient_id"], id: "message.external_id")
        case .reads:
            [
                Owner(
                    user: "read_marker.user_id",
                    id: pair("item", "reader"),
                    joins: ReadTable.joins)
            ]
        case .posts:
            [Owner(user: "post.user_id", id: "post.external_id")]
        }
    }

    /// Returns one owner for each expression in `users`.
    private static func owners(
        _ users: [SQL],
        id: SQL,
        joins: SQL = ""
    ) -> [Owner] {
        users.map { user in
            Owner(user: user, id: id, joins: joins)
        }
    }

    /// The ``CompositeID`` of a relation.
    private static func pair(_ first: String, _ second: String) -> SQL {
        SQL(CompositeID.sql("\(first).external_id", "\(second).external_id"))
    }
}

extension RecordKind {
    /// The kinds whose records belong to one user, who shares them with followers.
    static let owned: [RecordKind] = [.habits, .pauses, .events, .posts]

    /// The kinds whose records all users can see.
    static let shared: [RecordKind] = [.items, .users]

    /// The kind under which the change of a record is logged: a schedule is a part of its habit.
    var logged: RecordKind {
        self == .schedules ? .habits : self
    }
}
