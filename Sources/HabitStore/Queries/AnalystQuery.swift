import Geo
import HabitModel
import StoreEngine

/// A SELECT over the report views: an analyst's, or a report's.
public struct AnalystQuery: Sendable {
    public var text: String
    public var viewer: Viewer
    public var clock: Clock
    public var parameters: [String: Value]
    public var limits = QueryLimits()
    /// At most this many rows; nil: all.
    public var rowLimit: Int?
    /// Whether the text is embedded in the program, and so cannot be hostile.
    public var isBuiltIn = false
    /// What its result looks like, where that was declared; else the engine's values as they are.
    public var declared: DeclaredResult?

    public init(_ text: String, viewer: Viewer, clock: Clock, parameters: [String: Value] = [:]) {
        self.text = text
        self.viewer = viewer
        self.clock = clock
        self.parameters = parameters
    }

    /// Compiles the statement, and does not run it.
    public func compile(in session: any Session, isExplained: Bool = false) throws -> any Statement {
        let views = try ReportViews(viewer: viewer, clock: clock).offer(in: session)
        return try session.prepareAnalysis(
            text, over: views, limits: limits, isExplained: isExplained, origin: origin)
    }

    private var origin: AnalysisOrigin {
        if isBuiltIn { return .program }
        return viewer == .operator ? .operator : .user
    }

    /// How the engine would run it, a line each, indented by depth.
    public func plan(in session: any Session) throws -> [String] {
        let statement = try compile(in: session, isExplained: true)
        try bind(statement)
        return try session.planLines(of: statement)
    }

    /// Compiles the statement, then hands its shape to `begin` and each row to what that returns.
    ///
    /// Columns named `longitude` and `latitude` make the rows' points; one named `id` their identity. Returns whether there
    /// are more rows than the limit.
    @discardableResult
    public func run(
        in session: any Session, _ begin: (ResultShape) throws -> (any Row) throws -> Void
    ) throws -> Bool {
        // What fails leaves the session as it was.
        try session.attempt { try answer(in: session, begin) }
    }

    private func answer(
        in session: any Session, _ begin: (ResultShape) throws -> (any Row) throws -> Void
    ) throws -> Bool {
        let statement = try compile(in: session)
        try bind(statement)
        let names = try statement.columnNames
        try declared?.check(names)
        let (shape, point) = shape(names)
        let receive = try begin(shape)
        var count = 0
        var isCut = false
        try statement.forEach { row in
            if let rowLimit, count >= rowLimit {
                isCut = true
                return false
            }
            count += 1
            try declared?.check(row)
            if let point { try receive(PointRow(row: row, point: point)) } else { try receive(row) }
            return true
        }
        return isCut
    }

    private func bind(_ statement: any Statement) throws {
        try statement.bind(
            statement.parameters.map { name in
                guard !name.isEmpty else {
                    throw HabitError(
                        .reportInvalid, "the SQL has a parameter without a name: write ':name' instead of '?'")
                }
                guard let value = parameters[name] else {
                    if declared != nil {
                        throw HabitError(
                            .reportInvalid, "the SQL has a parameter ':\(name)' that the header does not declare")
                    }
                    let unknown = parameters.keys.sorted().first { !statement.parameters.contains($0) }
                    let hint = unknown.map { ", not -p \($0)=…" } ?? ""
                    throw HabitError(
                        .parameterMissing,
                        "the SQL has a parameter ':\(name)': give it a value with -p \(name)=VALUE\(hint)", field: name)
                }
                return value
            })
        for name in parameters.keys.sorted() where declared == nil && !statement.parameters.contains(name) {
            throw HabitError(
                .parameterInvalid, "the SQL has no parameter ':\(name)': leave -p \(name) out", field: name)
        }
    }

    private func shape(_ names: [String]) -> (ResultShape, PointRow.Point?) {
        if let declared {
            let point = declared.point.map {
                PointRow.Point(longitude: $0.longitude, latitude: $0.latitude, index: names.count)
            }
            return (declared.shape, point)
        }
        var shape = ResultShape(columns: names.enumerated().map { Column($1, .any, at: $0) })
        shape.identity = shape.columns.filter { $0.name == "id" }
        guard let longitude = names.firstIndex(of: "longitude"), let latitude = names.firstIndex(of: "latitude") else {
            return (shape, nil)
        }
        let point = PointRow.Point(longitude: longitude, latitude: latitude, index: names.count)
        shape.geometry = .point(point.index)
        shape.coordinates = ["longitude", "latitude"]
        return (shape, point)
    }
}

/// What the result of a SELECT is said to look like.
public struct DeclaredResult: Sendable {
    /// Its columns are the statement's, in order; a point stands behind the last.
    public var shape: ResultShape
    /// The indexes of the columns of which the point is made.
    public var point: (longitude: Int, latitude: Int)?

    public init(shape: ResultShape, point: (longitude: Int, latitude: Int)? = nil) {
        self.shape = shape
        self.point = point
    }

    /// Throws `report-invalid` where the statement gives something else.
    func check(_ names: [String]) throws {
        let declared = shape.columns.map(\.name)
        guard names != declared else { return }
        throw HabitError(
            .reportInvalid,
            "the SQL gives the columns \(names.joined(separator: ", ")), but the header declares \(declared.joined(separator: ", ")): make them alike"
        )
    }
}

extension DeclaredResult {
    /// Throws `report-invalid` where a value is not of its column's type: written as one it would be another.
    fileprivate func check(_ row: any Row) throws {
        for column in shape.columns {
            let fits =
                switch (column.value, row.storage(column.index)) {
                case (_, .null), (.longitude, _), (.latitude, _), (.any, _): true
                case (.text, .text), (.json, .text), (.day, .text), (.instant, .text): true
                case (.integer, .integer), (.number, .integer), (.number, .number): true
                case (.boolean, .integer): (0...1).contains(row.integer(column.index))
                default: false
                }
            guard !fits else { continue }
            throw HabitError(
                .reportInvalid,
                "the SQL gives the column '\(column.name)' a value that is not of the type that the header declares: correct the type, or CAST the value",
                field: column.name)
        }
    }
}

/// A row whose point is made of two of its columns, as if it stood in one more column at `index`.
private struct PointRow: RowDecorator {
    struct Point {
        var longitude: Int
        var latitude: Int
        var index: Int
    }

    let row: any Row
    let point: Point

    func value(at index: Int) -> Value? { index == point.index ? .point(position) : nil }

    private var position: Position? {
        guard isNumber(point.longitude), isNumber(point.latitude) else { return nil }
        return Position(longitude: row.number(point.longitude), latitude: row.number(point.latitude))
    }

    private func isNumber(_ index: Int) -> Bool { row.storage(index) == .number || row.storage(index) == .integer }
}
