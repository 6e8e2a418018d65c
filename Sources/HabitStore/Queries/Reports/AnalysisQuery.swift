import Base
import Geo
import HabitModel
import StoreEngine

/// A SELECT over the report views, from a user or from a report.
public struct AnalysisQuery: Sendable {
    /// The text of the SELECT.
    public var text: String
    /// The viewer of the query.
    ///
    /// The views contain only rows that the viewer can see.
    public var viewer: Viewer
    /// The clock that defines the current date of each user.
    public var clock: Clock
    /// The values of the SQL parameters, keyed by name without the colon.
    public var parameters: [String: Value]
    /// The limits on the execution.
    public var limits = QueryLimits()
    /// The maximum number of rows, or `nil` for all rows.
    public var rowLimit: Int?
    /// Whether the text is embedded in the program and therefore trusted.
    public var isBuiltIn = false
    /// The declared shape of the result, or `nil` to return the columns and values of the engine unchanged.
    public var declared: DeclaredResult?

    /// Creates a query without a row limit.
    ///
    /// - Parameters:
    ///   - text: The text of the SELECT.
    ///   - viewer: The viewer of the query.
    ///   - clock: The clock of the query.
    ///   - parameters: The values of the SQL parameters, keyed by name without the colon.
    public init(_ text: String, viewer: Viewer, clock: Clock, parameters: [String: Value] = [:]) {
        self.text = text
        self.viewer = viewer
        self.clock = clock
        self.parameters = parameters
    }

    /// Compiles the statement without running it.
    ///
    /// - Parameters:
    ///   - session: The session that runs the statement.
    ///   - crew: Other threads, which do a part of the work if ``canUseThreads(_:)``.
    ///   - isExplained: Whether to compile a statement that explains the SELECT.
    /// - Returns: The compiled statement. Its parameters are not bound.
    /// - Throws: `report-invalid` if the text is not a permitted SELECT over the report views; `store-unavailable` if
    ///   the SQL is from a user and the store does not have a role that can run it.
    public func compile(
        in session: any Session,
        crew: ReadCrew = .alone,
        isExplained: Bool = false
    ) throws -> any Statement {
        let reportViews = ReportViews(
            viewer: viewer,
            clock: clock,
            crew: crew,
            limits: limits)
        let views = try reportViews.register(in: session, for: text, origin: origin)
        return try session.prepareAnalysis(
            text,
            over: views,
            limits: limits,
            isExplained: isExplained,
            origin: origin)
    }

    /// Returns whether a SELECT calls a table function whose work several threads can share.
    ///
    /// - Parameter text: The text of the SELECT.
    /// - Returns: `false` if further threads would have nothing to do.
    public static func canUseThreads(_ text: String) -> Bool { ReportViews.canUseThreads(text) }

    private var origin: AnalysisOrigin {
        if isBuiltIn { return .program }
        return viewer == .operator ? .operator : .untrusted
    }

    /// Returns the engine's query plan, one line for each step, indented by depth.
    ///
    /// - Throws: The errors of ``compile(in:isExplained:)``; `parameter-missing` or `parameter-invalid` if the
    ///   parameters do not match the statement.
    public func plan(in session: any Session) throws -> [String] {
        let statement = try compile(in: session, isExplained: true)
        try bind(statement)
        return try session.planLines(of: statement)
    }

    /// Compiles and runs the statement, and passes its shape and its rows to the caller.
    ///
    /// Without a declared shape, columns named `longitude` and `latitude` form the point of a row, and a column named
    /// `id` forms the identity. If the method throws, the session stays usable.
    ///
    /// - Parameters:
    ///   - session: The session that runs the statement.
    ///   - crew: Other threads, which do a part of the work if ``canUseThreads(_:)``.
    ///   - begin: A closure that receives the shape before the first row and returns a closure for the rows.
    /// - Returns: Whether the result has more rows than ``rowLimit``.
    /// - Throws: `report-invalid` if the text is not a permitted SELECT or if its result differs from the declared
    ///   shape. `parameter-missing` or `parameter-invalid` if the parameters do not match the statement. `timeout` if
    ///   the execution exceeds its time. The errors of `begin` and of its closure.
    @discardableResult
    public func run(
        in session: any Session,
        crew: ReadCrew = .alone,
        _ begin: (ResultShape) throws -> (any Row) throws -> Void
    ) throws -> Bool {
        // After an error, the session is in its previous state.
        try session.attempt {
            try answer(in: session, crew: crew, begin)
        }
    }

    private func answer(
        in session: any Session,
        crew: ReadCrew,
        _ begin: (ResultShape) throws -> (any Row) throws -> Void
    ) throws -> Bool {
        let statement = try compile(in: session, crew: crew)
        try bind(statement)
        let names = try statement.columnNames
        try declared?.check(names)
        let rowShape = shape(names)
        let receive = try begin(rowShape.shape)
        var count = 0
        var isCut = false
        try statement.forEach { row in
            if let rowLimit, count >= rowLimit {
                isCut = true
                return false
            }
            count += 1
            try declared?.check(row)
            if let point = rowShape.point {
                try receive(PointRow(row: row, point: point))
            } else {
                try receive(row)
            }
            return true
        }
        return isCut
    }

    private func bind(_ statement: any Statement) throws {
        let values = try statement.parameters.map { name in
            try value(of: name)
        }
        try statement.bind(values)
        guard declared == nil else { return }
        for name in parameters.keys.sorted() where !statement.parameters.contains(name) {
            throw HabitError(
                .parameterInvalid,
                "the SQL has no parameter ':\(name)'",
                field: name,
                .omitSQLParameter(name))
        }
    }

    /// Returns the value of a parameter of the statement.
    private func value(of name: String) throws -> Value {
        guard !name.isEmpty else {
            throw HabitError(
                .reportInvalid,
                "the SQL has a parameter without a name: write ':name' instead of '?'")
        }
        if let value = parameters[name] {
            return value
        }
        if declared != nil {
            throw HabitError(
                .reportInvalid,
                "the SQL has the parameter ':\(name)', which the header does not declare: declare it")
        }
        throw HabitError(
            .parameterMissing,
            "the parameter ':\(name)' of the SQL has no value",
            field: name,
            .giveSQLParameter(name))
    }

    /// The shape of the rows, and the point that two of their columns define.
    private struct RowShape {
        var shape: ResultShape
        /// The point, or `nil` for rows without a point.
        var point: PointRow.Point?
    }

    private func shape(_ names: [String]) -> RowShape {
        if let declared {
            var rowShape = RowShape(shape: declared.shape)
            if let point = declared.point {
                rowShape.point = PointRow.Point(
                    longitude: point.longitude,
                    latitude: point.latitude,
                    index: names.count)
            }
            return rowShape
        }
        let columns = names.enumerated().map { index, name in
            Column(name, .any, at: index)
        }
        var shape = ResultShape(columns: columns)
        shape.identity = shape.columns.filter { $0.name == "id" }
        guard let longitude = names.firstIndex(of: "longitude"),
            let latitude = names.firstIndex(of: "latitude")
        else {
            return RowShape(shape: shape)
        }
        let point = PointRow.Point(
            longitude: longitude,
            latitude: latitude,
            index: names.count)
        shape.geometry = .point(point.index)
        shape.coordinates = ["longitude", "latitude"]
        return RowShape(shape: shape, point: point)
    }
}

/// The declared shape of the result of a SELECT.
public struct DeclaredResult: Sendable {
    /// The shape, with the columns of the statement in the same order.
    ///
    /// A point has the index after the last column.
    public var shape: ResultShape
    /// The indices of the columns with the coordinates of the point, or `nil` for rows without a point.
    public var point: (longitude: Int, latitude: Int)?

    /// Creates a declared result.
    ///
    /// - Parameters:
    ///   - shape: The shape of the rows.
    ///   - point: The indices of the columns with the coordinates of the point, or `nil` for rows without a point.
    public init(shape: ResultShape, point: (longitude: Int, latitude: Int)? = nil) {
        self.shape = shape
        self.point = point
    }

    /// Checks the names of the statement's columns.
    ///
    /// - Throws: `report-invalid` if the names differ from the declared names.
    func check(_ names: [String]) throws {
        let declared = shape.columns.map(\.name)
        guard names != declared else { return }
        throw HabitError(
            .reportInvalid,
            "the SQL returns the columns \(names.joined(separator: ", ")), but the header declares \(declared.joined(separator: ", ")): make them equal"
        )
    }
}

extension DeclaredResult {
    /// Checks the types of the values in a row.
    ///
    /// The output of a value with another type would be a different value.
    ///
    /// - Throws: `report-invalid` if a value does not have the type of its column.
    fileprivate func check(_ row: any Row) throws {
        for column in shape.columns {
            let fits =
                switch (column.value, row.storage(column.index)) {
                case (_, .null), (.longitude, _), (.latitude, _), (.any, _): true
                case (.text, .text), (.json, .text), (.day, .text), (.instantText, .text): true
                case (.integer, .integer), (.number, .integer), (.number, .number): true
                case (.boolean, .integer): (0...1).contains(row.integer(column.index))
                default: false
                }
            guard !fits else { continue }
            throw HabitError(
                .reportInvalid,
                "a value of the column '\(column.name)' does not have the type that the header declares: correct the type, or CAST the value",
                field: column.name)
        }
    }
}

/// A row with an additional column at `index`: the point that two of its columns define.
private struct PointRow: RowDecorator {
    struct Point {
        var longitude: Int
        var latitude: Int
        var index: Int
    }

    let row: any Row
    let point: Point

    func value(at index: Int) -> Value? {
        index == point.index ? .point(position) : nil
    }

    private var position: Position? {
        guard isNumber(point.longitude), isNumber(point.latitude) else {
            return nil
        }
        return Position(
            longitude: row.number(point.longitude),
            latitude: row.number(point.latitude))
    }

    private func isNumber(_ index: Int) -> Bool {
        let storage = row.storage(index)
        return storage == .number || storage == .integer
    }
}
