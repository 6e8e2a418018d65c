import Foundation
import HabitModel
import HabitStore
import StoreEngine

/// A report with the values of its parameters, ready to run on one state of the store.
public struct ReportRun {
    public let report: Report
    public var query: AnalystQuery
    /// What was given for each parameter, or stands for it, by name; absolute where the header's default is told from today.
    public let arguments: [String: String]

    /// Reads what was given for the parameters, by name; throws as ``Report/bindings(for:_:)``.
    public init(
        _ report: Report, _ arguments: [String: String], viewer: Viewer, clock: Clock, in session: any Session
    ) throws {
        self.report = report
        let today = try clock.today(of: viewer, in: session)
        let context = ReportContext(clock: clock, today: today, viewer: viewer, session: session)
        query = AnalystQuery(report.sql, viewer: viewer, clock: clock)
        query.isBuiltIn = report.isShipped
        query.parameters = try report.bindings(for: arguments, context)
        self.arguments = report.spelledOut(arguments, query.parameters)
        query.declared = report.declaredResult
    }

    /// Hands the shape to `begin` and each row to what that returns; says whether there are more than the row limit.
    ///
    /// Throws `report-invalid` with the report's file, `timeout`, and what `begin` and its result throw.
    @discardableResult
    public func run(
        in session: any Session, _ begin: (ResultShape) throws -> (any Row) throws -> Void
    ) throws -> Bool {
        try namingFile { try query.run(in: session, begin) }
    }

    public func plan(in session: any Session) throws -> [String] { try namingFile { try query.plan(in: session) } }

    /// Adds the report's file to what its SQL is wrong about.
    public func namingFile<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as HabitError where error.code == .reportInvalid {
            if error.file == nil { error.line = error.line.map { report.sqlLine + $0 - 1 } }
            error.file = error.file ?? report.file
            throw error
        }
    }
}

extension Engine {
    /// Runs `body` on one consistent state of the store, in a session that may run these reports.
    ///
    /// - Throws: `store-unavailable` as ``HabitStore/Engine/analyze(as:clock:_:)`` if a report is not embedded in the program; what
    ///   `body` throws.
    public func read<Result>(
        _ reports: [Report], as viewer: Viewer, clock: Clock, _ body: (any Session) throws -> Result
    ) throws -> Result {
        try reports.allSatisfy(\.isShipped) ? read(body) : analyze(as: viewer, clock: clock, body)
    }
}

extension Report {
    /// What stands for each parameter that has a value, in words; a date as the date that was meant.
    fileprivate func spelledOut(_ given: [String: String], _ values: [String: Value]) -> [String: String] {
        var words: [String: String] = [:]
        for parameter in parameters {
            var text = given[parameter.name]
            if case .default(let standard) = parameter.need { text = text ?? standard }
            if parameter.kind == .date, case .text(let day) = values[parameter.name] { text = day }
            words[parameter.name] = text
        }
        return words
    }

    var declaredResult: DeclaredResult {
        guard case .point(let longitude, let latitude) = geometry else { return DeclaredResult(shape: shape) }
        return DeclaredResult(shape: shape, point: (longitude, latitude))
    }

    /// All problems of the report, with what the engine says of its SQL. Needs no store: an empty one will do.
    public func problems(reservedOptions: some Sequence<String>, in session: any Session) -> [ReportProblem] {
        let check = ReportCheck(self, reservedOptions: reservedOptions)
        do {
            let query = AnalystQuery(sql, viewer: .operator, clock: Clock(now: .now))
            let statement = try query.compile(in: session)
            return check.problems(against: (try statement.columnNames, statement.parameters))
        } catch {
            let error = error as? HabitError ?? HabitError(.internal, ErrorLog.text(of: error), cause: error)
            return ReportCheck.sorted(
                check.problems() + [ReportProblem(line: sqlLine + (error.line ?? 1) - 1, error.plainText)])
        }
    }
}

extension Clock {
    /// The date of whoever asks: in a user's own zone, and in UTC for the operator, unless the clock says otherwise.
    public func today(of viewer: Viewer, in session: any Session) throws -> Day {
        if case .user = viewer { return try ActingUser(viewer, clock: self, in: session).today }
        return today(in: .utc)
    }
}
