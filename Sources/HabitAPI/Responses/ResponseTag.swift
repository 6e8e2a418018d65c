import Base
import HTTPServing
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// The basis of the tag of a response, and the tags of the responses that the client has.
///
/// The tag does not depend on changes that the caller cannot see.
struct ResponseTag: Sendable {
    /// The part of the log of changes that the caller can see.
    private let part: LogPart
    /// The texts of the request and of its time on which the response depends.
    private let texts: [String]
    /// The value of If-None-Match.
    private let known: String?

    /// Creates the tag of the response to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - part: The part of the log that the caller can see.
    ///   - caller: The caller.
    ///   - clock: The time of the request.
    ///   - dependsOnDay: Whether the response contains anything that depends on a date, such as the status of a habit
    ///     or an expired item.
    ///   - parts: The parts of the request on which the response depends, in a fixed order.
    init(
        _ request: Request,
        of part: LogPart,
        for caller: Caller,
        at clock: Clock,
        dependsOnDay: Bool,
        _ parts: [String]
    ) {
        self.part = part
        known = request.headers[.ifNoneMatch]
        let quarter = dependsOnDay ? clock.quarter : "any day"
        texts = [caller.name, quarter, clock.tagPeriod] + parts
    }

    /// Reads the part of the log.
    ///
    /// - Parameter session: The session that reads the response.
    /// - Returns: The tags of the part.
    /// - Throws: An error of the engine.
    func tags(in session: any Session) throws -> LogTags {
        LogTags(try LogState(of: part, in: session))
    }

    /// Returns the tag of the response.
    ///
    /// - Parameter tags: The tags that ``tags(in:)`` has returned.
    /// - Returns: The tag without the content encoding.
    func value(_ tags: LogTags) -> EntityTag { EntityTag(value: tags.tag(of: texts)) }

    /// Reads the part of the log and returns the tag of the response.
    ///
    /// - Parameter session: The session that reads the response.
    /// - Returns: The tag without the content encoding.
    /// - Throws: An error of the engine.
    func value(in session: any Session) throws -> EntityTag { value(try tags(in: session)) }

    /// Checks that the client does not have the response already.
    ///
    /// - Parameter tag: The tag of the response in its content encoding.
    /// - Throws: ``NotModified`` if the client has it.
    func requireNew(_ tag: EntityTag) throws {
        guard !tag.matches(ifNoneMatch: known) else { throw NotModified(tag: tag) }
    }
}

/// Ends the reading of a response that the client already has.
struct NotModified: Error {
    /// The tag of the response.
    var tag: EntityTag
}

extension Clock {
    /// A text that changes whenever a local day may begin: the fixed date, or the quarter of an hour since the epoch.
    ///
    /// UTC offsets are multiples of 15 minutes.
    fileprivate var quarter: String { today.map(\.description) ?? "\(now.microseconds / 900_000_000)" }

    /// A text that changes every 30 days.
    ///
    /// The log keeps a change for 91 days. After that the newest change of a part may be an older one again, so a tag
    /// must not be valid that long.
    fileprivate var tagPeriod: String {
        let days = now.microseconds / 86_400_000_000
        return "\(days / 30)"
    }
}

extension FeatureView {
    /// The part of the log that the caller can see.
    ///
    /// The records of a public collection contain the names of their users and habits.
    var part: LogPart {
        guard isPublic else { return .viewer(viewer) }
        switch collection.kind {
        case .items, .users: return .everyone
        case .events, .habits: return .shared([.settings, .users, .habits, .pauses, .events])
        default: return .shared([.settings, .users, collection.kind])
        }
    }

    /// Returns the tag of a response with features of the collection.
    ///
    /// A page has words such as "today", so it depends on the date.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - parts: The parts of the request on which the response depends, in a fixed order.
    /// - Returns: The basis of the tag.
    func tag(of request: Request, _ parts: [String]) -> ResponseTag {
        ResponseTag(
            request,
            of: part,
            for: caller,
            at: clock,
            dependsOnDay: collection.dependsOnDay || pages != nil,
            parts + photoLinks.tagParts)
    }
}

extension FeatureCollection {
    /// Whether features depend on the date: the status of a habit and of its events, and the expiry of an item.
    var dependsOnDay: Bool {
        switch kind {
        case .habits, .events, .items: true
        default: false
        }
    }
}
