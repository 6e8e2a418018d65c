import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import StoreEngine

/// The parsed and validated parameters of a request for a list of features.
struct FeatureRequest {
    var page: Page
    /// The conditions that features must meet.
    ///
    /// A list of other records than events uses only the conditions of its parameters.
    var filter = EventFilter()
    /// Whether the request has no token.
    var isPublic = false
    /// `nil` if the request has no `scope` parameter.
    var scope: EventQuery.Scope?
    /// The states of items, empty for all; `nil` if the request has no `state` parameter.
    var states: [ItemQuery.State]?
    /// The ID of an item.
    var item: String?
    /// A text that the name or the ID of users contains.
    var search: String?
    /// The parsed parameter `filter`; `nil` if it is missing.
    private var expression: FilterNode?
    /// The condition of the parameter `filter` over the properties of a collection.
    ///
    /// It is `nil` until ``filtered(by:)`` sets it.
    private(set) var condition: FeatureFilter?
    var status: FollowStatus?
    /// The kinds of records near a position.
    var kinds: [NearQuery.Kind]
    /// The number of closest records; `nil` for all records within the distance.
    var nearest: Int?
    /// `nil` if the request has no `sortby` parameter.
    var sort: SortBy?
    /// The maximum distance from the caller's newest located event; `nil` if `near` is not `last`.
    private var distanceFromLast: Distance?
    var properties: [String]?
    var precision: Int
    var form: FeatureForm
    /// Whether CSV has an apostrophe before text that a spreadsheet might evaluate.
    var isSpreadsheetSafe = false

    /// Parses the parameters.
    ///
    /// - Parameters:
    ///   - parameters: The query parameters of the request.
    ///   - sorts: The sort orders of the list.
    ///   - accept: The header Accept, which selects the form if the request has no parameter `f`.
    /// - Throws: ``Problem`` and `HabitError` that name the invalid parameter.
    init(_ parameters: RequestParameters, sorts: [SortBy], accept: String?) throws {
        page = Page(
            limit: min(
                try Self.count(parameters[.limit], .limit) ?? FeatureParameter.defaultLimit,
                FeatureParameter.maximumLimit),
            after: try parameters[.after].map { try Cursor($0) })
        filter.boxOrUnlocated = try parameters[.bbox].map(Self.box)
        nearest = try Self.count(parameters[.nearest], .nearest)
        kinds = try Self.kinds(parameters)
        let within =
            try parameters[.within].map { try Parse.distance($0, field: "within") }
            ?? (nearest == nil ? Near.defaultDistance : .farthest)
        if parameters[.near] == Self.last {
            distanceFromLast = within
        } else {
            filter.near = try Self.center(parameters).map { Near(center: $0, within: within) }
        }
        filter.habitIDs = parameters.all(FeatureParameter.habit.rawValue)
        filter.habitTitles = parameters.all(FeatureParameter.habitTitle.rawValue)
        filter.notHabits = parameters.all(FeatureParameter.notHabit.rawValue)
        filter.exactComment = try Self.text(parameters, .comment)
        filter.comment = try Self.text(parameters, .commentContains)
        filter.commentWord = try Self.text(parameters, .commentWord)
        filter.users = parameters.list(FeatureParameter.user.rawValue)
        scope = try parameters.choice(FeatureParameter.scope.rawValue, EventQuery.Scope.self)
        states = try parameters[.state].map(ItemQuery.State.list)
        item = parameters[.item]
        search = try parameters[.search].map {
            try Parse.searchText($0, field: FeatureParameter.search.rawValue, in: "name or the id")
        }
        status = try parameters.choice(FeatureParameter.status.rawValue, FollowStatus.self)
        sort = try Self.sort(parameters, sorts, isNear: parameters[.near] != nil)
        expression = try FilterNode.filter(in: parameters)
        properties = parameters[.properties].map { _ in parameters.list(FeatureParameter.properties.rawValue) }
        precision = try Self.count(parameters[.precision], .precision, from: 0, to: 15) ?? 7
        form = try parameters.choice(FeatureParameter.f.rawValue, FeatureForm.self) ?? FeatureForm(accept: accept)
        isSpreadsheetSafe = try parameters.isSpreadsheetSafe
        for text in parameters.all(FeatureParameter.datetime.rawValue) { try readTime(text) }
    }

    /// Creates a request for a page of all features.
    init(page: Page) {
        self.page = page
        (kinds, precision, form) = ([.events], 7, .geojson)
    }

    /// Parses a number.
    static func count(
        _ text: String?, _ parameter: FeatureParameter, from least: Int = 1, to most: Int = .max
    ) throws -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), number >= least, number <= most else {
            let range = most == .max ? "an integer of at least \(least)" : "an integer from \(least) to \(most)"
            throw Problem.invalid(parameter.rawValue, "'\(text)' is not \(range)")
        }
        return number
    }

    /// Parses a bounding box of four or six numbers.
    ///
    /// Six numbers include a minimum and a maximum height. The heights are ignored, because positions have no height.
    private static func box(_ text: String) throws -> BoundingBox {
        let sides = text.split(separator: ",", omittingEmptySubsequences: false)
        return try Parse.box(sides.count == 6 ? [0, 1, 3, 4].map { String(sides[$0]) }.joined(separator: ",") : text)
    }

    /// Parses the kinds, in the order of all kinds.
    private static func kinds(_ parameters: RequestParameters) throws -> [NearQuery.Kind] {
        guard parameters[.kind] != nil else { return [.events] }
        let names = parameters.list(FeatureParameter.kind.rawValue)
        let kinds = NearQuery.Kind.allCases
        guard !names.isEmpty, names.allSatisfy({ NearQuery.Kind(rawValue: $0) != nil }) else {
            throw Problem.invalid(
                "kind",
                "'\(parameters[.kind] ?? "")' is not a list of kinds: use \(kinds.map(\.rawValue).joined(separator: ", ")), separated by commas"
            )
        }
        return kinds.filter { names.contains($0.rawValue) }
    }

    private static func center(_ parameters: RequestParameters) throws -> Position? {
        guard let text = parameters[.near] else {
            guard parameters[.within] == nil else {
                throw Problem.invalid("within", "'within' requires a position: add near=LONGITUDE,LATITUDE")
            }
            return nil
        }
        let sides = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, let longitude = Position.degrees(sides[0], axis: .longitude),
            let latitude = Position.degrees(sides[1], axis: .latitude),
            let center = Position(longitude: longitude, latitude: latitude)
        else {
            throw HabitError(
                .positionInvalid,
                "'\(text)' is not a position: write LONGITUDE,LATITUDE in degrees, such as -9.1393,38.7223, or last",
                field: "near")
        }
        return center
    }

    /// The value of `near` that stands for the position of the caller's newest located event.
    private static let last = "last"

    /// Returns the request with the position of the viewer's newest located event instead of `near=last`.
    ///
    /// - Parameters:
    ///   - viewer: The viewer of the request.
    ///   - session: The session that looks up the event.
    /// - Returns: The request with a circle instead of `near=last`.
    /// - Throws: 403 `not-signed-in` if the viewer is the operator; `location-unavailable` if no event has a position.
    func located(for viewer: Viewer, in session: any Session) throws -> FeatureRequest {
        guard let distanceFromLast else { return self }
        guard viewer != .operator else {
            throw Problem.userRequired("'near=last' needs the events of a user: send the token of a user")
        }
        var request = self
        let center = try viewer.position(Self.last, field: FeatureParameter.near.rawValue, in: session)
        request.filter.near = Near(center: center, within: distanceFromLast)
        return request
    }

    /// Returns the request with the condition of its parameter `filter`.
    ///
    /// - Parameter queryables: The properties that the viewer may use in filters.
    /// - Returns: The request with the condition.
    /// - Throws: `parameter-invalid` if the filter has another property or a value of another type.
    func filtered(by queryables: [Queryable]) throws -> FeatureRequest {
        guard let expression else { return self }
        var request = self
        let condition = try FilterResolver(queryables: queryables).condition(expression)
        (request.condition, request.filter.condition) = (condition, condition)
        return request
    }

    /// The sort order of records that have positions.
    var placedSort: HabitStore.SortOrder {
        switch sort {
        case .distance: .distance
        case .newest, .oldest: .newest
        case nil: filter.near == nil ? .newest : .distance
        }
    }

    private static func text(_ parameters: RequestParameters, _ name: FeatureParameter) throws -> String? {
        try parameters[name].map { try Parse.searchText($0, field: name.rawValue) }
    }

    private static func sort(_ parameters: RequestParameters, _ sorts: [SortBy], isNear: Bool) throws -> SortBy? {
        // A '+' that is not percent-encoded is decoded as a space.
        let text = parameters[.sortby].map {
            $0.hasPrefix(" ") || $0 == "distance" || $0 == "time" ? "+" + $0.trimmingCharacters(in: .whitespaces) : $0
        }
        guard let text else { return nil }
        guard let sort = SortBy(rawValue: text), sorts.contains(sort) else {
            let names = sorts.map(\.rawValue).joined(separator: " or ")
            throw Problem.invalid("sortby", "'\(text)' is not a sort order of this list: use \(names)")
        }
        guard sort != .distance || isNear else {
            throw Problem.invalid("sortby", "+distance requires a position: add near=LONGITUDE,LATITUDE")
        }
        return sort
    }

    // MARK: Time (OGC API - Features, Part 1, section 7.15.4)

    private mutating func readTime(_ text: String) throws {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard sides.count <= 2 else { throw Self.timeInvalid(text) }
        let isInterval = sides.count == 2
        let ends = try sides.map { try Self.moment($0, isOpen: isInterval) }
        let (first, last) = (ends[0], ends[ends.count - 1])
        guard first != nil || last != nil else {
            guard sides != ["", ""] else { throw Self.timeInvalid(text) }
            // Both ends are open: the parameter has no effect.
            return
        }
        switch (first, last) {
        case (.instant?, _), (_, .instant?):
            let span = TimeSpan(from: first?.begin, to: last?.end)
            if let from = span.from, let to = span.to, to < from { throw Self.timeInvalid(text) }
            filter.during = filter.during?.intersection(span) ?? span
        default:
            let (first, last) = (first?.day, last?.day)
            if let first, let last, last < first { throw Self.timeInvalid(text) }
            filter.from = [filter.from, first].compactMap(\.self).max()
            filter.to = [filter.to, last].compactMap(\.self).min()
        }
    }

    /// The requested interval, with local days, for records that have an instant and no day.
    var span: TimeSpan? {
        guard filter.from != nil || filter.to != nil else { return filter.during }
        var days = TimeSpan(from: nil, to: nil)
        (days.firstDay, days.lastDay) = (filter.from, filter.to)
        return filter.during?.intersection(days) ?? days
    }

    private enum Moment {
        case day(Day)
        case instant(Instant)

        var day: Day? { if case .day(let day) = self { day } else { nil } }

        /// The first microsecond.
        ///
        /// A day is a UTC day.
        var begin: Instant {
            switch self {
            case .day(let day): day.startInUTC
            case .instant(let instant): instant
            }
        }

        var end: Instant {
            switch self {
            case .day: Instant(microseconds: begin.microseconds + Instant.microsecondsPerDay - 1)
            case .instant(let instant): instant
            }
        }
    }

    private static func moment(_ text: String, isOpen: Bool) throws -> Moment? {
        if isOpen, text.isEmpty || text == ".." { return nil }
        // GDAL compares dates with 2026-11-18T.
        if let day = Day(text.hasSuffix("T") ? String(text.dropLast()) : text) { return .day(day) }
        // A '+' that is not percent-encoded is decoded as a space.
        let written = text.split(separator: " ").joined(separator: "+")
        guard text.contains("-"), let instant = OffsetInstant(written) else { throw timeInvalid(text) }
        return .instant(instant.instant)
    }

    private static func timeInvalid(_ text: String) -> HabitError {
        HabitError(
            .dateInvalid,
            "'\(text)' is not an instant or an interval: write 2026-11-20T18:00:00Z, or an interval such as 2026-11-01/2026-11-20 with the earlier end first and .. for an open end",
            field: "datetime")
    }
}

extension RequestParameters {
    /// Whether the request contains `spreadsheet-safe=true`.
    var isSpreadsheetSafe: Bool {
        get throws { try choice(FeatureParameter.spreadsheetSafe.rawValue, Flag.self) == .true }
    }

    subscript(_ parameter: FeatureParameter) -> String? { self[parameter.rawValue] }
}
