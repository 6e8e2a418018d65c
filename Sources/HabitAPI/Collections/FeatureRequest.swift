import Base
import Foundation
import Geo
import HTTPServing
import HabitModel
import HabitStore
import Rendering
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
    /// The maximum number of points in a tile; `nil` if the request has no `max-points` parameter.
    var maxPoints: Int?
    var precision: Int
    var form: FeatureForm
    /// Whether CSV has an apostrophe before text that a spreadsheet might evaluate.
    var isSpreadsheetSafe = false

    /// Parses the parameters.
    ///
    /// - Parameters:
    ///   - parameters: The query parameters of the request.
    ///   - sorts: The sort orders of the list.
    ///   - forms: The forms of the list.
    ///   - accept: The header Accept, which selects the form if the request has no parameter `f`.
    /// - Throws: ``Problem`` and `HabitError` that name the invalid parameter.
    init(
        _ parameters: RequestParameters,
        sorts: [SortBy],
        forms: [FeatureForm] = FeatureForm.allCases,
        accept: String?
    ) throws {
        form = try Self.form(parameters, among: forms, accept: accept)
        page = form == .parquet ? try FeatureFile.page(parameters) : try Self.page(parameters)
        filter.boxOrUnlocated = try parameters[.bbox].map(Self.box)
        nearest = try Self.count(parameters[.nearest], .nearest)
        kinds = try Self.kinds(parameters)
        let within = try Self.distance(parameters, isNearest: nearest != nil)
        if parameters[.near] == Self.last {
            distanceFromLast = within
        } else if let center = try Self.center(parameters) {
            filter.near = Near(center: center, within: within)
        }
        filter.habitIDs = Self.habits(parameters)
        filter.habitTitles = parameters.all(.habitTitle)
        filter.notHabits = parameters.all(.notHabit)
        filter.exactComment = try Self.text(of: .comment, in: parameters)
        filter.comment = try Self.text(of: .commentContains, in: parameters)
        filter.commentWord = try Self.text(of: .commentWord, in: parameters)
        filter.users = parameters.list(.user)
        scope = try parameters.choice(.scope, EventQuery.Scope.self)
        states = try parameters[.state].map(ItemQuery.State.list)
        item = parameters[.item]
        search = try parameters[.search].map { text in
            try Parse.searchText(
                text,
                field: FeatureParameter.search.rawValue,
                in: "name or the id")
        }
        status = try parameters.choice(.status, FollowStatus.self)
        sort = try Self.sort(parameters, allowed: sorts)
        expression = try FilterNode.filter(in: parameters)
        if parameters[.properties] != nil {
            properties = parameters.list(.properties)
        }
        maxPoints = try Self.count(
            parameters[.maxPoints],
            .maxPoints,
            to: MapQuery.pointLimit)
        let digits = try Self.count(
            parameters[.precision],
            .precision,
            from: 0,
            to: 15)
        precision = digits ?? Self.defaultPrecision
        isSpreadsheetSafe = try parameters.isSpreadsheetSafe
        for text in parameters.all(.datetime) {
            try readTime(text)
        }
    }

    /// Creates a request for a page of all features.
    init(page: Page) {
        self.page = page
        kinds = [.events]
        precision = Self.defaultPrecision
        form = .geojson
    }

    /// Decimal places of coordinates if the request has no `precision` parameter.
    private static let defaultPrecision = 7

    /// Whether the features have the names of their users, which a client without a token cannot see.
    var showsUserName: Bool {
        guard !isPublic, let properties else { return false }
        return properties.contains(FeatureCollection.userName)
    }

    /// The options of the renderers.
    var renderOptions: RenderOptions {
        var options = RenderOptions()
        options.precision = precision
        options.spreadsheetSafe = isSpreadsheetSafe
        return options
    }

    /// Checks the names of properties.
    ///
    /// - Parameters:
    ///   - names: The names in the request.
    ///   - known: The names of the properties that features can have.
    /// - Throws: `parameter-invalid` for an unknown name, and for a name that occurs twice.
    static func checkProperties(_ names: [String], among known: [String]) throws {
        let field = FeatureParameter.properties.rawValue
        guard Set(names).count == names.count else {
            throw Problem.invalid(field, "'properties' contains a name twice: send each name once")
        }
        guard let unknown = names.first(where: { name in !known.contains(name) }) else { return }
        throw Problem.invalid(
            field,
            "unknown property '\(unknown)': use \(known.joined(separator: ", "))")
    }

    /// Returns the form that the parameter `f` names or the header Accept selects.
    private static func form(
        _ parameters: RequestParameters,
        among forms: [FeatureForm],
        accept: String?
    ) throws -> FeatureForm {
        guard let name = parameters[.f] else { return FeatureForm(accept: accept, among: forms) }
        guard let form = FeatureForm(rawValue: name), forms.contains(form) else {
            let names = forms.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid("f", "'\(name)' is not a value of 'f': use one of \(names)")
        }
        return form
    }

    private static func page(_ parameters: RequestParameters) throws -> Page {
        let wanted = try count(parameters[.limit], .limit)
        let limit = min(wanted ?? FeatureParameter.defaultLimit, FeatureParameter.maximumLimit)
        guard let after = parameters[.after] else { return Page(limit: limit) }
        return Page(limit: limit, after: try Cursor(after))
    }

    /// Parses a number.
    static func count(
        _ text: String?,
        _ parameter: FeatureParameter,
        from least: Int = 1,
        to most: Int = .max
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
        var sides = parts(of: text, at: ",")
        guard sides.count == 6 else {
            return try Parse.box(text)
        }
        // The third and the sixth number are the heights.
        sides.remove(at: 5)
        sides.remove(at: 2)
        return try Parse.box(sides.joined(separator: ","))
    }

    /// Parses the kinds, in the order of all kinds.
    private static func kinds(_ parameters: RequestParameters) throws -> [NearQuery.Kind] {
        guard let text = parameters[.kind] else { return [.events] }
        let names = parameters.list(.kind)
        let kinds = NearQuery.Kind.allCases
        let allNames = kinds.map(\.rawValue)
        guard !names.isEmpty, names.allSatisfy(allNames.contains) else {
            throw Problem.invalid(
                "kind",
                "'\(text)' is not a list of kinds: use \(allNames.joined(separator: ", ")), separated by commas")
        }
        return kinds.filter { kind in names.contains(kind.rawValue) }
    }

    /// Returns the IDs of habits, which several parameters and a list with commas can contain.
    ///
    /// A parameter without an ID stands for an unknown habit, and not for all habits.
    private static func habits(_ parameters: RequestParameters) -> [String] {
        let ids = parameters.list(.habit)
        return ids.isEmpty ? parameters.all(.habit) : ids
    }

    /// Parses the maximum distance from a position.
    private static func distance(
        _ parameters: RequestParameters,
        isNearest: Bool
    ) throws -> Distance {
        guard let text = parameters[.within] else {
            return isNearest ? .farthest : Near.defaultDistance
        }
        return try Parse.distance(text, field: "within")
    }

    /// Returns the parts between separators, of which some may be empty.
    private static func parts(of text: String, at separator: Character) -> [String] {
        let parts = text.split(
            separator: separator,
            omittingEmptySubsequences: false)
        return parts.map(String.init)
    }

    private static func center(_ parameters: RequestParameters) throws -> Position? {
        guard let text = parameters[.near] else {
            guard parameters[.within] == nil else {
                throw Problem.invalid("within", "'within' requires a position: add near=LONGITUDE,LATITUDE")
            }
            return nil
        }
        guard let center = position(text) else {
            throw HabitError(
                .positionInvalid,
                "'\(text)' is not a position: write LONGITUDE,LATITUDE in degrees, such as -9.1393,38.7223, or last",
                field: "near")
        }
        return center
    }

    /// Parses a longitude and a latitude in degrees, or returns `nil` for another text.
    static func position(_ text: String) -> Position? {
        let sides = parts(of: text, at: ",")
        guard sides.count == 2,
            let longitude = Position.degrees(sides[0], axis: .longitude),
            let latitude = Position.degrees(sides[1], axis: .latitude)
        else { return nil }
        return Position(longitude: longitude, latitude: latitude)
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
        let center = try viewer.position(
            Self.last,
            field: FeatureParameter.near.rawValue,
            in: session)
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
        request.condition = condition
        request.filter.condition = condition
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

    private static func text(
        of parameter: FeatureParameter,
        in parameters: RequestParameters
    ) throws -> String? {
        guard let text = parameters[parameter] else { return nil }
        return try Parse.searchText(text, field: parameter.rawValue)
    }

    private static func sort(
        _ parameters: RequestParameters,
        allowed sorts: [SortBy]
    ) throws -> SortBy? {
        guard var text = parameters[.sortby] else { return nil }
        // A '+' that is not percent-encoded is decoded as a space.
        let lacksSign = text == "distance" || text == "time"
        if lacksSign || text.hasPrefix(" ") {
            text = "+" + text.trimmingCharacters(in: .whitespaces)
        }
        guard let sort = SortBy(rawValue: text), sorts.contains(sort) else {
            let names = sorts.map(\.rawValue).joined(separator: " or ")
            throw Problem.invalid("sortby", "'\(text)' is not a sort order of this list: use \(names)")
        }
        guard sort != .distance || parameters[.near] != nil else {
            throw Problem.invalid("sortby", "+distance requires a position: add near=LONGITUDE,LATITUDE")
        }
        return sort
    }

    // MARK: Time (OGC API - Features, Part 1, section 7.15.4)

    private mutating func readTime(_ text: String) throws {
        let sides = Self.parts(of: text, at: "/")
        let isInterval = sides.count == 2
        guard isInterval || sides.count == 1 else { throw Self.timeInvalid(text) }
        let ends = try sides.map { side in try Self.moment(side, isOpen: isInterval) }
        let first = ends[0]
        let last = ends[ends.count - 1]
        guard first != nil || last != nil else {
            if sides.allSatisfy(\.isEmpty) { throw Self.timeInvalid(text) }
            // Both ends are open: the parameter has no effect.
            return
        }
        switch (first, last) {
        case (.instant?, _), (_, .instant?):
            try restrict(from: first?.begin, to: last?.end, text: text)
        default:
            try restrict(from: first?.day, to: last?.day, text: text)
        }
    }

    /// Restricts the filter to an interval of instants.
    private mutating func restrict(from: Instant?, to: Instant?, text: String) throws {
        if let from, let to, to < from {
            throw Self.timeInvalid(text)
        }
        let span = TimeSpan(from: from, to: to)
        filter.during = filter.during?.intersection(span) ?? span
    }

    /// Restricts the filter to an interval of days.
    private mutating func restrict(from first: Day?, to last: Day?, text: String) throws {
        if let first, let last, last < first {
            throw Self.timeInvalid(text)
        }
        let firstDays = [filter.from, first].compactMap(\.self)
        let lastDays = [filter.to, last].compactMap(\.self)
        filter.from = firstDays.max()
        filter.to = lastDays.min()
    }

    /// The requested interval, with local days, for records that have an instant and no day.
    var span: TimeSpan? {
        let hasDays = filter.from != nil || filter.to != nil
        guard hasDays else { return filter.during }
        var days = TimeSpan(from: nil, to: nil)
        days.firstDay = filter.from
        days.lastDay = filter.to
        return filter.during?.intersection(days) ?? days
    }

    private enum Moment {
        case day(Day)
        case instant(Instant)

        var day: Day? {
            guard case .day(let day) = self else { return nil }
            return day
        }

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
            case .day:
                Instant(microseconds: begin.microseconds + Instant.microsecondsPerDay - 1)
            case .instant(let instant): instant
            }
        }
    }

    private static func moment(_ text: String, isOpen: Bool) throws -> Moment? {
        if isOpen, text.isEmpty || text == ".." { return nil }
        // GDAL compares dates with 2026-11-18T.
        let date = text.hasSuffix("T") ? String(text.dropLast()) : text
        if let day = Day(date) { return .day(day) }
        // A '+' that is not percent-encoded is decoded as a space.
        let written = text.split(separator: " ").joined(separator: "+")
        guard text.contains("-"), let instant = OffsetInstant(written) else {
            throw timeInvalid(text)
        }
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
        get throws { try choice(.spreadsheetSafe, Flag.self) == .true }
    }

    subscript(_ parameter: FeatureParameter) -> String? {
        self[parameter.rawValue]
    }

    fileprivate func all(_ parameter: FeatureParameter) -> [String] {
        all(parameter.rawValue)
    }

    fileprivate func list(_ parameter: FeatureParameter) -> [String] {
        list(parameter.rawValue)
    }

    fileprivate func choice<Choice: RawRepresentable & CaseIterable>(
        _ parameter: FeatureParameter,
        _ type: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
        try choice(parameter.rawValue, type)
    }
}
