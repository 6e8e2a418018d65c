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
    ///   - viewer: The viewer of the request.
    ///   - clock: The time of the request.
    ///   - session: A session of the store.
    /// - Returns: The token.
    /// - Throws: ``Problem`` with status 400 or 410 if the text is not a valid token.
    static func read(
        _ text: String?,
        field: String,
        for viewer: Viewer,
        at clock: Clock,
        in session: any Session
    ) throws -> ChangeToken {
        let state = try LogState(of: .viewer(viewer), in: session)
        let day = ChangeToken.day(of: clock)
        guard let text else { return ChangeToken(day: day) }
        let token = try TokenKey(state, viewer).token(text, field: field)
        guard token.isValid(on: day), try token.position.isKnown(in: session) else {
            throw ChangeToken.expired(field)
        }
        return token
    }
}
