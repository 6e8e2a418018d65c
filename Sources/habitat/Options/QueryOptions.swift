import ArgumentParser
import Base
import Foundation
import HabitModel
import HabitStore
import StoreEngine

/// The limits of user-supplied SQL, for reports and queries.
struct QueryOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum run time of the query, such as 5s or 2m.", valueName: "time"), completion: .anyText)
    var timeout = "60s"

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?

    func rowLimit() throws -> Int? { try Parse.count(limit, option: "limit") }

    func limits(_ common: CommonOptions) throws -> QueryLimits { try Self.limits(timeout, common) }

    static func limits(_ timeout: String, _ common: CommonOptions) throws -> QueryLimits {
        let time = try Parse.duration(timeout, option: "timeout")
        guard time > .zero else {
            throw HabitError(.parameterInvalid, "--timeout must be greater than 0: write 5s or 2m", field: "timeout")
        }
        let report = common.report
        return QueryLimits(timeout: time) { error in
            report.write(error)
            _exit(error.code.exitStatus)
        }
    }
}
