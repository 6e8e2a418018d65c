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
        registerDistances(on: connection)
        registerPoints(on: connection)
        registerAreas(on: connection)
        registerTexts(on: connection)
    }

    /// Adds the functions that return the geodesic distance of two positions in meters.
    private static func registerDistances(on connection: OpaquePointer) {
        add("distance", arguments: 4, to: connection, with: LastDistance()) { context, _, arguments in
            guard let arguments, let last = LastDistance.ofFunction(context),
                let from = position(longitude: arguments[0], latitude: arguments[1]),
                let to = position(longitude: arguments[2], latitude: arguments[3])
            else { return sqlite3_result_null(context) }
            let distance = last.distance(from: from, to: to)
            sqlite3_result_double(context, distance.meters)
        }
        add("geodesic_distance", arguments: 3, to: connection, with: LastDistance()) { context, _, arguments in
            guard let arguments, let last = LastDistance.ofFunction(context),
                let point = PointBlob.position(of: arguments[0])
            else { return sqlite3_result_null(context) }
            let longitude = sqlite3_value_double(arguments[1])
            let latitude = sqlite3_value_double(arguments[2])
            guard let center = Position(longitude: longitude, latitude: latitude) else {
                return sqlite3_result_null(context)
            }
            let distance = last.distance(from: center, to: point)
            sqlite3_result_double(context, distance.meters)
        }
    }

    /// Adds the functions of one point of the store.
    private static func registerPoints(on connection: OpaquePointer) {
        add("point_longitude", arguments: 1, to: connection) { context, _, arguments in
            guard let point = PointBlob.position(of: arguments?[0]) else { return sqlite3_result_null(context) }
            sqlite3_result_double(context, point.longitude)
        }
        add("point_latitude", arguments: 1, to: connection) { context, _, arguments in
            guard let point = PointBlob.position(of: arguments?[0]) else { return sqlite3_result_null(context) }
            sqlite3_result_double(context, point.latitude)
        }
        add("point_in_box", arguments: 5, to: connection) { context, _, arguments in
            guard let arguments, let point = PointBlob.position(of: arguments[0]) else {
                return sqlite3_result_null(context)
            }
            let west = sqlite3_value_double(arguments[1])
            let south = sqlite3_value_double(arguments[2])
            let east = sqlite3_value_double(arguments[3])
            let north = sqlite3_value_double(arguments[4])
            let isBetweenMeridians = west <= point.longitude && point.longitude <= east
            let isBetweenParallels = south <= point.latitude && point.latitude <= north
            let isInside = isBetweenMeridians && isBetweenParallels
            sqlite3_result_int(context, isInside ? 1 : 0)
        }
    }

    /// Adds the functions that compare a position with an area.
    private static func registerAreas(on connection: OpaquePointer) {
        // Returns 1 if a position is in an area of GeoJSON or on its border, otherwise 0.
        let geoJSON = LastArea { bytes in
            do throws(AreaError) {
                return .success(try Area(geoJSON: bytes))
            } catch {
                return .failure(error)
            }
        }
        add("in_area", arguments: 3, to: connection, with: geoJSON) { context, _, arguments in
            guard let arguments,
                let position = position(longitude: arguments[0], latitude: arguments[1]),
                let area = LastArea.area(context, arguments[2], argument: 2)
            else { return sqlite3_result_null(context) }
            switch area.result {
            case .success(let area): sqlite3_result_int(context, area.contains(position) ? 1 : 0)
            case .failure(let error): sqlite3_result_error(context, error.description, -1)
            }
        }
        // Returns 2 inside the area, 1 on its border and 0 outside.
        let ewkb = LastArea { bytes in
            guard let area = Area(ewkb: bytes) else { return .failure(.notPolygons) }
            return .success(area)
        }
        add("point_in_area", arguments: 2, to: connection, with: ewkb) { context, _, arguments in
            guard let arguments, let point = PointBlob.position(of: arguments[0]),
                let area = try? LastArea.area(context, arguments[1], argument: 1)?.result.get()
            else { return sqlite3_result_null(context) }
            switch area.side(of: point) {
            case .inside: sqlite3_result_int(context, 2)
            case .border: sqlite3_result_int(context, 1)
            case .outside: sqlite3_result_int(context, 0)
            }
        }
    }

    /// Adds the functions of texts, and those that write numbers and instants as outputs show them.
    private static func registerTexts(on connection: OpaquePointer) {
        add("fold", arguments: 1, to: connection) { context, _, arguments in
            let text = SpatiaLiteValue.text(arguments?[0])
            SpatiaLiteValue.set(context, .text(text?.folded))
        }
        add("contains_word", arguments: 2, to: connection) { context, _, arguments in
            guard let arguments,
                let text = SpatiaLiteValue.text(arguments[0]),
                let word = SpatiaLiteValue.text(arguments[1])
            else { return sqlite3_result_null(context) }
            sqlite3_result_int(context, text.containsWord(word) ? 1 : 0)
        }
        // Returns a number as outputs show it, with at most a number of decimals.
        add("shown_number", arguments: 2, to: connection) { context, _, arguments in
            guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL else {
                return sqlite3_result_null(context)
            }
            let number = sqlite3_value_double(arguments[0])
            let decimals = sqlite3_value_int(arguments[1])
            sqlite3_result_double(context, rounded(number, decimals: decimals))
        }
        add("rfc3339", arguments: 2, to: connection) { context, _, arguments in
            guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL else {
                return sqlite3_result_null(context)
            }
            let instant = Instant(microseconds: sqlite3_value_int64(arguments[0]))
            let value = OffsetInstant(instant, offset: offset(in: arguments[1]))
            guard value.isInRange else { return sqlite3_result_null(context) }
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: OffsetInstant.maximumLength) { bytes in
                let count = value.write(into: bytes)
                SpatiaLiteValue.set(context, UnsafeBufferPointer(rebasing: bytes[..<count]))
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
        _ name: String,
        arguments count: Int32,
        to connection: OpaquePointer,
        with state: AnyObject? = nil,
        _ function: Function
    ) {
        let retained = state.map { state in Unmanaged.passRetained(state).toOpaque() }
        sqlite3_create_function_v2(
            connection, name, count, pure, retained, function, nil, nil,
            { state in
                guard let state else { return }
                Unmanaged<AnyObject>.fromOpaque(state).release()
            })
    }
}

/// Returns the number that C's `%.*f` prints.
private func rounded(_ number: Double, decimals: Int32) -> Double {
    guard number.isFinite else { return number }
    // The largest double has 309 digits before the decimal point.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { text in
        guard let start = text.baseAddress else { return number }
        let precision = min(max(decimals, 0), 15)
        let length = withVaList([precision, number]) { arguments in
            vsnprintf(start, text.count, "%.*f", arguments)
        }
        return length > 0 ? strtod(start, nil) : number
    }
}

/// Returns a position from SQL values, or `nil` if one of them is not a number or is out of range.
private func position(longitude: OpaquePointer?, latitude: OpaquePointer?) -> Position? {
    guard let longitude = number(longitude) else { return nil }
    guard let latitude = number(latitude) else { return nil }
    return Position(longitude: longitude, latitude: latitude)
}

/// Returns an SQL value as a number, or `nil` if it is not a number.
private func number(_ value: OpaquePointer?) -> Double? {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_value_double(value)
    default: nil
    }
}

/// Returns the offset in an SQL value, which contains minutes, or `nil` for NULL.
private func offset(in value: OpaquePointer?) -> UTCOffset? {
    guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
    let minutes = Int16(clamping: sqlite3_value_int64(value))
    return UTCOffset(minutes: minutes)
}

/// A cache of the last distance that a connection has computed.
///
/// A query has one center for all rows. It computes the distance of a row to select the row, and again to show it.
private final class LastDistance {
    private var origin = Geodesic.Origin(.nullIsland)
    private var last: (point: Position, distance: Distance)?

    /// Returns the cache that is the state of a function.
    static func ofFunction(_ context: OpaquePointer?) -> LastDistance? {
        guard let state = sqlite3_user_data(context) else { return nil }
        return Unmanaged<LastDistance>.fromOpaque(state).takeUnretainedValue()
    }

    func distance(from center: Position, to point: Position) -> Distance {
        if origin.position != center {
            origin = Geodesic.Origin(center)
            last = nil
        }
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
        guard let state = sqlite3_user_data(context) else { return nil }
        let cache = Unmanaged<LastArea>.fromOpaque(state).takeUnretainedValue()
        guard let area = cache.area(in: value) else { return nil }
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
