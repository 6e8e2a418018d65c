import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird

/// Routes for the calendar of a user, and for the addresses at which calendar programs read it.
///
/// Calendar programs cannot send a token, so the address contains a secret. The secret opens only the calendar. The logs
/// contain the pattern of the path and not the path.
extension HabitatServer {
    func addCalendars(to router: Router<HabitContext>) {
        router.route("calendars/{calendarFile}", [.get: calendar])
        router.route("user/calendars", [.get: calendars, .post: createCalendar])
        router.route("user/calendars/{calendarId}", [.get: oneCalendar, .delete: revokeCalendar])
    }

    /// The end of the path of a calendar.
    private static let ending = ".ics"

    private func calendar(_ request: Request, _ context: HabitContext) async throws -> Response {
        let name = try context.parameter("calendarFile")
        guard name.hasSuffix(Self.ending) else { throw Problem.calendarNotFound }
        let viewer = try await authenticator.holder(of: String(name.dropLast(Self.ending.count)), as: .calendar).viewer
        _ = try RequestParameters(request, known: [])
        let clock = options.clock()
        let encoding = ContentEncoding(for: request)
        // The calendar contains the days from today on.
        let tag = ResponseTag(
            request, of: .viewer(viewer), for: .viewer(viewer), at: clock, dependsOnDay: true, ["calendar"])
        return try await respond(encoding, context, for: Requester(viewer), on: .responses, tagged: tag) {
            session, begin in
            let feed = try CalendarFeed(viewer, clock: clock, in: session)
            try feed.write(to: try begin([.contentType: MediaType.calendar.text]))
        }
    }

    // MARK: Addresses

    private func calendars(_ request: Request, _ context: HabitContext) async throws -> Response {
        let addresses = try await ownAddresses(request).map(Self.document)
        return Response(["calendars": .list(addresses)], headers: [.cacheControl: "no-store"])
    }

    private func oneCalendar(_ request: Request, _ context: HabitContext) async throws -> Response {
        let id = try context.parameter("calendarId")
        guard let address = try await ownAddresses(request).first(where: { $0.id == id }) else {
            throw Self.unknownAddress(id)
        }
        return Response(Self.document(address), headers: [.cacheControl: "no-store"])
    }

    private func ownAddresses(_ request: Request) async throws -> [Token.Summary] {
        let (viewer, _) = try await user(of: request)
        _ = try RequestParameters(request, known: [])
        let clock = options.clock()
        return try await pool.read(for: Requester(viewer)) {
            try TokenActions(clock: clock, in: $0).tokens(of: viewer, .calendar)
        }
    }

    private static func unknownAddress(_ id: String) -> HabitError {
        HabitError(.notFound, "the calendar address '\(id)' does not exist", field: "calendar")
    }

    private struct NewCalendar: Decodable {
        var label: String?
    }

    /// The maximum length of a label in characters.
    static let labelLimit = 50

    private func createCalendar(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        _ = try RequestParameters(request, known: [])
        let label = try await withBody(of: request, for: viewer.name, limit: 16_384) {
            guard let sent = try? JSONDecoder().decode(NewCalendar.self, from: Data($0)) else {
                throw HabitError(
                    .rowInvalid, "the body is not a JSON object with a text 'label': send one, or {}", field: "label")
            }
            return sent.label
        }
        guard label?.unicodeScalars.count ?? 0 <= Self.labelLimit else {
            throw HabitError(
                .fieldInvalid, "the label is longer than \(Self.labelLimit) characters: send another label",
                field: "label")
        }
        try label?.requireSingleLine("label")
        let clock = options.clock()
        let created = try await pool.write(for: Requester(viewer)) {
            try TokenActions(clock: clock, in: $0).createCalendar(for: viewer, label: label)
        }
        let token = created.token
        audit("calendar.create", request, context, ["calendar": .text(token.id)])
        for id in created.revoked { audit("calendar.revoke", request, context, ["calendar": .text(id)]) }
        let url = "\(base(of: request))/calendars/\(token.secret)\(Self.ending)"
        let summary = Token.Summary(
            id: token.id, label: label, created: clock.now, expires: token.expires)
        return Response(
            Self.document(summary).merging(["url": .text(url)]), status: .created,
            headers: [.cacheControl: "no-store"])
    }

    private func revokeCalendar(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (viewer, _) = try await user(of: request)
        let (id, clock) = (try context.parameter("calendarId"), options.clock())
        try await pool.write(for: Requester(viewer)) { session in
            do {
                try TokenActions(clock: clock, in: session).revoke(id: id, .calendar, by: viewer)
            } catch let error as HabitError where error.code == .notFound {
                throw Self.unknownAddress(id)
            }
        }
        audit("calendar.revoke", request, context, ["calendar": .text(id)])
        return Response(status: .noContent)
    }

    private static func document(_ token: Token.Summary) -> JSON {
        func text(_ instant: Instant) -> JSON { .text(OffsetInstant(instant, offset: .utc).description) }
        return [
            "id": .text(token.id), "label": JSON(token.label), "created_at": text(token.created),
            "expires_at": token.expires == Token.never ? .null : text(token.expires),
        ]
    }
}
