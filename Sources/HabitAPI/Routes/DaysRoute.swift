import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// The route for the caller's own days: due habits, events and progress, and the status of each habit.
package struct DaysRoute: RouteGroup {
    private let store: StorePool
    private let page: Route.Handler

    /// Creates the route.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - page: Responds to a browser that opens `/days`.
    package init(store: StorePool, page: @escaping Route.Handler) {
        self.store = store
        self.page = page
    }

    package var routes: [Route] {
        [Route(.get, "/days", operation: Self.operation, handler: days).opening(page)]
    }

    // MARK: Descriptions

    private static let operation = RouteOperation(
        "days",
        summary: "Get your days",
        description:
            "Returns the token user's own habits with their status as of today, and the days of a range. A day has a flag for due habits, the event, the outcome and the progress. The range has at most \(HabitDays.dayLimit) days. Today is the current date in the time zone of the account. A client that prefers HTML gets the application.",
        permission: .users(refusal: "the operator has no days: send the token of a user"),
        query: [
            QueryParameter("from", dayMeaning("First"), schema: daySchema),
            QueryParameter("to", dayMeaning("Last"), schema: daySchema),
            .onlyJSON,
        ],
        content: .content(.json, schema: .reference("Days")))

    private static func dayMeaning(_ bound: String) -> String {
        "\(bound) day of the range: a date, or a day such as `today`, `-7d`, `mon` or `2026-W47`. The default is today."
    }

    private static let daySchema: JSON = ["type": "string", "example": "2026-11-20"]

    // MARK: Response

    /// The tag of a response, and the bytes of its document unless the client already has them.
    private struct Body: Sendable {
        var tag: EntityTag
        var bytes: [UInt8]?
    }

    @Sendable private func days(_ call: Call) async throws -> Response {
        try call.requireJSON()
        let range = try DayRange(call.parameters)
        let encoding = ContentEncoding(for: call.request)
        let body = try await store.read(for: call.requester) { session in
            let user = try ActingUser(try call.viewer, clock: call.clock, in: session)
            let days = try range.days(today: user.today)
            let tag = try Self.tag(of: call, days: days, today: user.today, in: session).encoded(encoding)
            guard !tag.matches(ifNoneMatch: call.request) else { return Body(tag: tag) }
            let document = try HabitDays(days, of: user).document
            return Body(tag: tag, bytes: document.bytes)
        }
        guard let bytes = body.bytes else { return .notModified(body.tag) }
        let headers: HTTPFields = [
            .eTag: body.tag.text,
            .contentType: ContentType.json.text,
        ]
        return try Response(
            bytes,
            encoded: encoding,
            headers: HTTPFields.revalidated.merging(headers))
    }

    /// Returns the tag of the response, which changes with the visible changes of the caller and at midnight.
    private static func tag(
        of call: Call,
        days: ClosedRange<Day>,
        today: Day,
        in session: any Session
    ) throws -> EntityTag {
        let tag = ResponseTag(
            call.request,
            of: .viewer(try call.viewer),
            for: call.caller,
            at: call.clock,
            // The parts contain the current date in the time zone of the user.
            dependsOnDay: false,
            ["days", "\(days.lowerBound)", "\(days.upperBound)", "\(today)"])
        return try tag.value(in: session)
    }
}

/// The first and the last day of a request.
private struct DayRange {
    private let from: DayExpression?
    private let to: DayExpression?

    /// Reads the parameters `from` and `to`.
    ///
    /// - Throws: `date-invalid`.
    init(_ parameters: RequestParameters) throws {
        from = try parameters["from"].map { text in
            try DayExpression(text, as: .first, field: "from")
        }
        to = try parameters["to"].map { text in
            try DayExpression(text, as: .last, field: "to")
        }
    }

    /// Returns the days.
    ///
    /// - Parameter today: The current date of the user, which is the default of both days.
    /// - Returns: The days.
    /// - Throws: `date-invalid` for a day out of range, `parameter-invalid` for a range that is empty or too long.
    func days(today: Day) throws -> ClosedRange<Day> {
        let first = try from?.day(today: today) ?? today
        let last = try to?.day(today: today) ?? today
        guard first <= last else {
            throw Problem.invalid("from", "'from' (\(first)) is after 'to' (\(last)): send an earlier first day")
        }
        let count = first.distance(to: last) + 1
        let limit = HabitDays.dayLimit
        guard count <= limit else {
            throw Problem(
                .badRequest,
                slug: ErrorCode.parameterInvalid,
                detail: "the range has \(count) days, and at most \(limit) are allowed: send a later 'from'",
                field: "from",
                parameters: [.count(count), .limit(limit)])
        }
        return first...last
    }
}
