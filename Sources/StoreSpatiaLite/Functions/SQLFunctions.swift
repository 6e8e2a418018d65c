import Base
import CSQLite
import Geo
import Glibc

/// The SQL functions of Habitat that every SpatiaLite connection has.
enum SQLFunctions {
    /// The flags of functions whose result depends only on their arguments.
    private static let pure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS

    static func register(on connection: OpaquePointer) {
        registerCalendar(on: connection)
        registerStatistics(on: connection)
        // Returns 1 if a position is in an area of GeoJSON or on its border, otherwise 0.
        let geoJSON = LastArea { bytes in
            do throws(AreaError) { return .success(try Area(geoJSON: bytes)) } catch { return .failure(error) }
        }
        add("in_area", 3, to: connection, with: geoJSON) { context, _, arguments in
            guard let arguments, let position = position(arguments[0], arguments[1]),
                let area = LastArea.area(context, arguments[2], argument: 2)
            else { return sqlite3_result_null(context) }
            switch area.result {
            case .success(let area): sqlite3_result_int(context, area.contains(position) ? 1 : 0)
            case .failure(let error): sqlite3_result_error(context, error.description, -1)
            }
        }
        // Returns the geodesic distance of two positions in meters.
        add("distance", 4, to: connection, with: LastDistance()) { context, _, arguments in
            guard let arguments, let from = position(arguments[0], arguments[1]),
                let to = position(arguments[2], arguments[3]), let last = sqlite3_user_data(context)
            else { return sqlite3_result_null(context) }
            let distance = Unmanaged<LastDistance>.fromOpaque(last).takeUnretainedValue().distance(from: from, to: to)
            sqlite3_result_double(context, distance.meters)
        }
        add("geodesic_distance", 3, to: connection, with: LastDistance()) { context, _, arguments in
            guard let arguments, let point = PointBlob.position(of: arguments[0]),
                let center = Position(
                    longitude: sqlite3_value_double(arguments[1]), latitude: sqlite3_value_double(arguments[2])),
                let last = sqlite3_user_data(context)
            else { return sqlite3_result_null(context) }
            let distance = Unmanaged<LastDistance>.fromOpaque(last).takeUnretainedValue().distance(
                from: center, to: point)
            sqlite3_result_double(context, distance.meters)
        }
        add("point_longitude", 1, to: connection) { context, _, arguments in
            guard let point = PointBlob.position(of: arguments?[0]) else { return sqlite3_result_null(context) }
            sqlite3_result_double(context, point.longitude)
        }
        add("point_latitude", 1, to: connection) { context, _, arguments in
            guard let point = PointBlob.position(of: arguments?[0]) else { return sqlite3_result_null(context) }
            sqlite3_result_double(context, point.latitude)
        }
        add("point_in_box", 5, to: connection) { context, _, arguments in
            guard let arguments, let point = PointBlob.position(of: arguments[0]) else {
                return sqlite3_result_null(context)
            }
            let (west, south) = (sqlite3_value_double(arguments[1]), sqlite3_value_double(arguments[2]))
            let (east, north) = (sqlite3_value_double(arguments[3]), sqlite3_value_double(arguments[4]))
            let isInside =
                west <= point.longitude && point.longitude <= east && south <= point.latitude && point.latitude <= north
            sqlite3_result_int(context, isInside ? 1 : 0)
        }
        // Returns 2 inside the area, 1 on its border and 0 outside.
        let ewkb = LastArea { bytes in Area(ewkb: bytes).map { .success($0) } ?? .failure(.notPolygons) }
        add("point_in_area", 2, to: connection, with: ewkb) { context, _, arguments in
            guard let arguments, let point = PointBlob.position(of: arguments[0]),
                let area = try? LastArea.area(context, arguments[1], argument: 1)?.result.get()
            else { return sqlite3_result_null(context) }
            switch area.side(of: point) {
            case .inside: sqlite3_result_int(context, 2)
            case .border: sqlite3_result_int(context, 1)
            case .outside: sqlite3_result_int(context, 0)
            }
        }
        add("fold", 1, to: connection) { context, _, arguments in
            SpatiaLiteValue.set(context, .text(SpatiaLiteValue.text(arguments?[0])?.folded))
        }
        // Returns a number as outputs show it, with at most a number of decimals.
        add("shown_number", 2, to: connection) { context, _, arguments in
            guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL else {
                return sqlite3_result_null(context)
            }
            let number = sqlite3_value_double(arguments[0])
            sqlite3_result_double(context, rounded(number, decimals: sqlite3_value_int(arguments[1])))
        }
        add("contains_word", 2, to: connection) { context, _, arguments in
            guard let arguments, let text = SpatiaLiteValue.text(arguments[0]),
                let word = SpatiaLiteValue.text(arguments[1])
            else {
                return sqlite3_result_null(context)
            }
            sqlite3_result_int(context, text.containsWord(word) ? 1 : 0)
        }
        add("rfc3339", 2, to: connection) { context, _, arguments in
            guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL else {
                return sqlite3_result_null(context)
            }
            let hasOffset = sqlite3_value_type(arguments[1]) != SQLITE_NULL
            let offset = hasOffset ? UTCOffset(minutes: Int16(clamping: sqlite3_value_int64(arguments[1]))) : nil
            let instant = Instant(microseconds: sqlite3_value_int64(arguments[0]))
            let value = OffsetInstant(instant, offset: offset)
            guard value.isInRange else { return sqlite3_result_null(context) }
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: OffsetInstant.maximumLength) { bytes in
                SpatiaLiteValue.set(context, UnsafeBufferPointer(rebasing: bytes[..<value.write(into: bytes)]))
            }
        }
    }

    /// The C function that SQLite calls with its context, the number of arguments and the arguments.
    typealias Function =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    /// Adds a function to a connection.
    ///
    /// `function` can read `state` with `sqlite3_user_data`. The connection retains `state` until the function is
    /// removed.
    static func add(
        _ name: String, _ arguments: Int32, to connection: OpaquePointer, with state: AnyObject? = nil,
        _ function: Function
    ) {
        sqlite3_create_function_v2(
            connection, name, arguments, pure, state.map { Unmanaged.passRetained($0).toOpaque() }, function, nil, nil,
            { state in if let state { Unmanaged<AnyObject>.fromOpaque(state).release() } })
    }
}

/// Returns the number that C's `%.*f` prints.
private func rounded(_ number: Double, decimals: Int32) -> Double {
    guard number.isFinite else { return number }
    // The largest double has 309 digits before the decimal point.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { text in
        guard let start = text.baseAddress else { return number }
        let length = withVaList([min(max(decimals, 0), 15), number]) { vsnprintf(start, text.count, "%.*f", $0) }
        return length > 0 ? strtod(start, nil) : number
    }
}

/// Returns a position from SQL values, or `nil` if one of them is not a number or is out of range.
private func position(_ longitude: OpaquePointer?, _ latitude: OpaquePointer?) -> Position? {
    func number(_ value: OpaquePointer?) -> Double? {
        let type = sqlite3_value_type(value)
        return type == SQLITE_INTEGER || type == SQLITE_FLOAT ? sqlite3_value_double(value) : nil
    }
    guard let longitude = number(longitude), let latitude = number(latitude) else { return nil }
    return Position(longitude: longitude, latitude: latitude)
}

/// A cache of the last distance that a connection has computed.
///
/// A query has one center for all rows. It computes the distance of a row to select the row, and again to show it.
private final class LastDistance {
    private var origin = Geodesic.Origin(.nullIsland)
    private var last: (point: Position, distance: Distance)?

    func distance(from center: Position, to point: Position) -> Distance {
        if origin.position != center { (origin, last) = (Geodesic.Origin(center), nil) }
        if let last, last.point == point { return last.distance }
        let distance = origin.distance(to: point)
        last = (point, distance)
        return distance
    }
}

/// An area that a function has decoded from an argument, or the reason why the argument is not an area.
private final class DecodedArea {
    let result: Result<Area, AreaError>

    init(_ result: Result<Area, AreaError>) { self.result = result }
}

/// A cache of the last area that a function of a connection has decoded.
///
/// SQLite keeps the area of a constant argument for all rows of a query. The cache serves other arguments, because a
/// query has few areas.
private final class LastArea {
    private let decode: ([UInt8]) -> Result<Area, AreaError>
    private var bytes: [UInt8] = []
    private var area: DecodedArea?

    init(_ decode: @escaping ([UInt8]) -> Result<Area, AreaError>) { self.decode = decode }

    /// Returns the area in an argument of a function that has a cache as its state, or `nil` if the argument is NULL.
    static func area(_ context: OpaquePointer?, _ value: OpaquePointer?, argument: Int32) -> DecodedArea? {
        if let known = sqlite3_get_auxdata(context, argument) {
            return Unmanaged<DecodedArea>.fromOpaque(known).takeUnretainedValue()
        }
        guard let cache = sqlite3_user_data(context),
            let area = Unmanaged<LastArea>.fromOpaque(cache).takeUnretainedValue().area(in: value)
        else { return nil }
        sqlite3_set_auxdata(context, argument, Unmanaged.passRetained(area).toOpaque()) { area in
            if let area { Unmanaged<DecodedArea>.fromOpaque(area).release() }
        }
        return area
    }

    private func area(in value: OpaquePointer?) -> DecodedArea? {
        guard let content = sqlite3_value_blob(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        if let area, bytes.count == count, memcmp(bytes, content, count) == 0 { return area }
        bytes = Array(UnsafeRawBufferPointer(start: content, count: count))
        let decoded = DecodedArea(decode(bytes))
        area = decoded
        return decoded
    }
}

enum Transient {
    /// SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the bytes before the call returns.
    static let destructor = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
