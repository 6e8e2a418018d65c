import Base
import Foundation
import HabitModel
import HabitStore
import StoreEngine

/// A report with the values of its parameters, ready to run on one state of the store.
public struct ReportRun {
    /// The report to run.
    public let report: Report
    /// The query of the report's SQL, with its parameters and limits.
    public var query: AnalysisQuery
    /// The given or default text of each parameter that has a value, by name.
    ///
    /// Relative dates are made absolute. The text of an area is the number of its polygons and positions.
    public let arguments: [String: String]

    /// Evaluates the parameters of a report.
    ///
    /// - Parameters:
    ///   - report: The report to run.
    ///   - arguments: The given texts by parameter name.
    ///   - viewer: The user who runs the report, or the operator.
    ///   - clock: The clock of the report.
    ///   - nameRule: The texts that stand for the records that parameters name.
    ///   - places: The names of places that stand for positions.
    ///   - session: A session on the state of the store that the report reads.
    /// - Throws: The errors of ``Report/bindings(for:_:)``.
    public init(
        _ report: Report, _ arguments: [String: String], viewer: Viewer, clock: Clock,
        nameRule: NameLookup.Rule = .whole, places: PlaceNames = .none, in session: any Session
    ) throws {
        self.report = report
        let today = try clock.today(of: viewer, in: session)
        var context = ReportContext(clock: clock, today: today, viewer: viewer, session: session)
        context.nameRule = nameRule
        context.places = places
        query = AnalysisQuery(report.sql, viewer: viewer, clock: clock)
        query.isBuiltIn = report.isShipped
        query.parameters = try report.bindings(for: arguments, context)
        self.arguments = report.spelledOut(arguments, query.parameters)
        query.declared = report.declaredResult
    }

    /// Runs the report and passes its shape to `begin` and each row to the closure that `begin` returns.
    ///
    /// - Parameters:
    ///   - session: A session on the state of the store that the report reads.
    ///   - begin: Receives the shape before the first row and returns the closure for the rows.
    /// - Returns: Whether the result has more rows than the row limit.
    /// - Throws: `report-invalid` with the report's file, `timeout`, and the errors of the closures.
    @discardableResult
    public func run(
        in session: any Session, _ begin: (ResultShape) throws -> (any Row) throws -> Void
    ) throws -> Bool {
        try namingFile { try query.run(in: session, begin) }
    }

    /// Returns the query plan of the engine, one line per step, indented by depth.
    ///
    /// - Parameter session: A session on the store.
    /// - Returns: The lines of the plan.
    /// - Throws: `report-invalid` with the report's file.
    public func plan(in session: any Session) throws -> [String] { try namingFile { try query.plan(in: session) } }

    /// Runs `body` and adds the report's file and the line in that file to a `report-invalid` error.
    ///
    /// - Parameter body: A closure that compiles or runs the SQL of the report.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func namingFile<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as HabitError where error.code == .reportInvalid {
            if error.file == nil {
                error.line = error.line.map { line in report.sqlLine + line - 1 }
                error.file = report.file
            }
            throw error
        }
    }
}

extension ReadTeam {
    /// Runs `body` on one consistent state of the store, in a session that may run these reports.
    ///
    /// - Parameters:
    ///   - reports: The reports that `body` runs.
    ///   - viewer: The user who runs the reports, or the operator.
    ///   - clock: The clock of the reports.
    ///   - body: A closure that runs the reports. Its session is valid only until the closure returns.
    /// - Returns: The result of `body`.
    /// - Throws: `store-unavailable` as ``HabitStore/Engine/analyze(as:clock:_:)`` does if a report is not embedded in
    ///   the program, and the error of `body`.
    public func read<Result>(
        _ reports: [Report], as viewer: Viewer, clock: Clock, _ body: (any Session, ReadCrew) throws -> Result
    ) throws -> Result {
        let areShipped = reports.allSatisfy(\.isShipped)
        return try read(
            { engine, snapshot, body in
                if areShipped { return try engine.read(at: snapshot, body) }
                try engine.analyze(as: viewer, clock: clock, at: snapshot, body)
            }, body)
    }
}

extension Report {
    /// Returns the given or default text of each parameter that has a value.
    ///
    /// Dates are absolute. The text of an area is the number of its polygons and positions.
    fileprivate func spelledOut(_ given: [String: String], _ values: [String: Value]) -> [String: String] {
        var words: [String: String] = [:]
        for parameter in parameters {
            var text = given[parameter.name]
            if case .default(let standard) = parameter.need { text = text ?? standard }
            if case .text(let value) = values[parameter.name] {
                switch parameter.kind {
                case .date: text = value
                case .area:
                    let area = try? parameter.area(value)
                    text = area.map { area in
                        "polygons: \(area.polygons.count), positions: \(area.positionCount)"
                    }
                default: break
                }
            }
            words[parameter.name] = text
        }
        return words
    }

    /// The result that the header declares, with the columns of a point.
    var declaredResult: DeclaredResult {
        guard case .point(let longitude, let latitude) = geometry else { return DeclaredResult(shape: shape) }
        return DeclaredResult(shape: shape, point: (longitude, latitude))
    }

    /// Returns all problems of the report, including problems that the engine finds in its SQL.
    ///
    /// - Parameters:
    ///   - reservedOptions: The names of the command's own options, without dashes.
    ///   - session: A session on any store. An empty store is sufficient.
    /// - Returns: The problems, sorted by line.
    public func problems(reservedOptions: some Sequence<String>, in session: any Session) -> [ReportProblem] {
        let check = ReportCheck(self, reservedOptions: reservedOptions)
        do {
            let query = AnalysisQuery(sql, viewer: .operator, clock: Clock(now: .now))
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
    /// Returns the current date of the viewer: in the user's time zone, or in UTC for the operator.
    ///
    /// A date that is set in the clock takes precedence.
    ///
    /// - Parameters:
    ///   - viewer: The user who runs the report, or the operator.
    ///   - session: A session that reads the user's time zone.
    /// - Returns: The date.
    /// - Throws: An error of the engine. The operator's date does not require a query.
    public func today(of viewer: Viewer, in session: any Session) throws -> Day {
        if case .user = viewer { return try ActingUser(viewer, clock: self, in: session).today }
        return today(in: .utc)
    }
}
