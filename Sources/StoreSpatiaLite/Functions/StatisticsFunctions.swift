import CSQLite

/// The aggregate functions of reports that SQLite does not have, with the same results in every engine.
extension SQLFunctions {
    /// The names of the functions that ``registerStatistics(on:)`` adds.
    static let statistics = ["median", "percentile"]

    /// The maximum number of values of one aggregate, which need 128 MiB of memory.
    fileprivate static let maximumValues = 1 << 24

    static func registerStatistics(on connection: OpaquePointer) {
        // Returns the value in the middle, or the mean of both.
        aggregate("median", arguments: 1, on: connection) { context, _, arguments in
            Sample.add(arguments?[0], fraction: 0.5, to: context)
        }
        // Returns the value at a fraction from 0 to 1 of the sorted values, interpolated between neighbors.
        aggregate("percentile", arguments: 2, on: connection) { context, _, arguments in
            guard let arguments else { return }
            let type = sqlite3_value_type(arguments[1])
            let isNumber = type == SQLITE_INTEGER || type == SQLITE_FLOAT
            let fraction = sqlite3_value_double(arguments[1])
            guard isNumber, (0...1).contains(fraction) else {
                return sqlite3_result_error(context, "the second argument of percentile must be from 0 to 1", -1)
            }
            Sample.add(arguments[0], fraction: fraction, to: context)
        }
    }

    private static func aggregate(
        _ name: String,
        arguments count: Int32,
        on connection: OpaquePointer,
        _ step: Function
    ) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        sqlite3_create_function_v2(
            connection, name, count, flags, nil, nil, step,
            { context in Sample.end(context) },
            nil)
    }
}

/// The numbers of one group of rows.
private final class Sample {
    private var values: [Double] = []
    private var fraction = 0.5

    /// Adds a number to the group of `context`.
    ///
    /// NULL is ignored.
    static func add(_ value: OpaquePointer?, fraction: Double, to context: OpaquePointer?) {
        let type = sqlite3_value_type(value)
        guard type != SQLITE_NULL else { return }
        guard type == SQLITE_INTEGER || type == SQLITE_FLOAT else {
            return sqlite3_result_error(context, "median and percentile accept only numbers", -1)
        }
        // SQLite returns zeroed memory for each group, which holds a retained sample.
        let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
        guard let memory = memory(of: context, size: size) else {
            return sqlite3_result_error_nomem(context)
        }
        if memory.pointee == nil {
            memory.pointee = Unmanaged.passRetained(Sample()).toOpaque()
        }
        guard let pointer = memory.pointee else { return }
        let sample = Unmanaged<Sample>.fromOpaque(pointer).takeUnretainedValue()
        guard sample.values.count < SQLFunctions.maximumValues else {
            return sqlite3_result_error_toobig(context)
        }
        sample.values.append(sqlite3_value_double(value))
        sample.fraction = fraction
    }

    /// Returns the memory of a group, which is created if `size` is not 0.
    private static func memory(
        of context: OpaquePointer?,
        size: Int32
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        let memory = sqlite3_aggregate_context(context, size)
        return memory?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    /// Sets the result of a group and releases its sample.
    ///
    /// SQLite also calls this after an error.
    static func end(_ context: OpaquePointer?) {
        guard let pointer = memory(of: context, size: 0)?.pointee else {
            return sqlite3_result_null(context)
        }
        let sample = Unmanaged<Sample>.fromOpaque(pointer).takeRetainedValue()
        sqlite3_result_double(context, sample.percentile)
    }

    /// The value at the fraction: the definition of `percentile_cont` in SQL.
    private var percentile: Double {
        values.sort()
        let rank = fraction * Double(values.count - 1)
        let lowRank = rank.rounded(.down)
        let highRank = rank.rounded(.up)
        let low = values[Int(lowRank)]
        let high = values[Int(highRank)]
        guard low != high else { return low }
        return low + (rank - lowRank) * (high - low)
    }
}
