import Base
import Geo
import HabitModel
import StoreEngine

/// The rows of `event` or `post` that a user can see, found by indexes that begin with the owner.
///
/// The time of a query from this source depends only on the rows of users whom the viewer can see. A spatial index or a
/// search index contains the rows of all users, and so its time would tell a viewer about hidden rows. For the same reason, a
/// search by position reads positions in private places only among the rows of the viewer.
struct OwnedSource {
    /// The zoom of the tiles by which the rows of an owner are indexed.
    private static let zoom = 16

    let session: any Session
    /// The table.
    let table: String
    /// A SELECT of the keys of the owners whose rows are all visible to the viewer, or `nil` for no owners.
    let owners: SQL?
    /// A SELECT of the keys and the owners of other visible rows, or `nil` for no other rows.
    let others: SQL?
    /// The key of the viewer, who also sees the positions in the viewer's private places.
    let reader: SQL

    /// Creates the source of the posts that a user can see.
    ///
    /// - Parameters:
    ///   - visibility: The rows that the viewer, who is a user, can see.
    ///   - users: The keys of the users who own the posts, or `nil` for all visible users.
    ///   - session: The session that runs the query.
    /// - Returns: The source.
    static func posts(_ visibility: Visibility, of users: [Int64]? = nil, in session: any Session) -> OwnedSource {
        OwnedSource(
            session: session,
            table: "post",
            owners: Self.owners(visibility.selfAndFollowed, among: users),
            others: nil,
            reader: visibility.key)
    }

    /// Creates the source of the events that a user can see.
    ///
    /// A followed user who shares only the newest event of each habit is read by habit: the cost of a search by position
    /// or by text would depend on the other events.
    ///
    /// - Parameters:
    ///   - scope: The scope of the query.
    ///   - visibility: The rows that the viewer, who is a user, can see.
    ///   - users: The keys of the users who own the events, or `nil` for all visible users.
    ///   - session: The session that runs the query.
    /// - Returns: The source.
    static func events(
        _ scope: EventQuery.Scope,
        _ visibility: Visibility,
        of users: [Int64]? = nil,
        in session: any Session
    ) -> OwnedSource {
        let owners: SQL?
        let others: SQL?
        switch scope {
        case .mine:
            owners = "SELECT \(visibility.key) AS user_id"
            others = nil
        case .all:
            owners = visibility.fullySharing
            others = newest(where: visibility.grantsNewestOnly, of: users, session.dialect)
        case .friends:
            owners = nil
            others = newest(where: visibility.acceptedFollow, of: users, session.dialect)
        }
        return OwnedSource(
            session: session,
            table: "event",
            owners: owners.map { owners in Self.owners(owners, among: users) },
            others: others,
            reader: visibility.key)
    }

    private static func owners(_ owners: SQL, among users: [Int64]?) -> SQL {
        guard let users else { return owners }
        return """
            SELECT visible.user_id
              FROM (
                \(owners)
              ) AS visible
              WHERE \(SQL.membership(of: "visible.user_id", in: users, as: "owner"))
            """
    }

    /// Returns a SELECT of the newest event of each habit of the users whom some follows name.
    private static func newest(where follows: SQL, of users: [Int64]?, _ dialect: any Dialect) -> SQL {
        let named = users.map { users -> SQL in
            " AND \(SQL.membership(of: "follow.followee_id", in: users, as: "owner"))"
        }
        return """
            SELECT event.id, event.user_id
              FROM \(dialect.newestEventsOfFollowed)
              WHERE \(follows)\(named ?? "")
            """
    }

    // MARK: Sources

    private var sql: OwnerSearchSQL {
        OwnerSearchSQL(table: table, reader: reader, traits: session.dialect.traits)
    }

    /// Returns the source of the rows in a box, and possibly of a few rows near it.
    ///
    /// - Parameter box: The box.
    /// - Returns: The text after FROM.
    /// - Throws: An error of the engine.
    func rows(in box: BoundingBox) throws -> SQL {
        sql.source(.cells(try cells(in: box)), of: owners, or: others)
    }

    /// Returns the source of the rows in some tiles of the map, and of all ``others``.
    ///
    /// The source looks up each tile for each owner.
    ///
    /// - Parameter tiles: At least one tile of zoom 16 or less.
    /// - Returns: The text after FROM.
    func rows(in tiles: [MapTile]) -> SQL {
        let ranges = tiles.map { tile in tile.codes(at: Self.zoom) }
        return sql.source(.cells(ranges.merged()), of: owners, or: others)
    }

    /// Returns the source of the rows on some days, and of all ``others``.
    ///
    /// - Parameter days: The days. The range of all days contains rows with damaged days too.
    /// - Returns: The text after FROM.
    func rows(on days: ClosedRange<Day>) -> SQL {
        let isLimited = days != .first...(.last)
        return sql.source(.days(isLimited ? days : nil), of: owners, or: others)
    }

    /// Returns the source of the rows whose folded comment contains a folded text, and of all ``others``.
    ///
    /// - Parameter text: The folded text.
    /// - Returns: The text after FROM.
    func rows(containing text: String) -> SQL {
        sql.source(.text(text), of: owners, or: others)
    }

    /// Returns the keys of the events whose comment contains a word.
    ///
    /// No SQL that both engines accept finds words. The method reads the comments that contain the text of the word.
    ///
    /// - Parameter word: The folded word.
    /// - Returns: The keys, at most one for each visible event that contains the text.
    /// - Throws: An error of the engine.
    func keys(containingWord word: String) throws -> [RowKey] {
        let sql: SQL = """
            SELECT event.id, event.user_id, event.comment_folded
            FROM \(rows(containing: word))
            """
        var keys: [RowKey] = []
        try session.query(sql) { row in
            if row.text(2)?.containsWord(word) == true {
                keys.append(RowKey(row.integer(0), partition: row.integer(1)))
            }
            return true
        }
        return keys
    }

    // MARK: Cells

    /// Returns the ranges of cells that contain the box, or the range of all cells if it takes fewer lookups to read all
    /// rows of the owners.
    private func cells(in box: BoundingBox) throws -> [ClosedRange<Int64>] {
        let tiles = MapTileRange.covering(box, at: Self.zoom)
        let limit = MapTileRange.mostCodeRanges / tiles.count
        let ranges = tiles.flatMap { tiles in tiles.codes(at: Self.zoom, atMost: limit) }.merged()
        guard ranges.count > 1, let owners else { return ranges }
        let lookups = try count(ofRowsIn: owners) * ranges.count
        let rows: SQL = """
            SELECT 1
              FROM (
                \(owners)
              ) AS owner
              \(raw: session.dialect.traits.orderedJoin) \(raw: table) ON \(raw: table).user_id = owner.user_id
              LIMIT \(.integer(Int64(lookups)), as: "lookups")
            """
        let isSmall = try count(ofRowsIn: rows) < lookups
        return isSmall ? [MapTile.world.codes(at: Self.zoom)] : ranges
    }

    private func count(ofRowsIn select: SQL) throws -> Int {
        let sql: SQL = """
            SELECT count(*)
            FROM (
              \(select)
            ) AS counted
            """
        return Int(try session.first(sql) { row in row.integer(0) } ?? 0)
    }
}

extension [ClosedRange<Int64>] {
    /// Returns ranges of the same numbers that have no number in common and are not adjacent.
    func merged() -> [ClosedRange<Int64>] {
        var merged: [ClosedRange<Int64>] = []
        for range in sorted(by: { first, second in first.lowerBound < second.lowerBound }) {
            guard let last = merged.last, range.lowerBound <= last.upperBound + 1 else {
                merged.append(range)
                continue
            }
            merged[merged.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
        }
        return merged
    }
}
