import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

extension ChangeToken {
    /// The query parameter with the token of the last response.
    static let parameter = "since"

    /// The description of the parameter.
    static let queryParameter = QueryParameter(
        parameter,
        "The token of the last response. A token is valid for 90 days.",
        schema: ["type": "string"])

    /// Returns the token of a request, or the token of a client without records.
    ///
    /// - Parameters:
    ///   - text: The text of the token, or `nil`.
    ///   - field: The name of the parameter or header with the token.
    ///   - filter: The records that the request selects, or `nil` if it selects no records.
    ///   - viewer: The viewer of the request.
    ///   - clock: The time of the request.
    ///   - session: A session of the store.
    /// - Returns: The token.
    /// - Throws: ``Problem`` with status 400 or 410 if the text is not a valid token, and with status 400 if the
    ///   request selects other records than the token.
    static func read(
        _ text: String?,
        field: String,
        filter: SyncFilter?,
        for viewer: Viewer,
        at clock: Clock,
        in session: any Session
    ) throws -> ChangeToken {
        let state = try LogState(of: .viewer(viewer), in: session)
        let day = ChangeToken.day(of: clock)
        guard let text else {
            return ChangeToken(day: day, filter: filter ?? .everything)
        }
        let token = try TokenKey(state, viewer).token(text, field: field)
        guard token.isValid(on: day), try token.position.isKnown(in: session) else {
            throw ChangeToken.expired(field)
        }
        guard filter == nil || filter == token.filter else {
            throw Problem.invalid(
                field,
                "'\(field)' is the token of a copy of other records: omit 'collections', 'from', 'near' and 'within', or omit '\(field)'"
            )
        }
        return token
    }
}
