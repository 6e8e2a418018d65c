import Base
import Geo
import HabitModel
import Photos
import StoreEngine

/// The checks of the records, which are the same for all engines.
enum RecordChecks {
    static func all(_ dialect: any Dialect) -> [StoreCheck] {
        (dialect.traits.partitionColumn == nil ? [eventOwners] : []) + [
            unplanned,
            itemStates,
            blockedFollows,
            shownPositions,
            privatePositions("event"),
            privatePositions("post"),
            foldedTitles,
            foldedComments,
            photoContents,
            photoTypes,
            photoOrphans,
            ids,
            days,
            instants,
            positions,
        ]
    }

    // MARK: Derived values

    private static var eventOwners: StoreCheck {
        DerivedColumn(
            table: "event",
            column: "user_id",
            sql: """
                SELECT event.id, event.user_id, event.external_id, habit.user_id
                FROM event
                JOIN habit ON habit.id = event.habit_id
                ORDER BY event.id
                """,
            makeRule: { _ in
                { row in .integer(row.integer(3)) }
            }
        ).check("event-owners", "events whose user is not the owner of the habit")
    }

    private static var unplanned: StoreCheck {
        DerivedColumn(
            table: "event",
            column: "unplanned",
            sql: "SELECT id, unplanned, external_id, habit_id, day FROM event ORDER BY habit_id, id",
            makeRule: { session in
                let reader = HabitHistoryReader(session)
                var habit: Int64 = 0
                var history: ScheduleHistory?
                return { row in
                    if row.integer(3) != habit {
                        habit = row.integer(3)
                        history = try reader.history(of: habit)?.schedule
                    }
                    guard let history, let day = row.day(4) else {
                        return nil
                    }
                    return .boolean(!history.includes(day))
                }
            }
        ).check("unplanned", "events whose 'unplanned' flag contradicts the schedule")
    }

    private static var foldedTitles: StoreCheck {
        folded("habit", "title").check(
            "folded-titles",
            "habits with a wrong search text for the title")
    }

    private static var foldedComments: StoreCheck {
        folded("event", "comment").check(
            "folded-comments",
            "events with a wrong search text for the comment")
    }

    private static func folded(_ table: String, _ text: String) -> DerivedColumn {
        DerivedColumn(
            table: table,
            column: "\(text)_folded",
            sql: SQL("SELECT id, \(raw: text)_folded, external_id, \(raw: text) FROM \(raw: table) ORDER BY id"),
            makeRule: { _ in
                { row in .text(row.text(3)?.folded) }
            })
    }

    /// The check that the public position of an item is the center of the cell that contains its position.
    private static var shownPositions: StoreCheck {
        DerivedColumn(
            table: "item",
            column: "shown",
            sql: "SELECT id, shown, external_id, geometry FROM item ORDER BY id",
            makeRule: { _ in
                { row in
                    let center = row.position(3).flatMap { position in PositionGrid.items.center(of: position) }
                    return .point(center)
                }
            }
        ).check("shown-positions", "items that are shown at another place than the center of their cell")
    }

    /// The check that the mark of a private position is right for the private places of the owner.
    private static func privatePositions(_ table: String) -> StoreCheck {
        DerivedColumn(
            table: table,
            column: PrivacyMarks.column,
            sql: """
                SELECT \(raw: table).id, \(raw: table).is_private, \(raw: table).external_id, \(raw: table).user_id,
                  \(raw: table).geometry, account.private_places
                FROM \(raw: table)
                JOIN account ON account.id = \(raw: table).user_id
                ORDER BY \(raw: table).user_id, \(raw: table).id
                """,
            makeRule: { _ in
                var user: Int64?
                var area: HiddenArea?
                return { row in
                    if row.integer(3) != user {
                        user = row.integer(3)
                        area = try? HiddenArea(stored: row.text(5))
                    }
                    guard let area else { return nil }
                    let isPrivate = row.position(4).map(area.contains) ?? false
                    return .boolean(isPrivate)
                }
            }
        ).check("private-\(table)s", "\(table)s with a wrong mark of a private place")
    }

    /// The check that the state of an item is equal to the state of the active claim on it.
    ///
    /// An action changes both states, so the repair can determine which of the two is outdated. It cannot repair a
    /// withdrawn item with a claim in the state `given`.
    private static var itemStates: StoreCheck {
        StoreCheck(
            "item-states",
            damage: "items whose state differs from the state of their claim",
            query: """
                SELECT item.external_id
                FROM item
                JOIN claim ON claim.item_id = item.id AND claim.state IN ('claimed', 'given')
                WHERE claim.state <> item.state
                ORDER BY item.external_id
                """,
            repair: [
                """
                UPDATE claim SET state = 'given'
                WHERE state = 'claimed' AND item_id IN (SELECT id FROM item WHERE state = 'given')
                """,
                """
                UPDATE claim SET state = 'released'
                WHERE state = 'claimed' AND item_id IN (SELECT id FROM item WHERE state = 'withdrawn')
                """,
                """
                UPDATE item SET state = (
                  SELECT claim.state FROM claim WHERE claim.item_id = item.id AND claim.state IN ('claimed', 'given')
                )
                WHERE state IN ('available', 'claimed')
                  AND id IN (SELECT item_id FROM claim WHERE state IN ('claimed', 'given'))
                """,
            ])
    }

    /// The check that no follow and no request connects a user and a blocked user.
    private static var blockedFollows: StoreCheck {
        StoreCheck(
            "blocked-follows",
            damage: "follows between a user and a blocked user",
            query: """
                SELECT follower.external_id || '/' || followee.external_id
                FROM follow
                \(FollowTable.joins)
                WHERE \(BlockRule.endsFollow)
                ORDER BY follower.external_id, followee.external_id
                """,
            repair: ["DELETE FROM follow WHERE \(BlockRule.endsFollow)"])
    }

    // MARK: Photos

    private static var photoContents: StoreCheck {
        StoreCheck("photo-contents") { session in
            var damage = CheckFindings("photos whose bytes differ from the stored digest, by key")
            try session.query("SELECT id, sha256, bytes FROM photo ORDER BY id") { row in
                if row.blob(2).sha256 != row.blob(1) {
                    damage.add("\(row.integer(0))")
                }
                return true
            }
            return damage
        }
    }

    private static var photoTypes: StoreCheck {
        DerivedColumn(
            table: "photo",
            column: "media_type",
            sql: "SELECT id, media_type, CAST(id AS TEXT), sha256, bytes FROM photo ORDER BY photo.id",
            makeRule: { _ in
                { row in
                    let bytes = row.blob(4)
                    guard bytes.sha256 == row.blob(3) else { return nil }
                    return Photo.mediaType(of: bytes).map { .text($0) }
                }
            }
        ).check("photo-types", "photos with a wrong media type, by key")
    }

    private static var photoOrphans: StoreCheck {
        StoreCheck("photo-orphans") { session in
            var damage = CheckFindings("photos without a record, by key")
            try session.query("\(raw: PhotoWriter.unusedKeys) ORDER BY 1") {
                damage.add("\($0.integer(0))")
                return true
            }
            return damage
        } repair: {
            try PhotoWriter.removeUnused(in: $0)
        }
    }
}
