import Base
import HTTPServing
import HabitModel
import HabitReport
import HabitStore

extension Problem {
    /// Runs `body`, which evaluates the parameters of a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - viewer: The viewer of the request.
    ///   - body: A closure that evaluates the parameters.
    /// - Returns: The result of `body`.
    /// - Throws: 403 `not-signed-in` with the parameter and the remedy if the operator's token lacks a user, otherwise
    ///   the error of `body`.
    static func namingUser<Result>(
        of report: Report,
        for viewer: Viewer,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as HabitError where error.code == .notSignedIn && viewer == .operator {
            throw userMissing(error, report)
        }
    }

    /// Returns the error of a report that needs a user, because the operator's token does not belong to a user.
    ///
    /// The shipped reports accept the operator's token. Only the value `me` of a parameter, which may be its default
    /// value, and the position `last` belong to a user.
    private static func userMissing(_ error: HabitError, _ report: Report) -> Problem {
        let parameter = report.parameters.first { parameter in parameter.optionName == error.field }
        let name = parameter?.optionName ?? ""
        let detail =
            switch parameter?.kind {
            case .user?:
                "the report '\(report.id)' needs a user: add '\(name)' with the ID of a user, or send the token of a user"
            case .position?:
                "'\(name)=last' needs the events of a user: send '\(name)' as LONGITUDE,LATITUDE, or the token of a user"
            default:
                "the report '\(report.id)' needs a user: send the token of a user"
            }
        var problem = Problem.userRequired(detail)
        problem.field = error.field
        return problem
    }
}
