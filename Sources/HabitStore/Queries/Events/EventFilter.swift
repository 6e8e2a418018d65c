import Base
import Geo
import HabitModel
import StoreEngine

/// The conditions that select events.
///
/// A row must meet all of them. An empty filter selects every event.
///
/// The filter applies to the events that the viewer can see. It never finds other events.
///
/// A `nil` value or an empty array adds no condition.
public struct EventFilter: Sendable, Equatable {
    /// The ID of the event.
    public var id: String?
    /// The IDs of the users who own the events.
    public var users: [String] = []
    /// The IDs or titles of habits whose events are selected.
    public var habits: [String] = []
    /// The IDs or titles of habits whose events are not selected.
    public var notHabits: [String] = []
    /// The IDs of habits whose events are selected.
    public var habitIDs: [String] = []
    /// The titles of habits.
    ///
    /// Each title selects all visible habits with this title, compared without case.
    public var habitTitles: [String] = []
    /// The complete comment, compared with case.
    public var exactComment: String?
    /// A text that the comment contains, compared without case.
    public var comment: String?
    /// A word that the comment contains, compared without case.
    public var commentWord: String?
    /// The first calendar day.
    public var from: Day?
    /// The last calendar day.
    public var to: Day?
    /// The time span of the events.
    ///
    /// An event without a time is compared by its day in UTC.
    public var during: TimeSpan?
    /// A circle.
    ///
    /// Only events inside the circle are selected.
    public var near: Near?
    /// A bounding box.
    ///
    /// Only events inside the box are selected.
    public var box: BoundingBox?
    /// A bounding box.
    ///
    /// Only events inside the box and events without a position are selected (OGC API - Features, Part 1,
    /// `/req/core/fc-bbox-response`). The spatial index does not find them.
    public var boxOrUnlocated: BoundingBox?
    /// An area.
    ///
    /// Only events inside the area or on its border are selected.
    public var area: Area?
    /// A condition on the columns of the list, except the status and the color of the habit.
    public var condition: FeatureFilter?
    /// Whether events without a position are excluded.
    public var isLocated = false

    /// Creates an empty filter.
    public init() {}

    /// Whether the filter has no conditions and selects every event.
    public var isEmpty: Bool { self == EventFilter() }

    /// Whether the spatial index can find the events.
    var hasSpatialFilter: Bool { spatial.window != nil }

    /// The spatial conditions.
    var spatial: SpatialFilter { SpatialFilter(near: near, box: box, area: area) }

    /// Whether the events are read in the order of time: neither the spatial index nor the ID finds them.
    var readsByTime: Bool { !hasSpatialFilter && id == nil }

    /// Whether the spatial index is the only index that finds few events.
    var readsOnlyByArea: Bool { hasSpatialFilter && id == nil && !isSelective }

    /// Whether the filter has a condition that few events match, apart from the area, the owners and the habits.
    ///
    /// A query for the newest events of an area then does not walk back through the days.
    var isSelective: Bool { exactComment != nil || comment != nil || commentWord != nil || condition != nil }

    /// Whether the filter has a condition on the owners or the habits of the events.
    var namesOwnersOrHabits: Bool { !users.isEmpty || namesHabits }

    /// Whether the filter names the habits whose events are selected.
    var namesHabits: Bool { !(habits.isEmpty && habitIDs.isEmpty && habitTitles.isEmpty) }
}
