import Base
import Geo
import HabitModel
import StoreEngine

/// The source of the rows of an event query: the way in which the engine finds the events.
enum EventSource: Equatable {
    /// The table of all events. The conditions select an index.
    case table
    /// The events that the spatial index finds in a box, and possibly a few near it.
    case window(BoundingBox)
    /// The newest events in a box, which an index on cells and days finds.
    ///
    /// Without this source, the engine sorts all events of the box.
    case newestInWindow(BoundingBox, NewestRows)
    /// The newest events that a user can see.
    ///
    /// Without this source, the engine sorts all events of all followed users for each page.
    case newestVisible(NewestRows)
    /// The newest event of each habit of the users whom the viewer follows, and the rows of the follow and the habit.
    ///
    /// The cost depends on the number of habits, not on the number of events.
    case newestOfFollowed
    /// The events whose comment contains a text, which the search index finds.
    case commentIndex(String)
    /// The events of visible users on some days, and possibly a few on other days.
    case ownedOnDays(ClosedRange<Day>)
    /// The events in a box, and possibly a few near it, that the indexes by owner find among the events of visible users.
    case ownedInWindow(BoundingBox)
    /// The events of chosen visible users in some tiles of the map, which the indexes by owner find.
    case ownedInTiles([MapTile])
    /// The events of visible users whose comment contains a text, which the index of comments by owner finds.
    case ownedContaining(String)
    /// The events of visible users whose comment contains a word.
    case ownedContainingWord(String)
}

extension EventSource {
    /// Whether the source reads an index of the positions of all users' events.
    var isSpatialIndex: Bool {
        switch self {
        case .window, .newestInWindow: true
        case .table, .newestVisible, .newestOfFollowed, .commentIndex: false
        case .ownedOnDays, .ownedInWindow, .ownedInTiles, .ownedContaining, .ownedContainingWord: false
        }
    }
}

/// The users whose events a query reads, if its caller has chosen them.
struct ChosenOwners: Equatable {
    /// The keys of the users.
    var users: [Int64]
    /// The tiles of zoom 16 or less to read, or no tiles to read the events everywhere.
    var tiles: [MapTile] = []
}

/// The newest rows of a query.
struct NewestRows: Equatable {
    /// The number of rows to find.
    var count: Int
    /// The days of the rows.
    var days: ClosedRange<Day>
}

/// A condition on `event` that an event query adds to its source.
enum EventCondition: Equatable {
    case day(from: Day?, to: Day?)
    case users([String])
    case habits([String])
    case habitIDs([String])
    case habitTitles([String])
    case notHabits([String])
    case id(String)
    case during(TimeSpan)
    case exactComment(String)
    case commentContains(String)
    case commentContainsWord(String)
    case properties(FeatureFilter)
    /// The event has a position.
    case located
    /// The event is inside the box or has no position.
    case insideOrUnlocated(BoundingBox)
    /// The event is the viewer's own.
    case own
    /// The event is the newest of a habit of a user whom the viewer follows.
    case newestOfFollowed
    /// The owner of the event is the viewer or a followed user.
    ///
    /// ``visible`` implies the condition, which lets the engine use the index on users.
    case ownedByFollowed
    /// The viewer can see the event.
    case visible
}

extension EventFilter {
    /// The conditions of the filter, without the circle, the box and the area.
    var conditions: [EventCondition] {
        var conditions: [EventCondition] = []
        if from != nil || to != nil { conditions.append(.day(from: from, to: to)) }
        if !users.isEmpty { conditions.append(.users(users)) }
        if !habits.isEmpty { conditions.append(.habits(habits)) }
        if !habitIDs.isEmpty { conditions.append(.habitIDs(habitIDs)) }
        if !habitTitles.isEmpty { conditions.append(.habitTitles(habitTitles)) }
        if !notHabits.isEmpty { conditions.append(.notHabits(notHabits)) }
        if let id { conditions.append(.id(id)) }
        // A spatial condition implies a position.
        if isLocated, spatial.isEmpty { conditions.append(.located) }
        if let boxOrUnlocated, !boxOrUnlocated.isWorld { conditions.append(.insideOrUnlocated(boxOrUnlocated)) }
        if let during { conditions.append(.during(during)) }
        if let exactComment { conditions.append(.exactComment(exactComment)) }
        if let containedText { conditions.append(.commentContains(containedText)) }
        if let commentWord { conditions.append(.commentContainsWord(commentWord)) }
        if let condition { conditions.append(.properties(condition)) }
        return conditions
    }

    /// A text that the comment contains, which the search index finds, or `nil`.
    ///
    /// An equal comment and a comment with a word contain the text too.
    var containedText: String? { comment ?? commentWord ?? exactComment }
}
