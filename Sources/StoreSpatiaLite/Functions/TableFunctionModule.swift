import Base
import CSQLite
import StoreEngine

/// The table functions of a connection, and their implementations in the current session.
///
/// A function stays registered in SQLite after its first use, so that a later session can run a statement that calls
/// it. The class is `@unchecked Sendable` because all access is on the serial queue of the connection.
final class FunctionTable: @unchecked Sendable {
    private var modules: [String: TableFunctionModule] = [:]

    /// The functions of the current session, sorted by name.
    var registered: [TableFunction] {
        let functions = modules.values.compactMap(\.registration?.function)
        return functions.sorted { first, second in first.name < second.name }
    }

    /// Sets the implementations of functions until ``unregister()``.
    ///
    /// - Parameters:
    ///   - functions: The functions of the session.
    ///   - connection: The SQLite connection.
    ///   - trusted: A closure that runs the queries of a function without the restrictions of the SQL that calls it.
    ///   - report: A closure that receives the errors of the functions, of which SQLite keeps only the message.
    func register(
        _ functions: [TableFunction],
        on connection: OpaquePointer?,
        trusted: @escaping (() throws -> Void) throws -> Void,
        report: @escaping (any Error) -> Void
    ) {
        for function in functions {
            let module = modules[function.name] ?? TableFunctionModule(function, on: connection)
            module.registration = TableFunctionModule.FunctionRegistration(
                function: function,
                trusted: trusted,
                report: report)
            modules[function.name] = module
        }
    }

    /// The reason why a statement has no plan: the parameters of a function that was called without arguments.
    ///
    /// `nil` if no call lacked arguments.
    var missingArguments: String? {
        let lacking = modules.values.filter(\.planning.lacksArguments)
        let sorted = lacking.sorted { first, second in first.name < second.name }
        // A function that has a plan lacks its arguments only for a term of an OR, except in a second call.
        let withoutPlan = sorted.first { module in !module.planning.hasPlan }
        let called = withoutPlan ?? sorted.first
        return called?.missingArguments
    }

    /// Removes all implementations.
    func unregister() {
        for module in modules.values {
            module.registration = nil
        }
    }
}

/// The SQLite module of a table function: an eponymous virtual table with a hidden column for each parameter.
///
/// Source: <https://www.sqlite.org/vtab.html#tabfunc2>
final class TableFunctionModule {
    /// The implementation of the function in a session.
    struct FunctionRegistration {
        var function: TableFunction
        var trusted: (() throws -> Void) throws -> Void
        var report: (any Error) -> Void
    }

    /// The signature of the function, which is the same in all sessions.
    private let signature: (name: String, columns: [String], parameters: [String], key: Int?)
    /// The implementation in the current session, or `nil` between sessions.
    var registration: FunctionRegistration?

    /// The results of the function while SQLite planned a statement.
    struct Planning {
        var hasPlan = false
        var lacksArguments = false
    }

    var planning = Planning()

    /// The name of the function.
    var name: String { signature.name }

    /// The sentence for a call without all arguments.
    fileprivate var missingArguments: String {
        "the arguments of \(signature.name) are (\(signature.parameters.joined(separator: ", ")))"
    }

    /// Registers the function with a connection.
    init(_ function: TableFunction, on connection: OpaquePointer?) {
        signature = (function.name, function.columns.map(\.name), function.parameters, function.key)
        let retained = Unmanaged.passRetained(self).toOpaque()
        sqlite3_create_module_v2(
            connection, function.name, Self.methods, retained,
            { context in
                guard let context else { return }
                Unmanaged<TableFunctionModule>.fromOpaque(context).release()
            })
    }

    /// Runs `body` and converts its error into an error of SQLite.
    private func attempt(_ table: UnsafeMutablePointer<sqlite3_vtab>?, _ body: () throws -> Void) -> Int32 {
        do {
            guard let registration else {
                throw HabitError(.internal, "\(signature.name) is not registered in this session")
            }
            try registration.trusted(body)
            return SQLITE_OK
        } catch {
            registration?.report(error)
            Self.setMessage((error as? HabitError)?.message ?? "\(signature.name) failed", of: table)
            return SQLITE_ERROR
        }
    }

    private static func setMessage(_ text: String, of table: UnsafeMutablePointer<sqlite3_vtab>?) {
        let bytes = Array(text.utf8CString)
        guard let table, let copy = sqlite3_malloc64(UInt64(bytes.count)) else { return }
        copy.copyMemory(from: bytes, byteCount: bytes.count)
        sqlite3_free(table.pointee.zErrMsg)
        table.pointee.zErrMsg = copy.assumingMemoryBound(to: CChar.self)
    }

    // MARK: Structures of SQLite

    private struct Table {
        var base = sqlite3_vtab()
        var module: Unmanaged<TableFunctionModule>
    }

    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        var state: Unmanaged<CursorState>
    }

    private final class CursorState {
        var arguments: [Value] = []
        var rows: (any TableFunctionRows)?
    }

    private static func module(of table: UnsafeMutablePointer<sqlite3_vtab>) -> TableFunctionModule {
        UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.module.takeUnretainedValue()
    }

    private static func state(of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> CursorState {
        UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: Cursor.self).pointee.state.takeUnretainedValue()
    }

    // MARK: Methods

    // The structure is written once, before its first use.
    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_module> = {
        var methods = sqlite3_module()
        methods.iVersion = 1
        methods.xConnect = { connection, context, _, _, table, _ in
            guard let context, let table else { return SQLITE_ERROR }
            let module = Unmanaged<TableFunctionModule>.fromOpaque(context)
            return TableFunctionModule.connect(module, to: connection, as: table)
        }
        methods.xDisconnect = { table in
            UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).deallocate()
            return SQLITE_OK
        }
        methods.xBestIndex = { table, index in
            guard let table, let index else { return SQLITE_ERROR }
            return TableFunctionModule.module(of: table).plan(&index.pointee)
        }
        methods.xOpen = { _, cursor in
            let new = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            new.initialize(to: Cursor(state: .passRetained(CursorState())))
            cursor?.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        methods.xClose = { cursor in
            guard let cursor = UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self) else {
                return SQLITE_OK
            }
            cursor.pointee.state.release()
            cursor.deallocate()
            return SQLITE_OK
        }
        methods.xFilter = { cursor, plan, _, count, values in
            guard let cursor else { return SQLITE_ERROR }
            let arguments = (0..<Int(count)).map { index in
                SpatiaLiteValue.value(values?[index])
            }
            return TableFunctionModule.filter(cursor, hasKey: plan == 1, arguments)
        }
        methods.xNext = { cursor in
            guard let cursor else { return SQLITE_ERROR }
            return TableFunctionModule.advance(cursor)
        }
        methods.xEof = { cursor in
            guard let cursor else { return 1 }
            return TableFunctionModule.state(of: cursor).rows == nil ? 1 : 0
        }
        methods.xColumn = { cursor, context, column in
            guard let cursor else { return SQLITE_ERROR }
            return TableFunctionModule.column(Int(column), of: cursor, to: context)
        }
        methods.xRowid = { cursor, rowID in
            guard let cursor else { return SQLITE_ERROR }
            return TableFunctionModule.identify(cursor, rowID)
        }
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        pointer.initialize(to: methods)
        return UnsafePointer(pointer)
    }()

    private static func connect(
        _ module: Unmanaged<TableFunctionModule>,
        to connection: OpaquePointer?,
        as table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>
    ) -> Int32 {
        let signature = module.takeUnretainedValue().signature
        let columns = signature.columns.map { name in "\"\(name)\"" }
        let parameters = signature.parameters.map { name in "\"\(name)\" HIDDEN" }
        let list = (columns + parameters).joined(separator: ", ")
        let code = sqlite3_declare_vtab(connection, "CREATE TABLE rows (\(list))")
        guard code == SQLITE_OK else { return code }
        let new = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        new.initialize(to: Table(module: module))
        table.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    /// Requests the arguments in their order, and the key after them if the SQL constrains it.
    ///
    /// Returns `SQLITE_CONSTRAINT` if an argument is not among the constraints: SQLite then uses another plan. For a
    /// term of an OR, SQLite requests a plan with only this term, which never contains the arguments.
    private func plan(_ index: inout sqlite3_index_info) -> Int32 {
        var given: [Int: Int] = [:]
        var isBlocked = false
        for i in 0..<Int(index.nConstraint) {
            let constraint = index.aConstraint[i]
            guard Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ else { continue }
            let column = Int(constraint.iColumn)
            let isArgument = column >= signature.columns.count
            guard isArgument || column == signature.key else { continue }
            if constraint.usable != 0 {
                if given[column] == nil { given[column] = i }
            } else if isArgument {
                isBlocked = true
            }
        }
        let hidden = signature.parameters.indices.map { signature.columns.count + $0 }
        guard hidden.allSatisfy({ given[$0] != nil }) else {
            if !isBlocked { planning.lacksArguments = true }
            return SQLITE_CONSTRAINT
        }
        planning.hasPlan = true
        var order = hidden
        if let key = signature.key, given[key] != nil {
            order.append(key)
            index.idxNum = 1
        }
        for (position, column) in order.enumerated() {
            guard let i = given[column] else { continue }
            index.aConstraintUsage[i].argvIndex = Int32(position + 1)
            index.aConstraintUsage[i].omit = column == signature.key ? 0 : 1
        }
        index.estimatedRows = index.idxNum == 1 ? 1 : 1000
        index.estimatedCost = index.idxNum == 1 ? 20 : 20_000
        return SQLITE_OK
    }

    private static func filter(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>, hasKey: Bool, _ arguments: [Value]
    ) -> Int32 {
        guard let table = cursor.pointee.pVtab else { return SQLITE_ERROR }
        let module = module(of: table)
        let state = state(of: cursor)
        state.arguments = Array(arguments.prefix(module.signature.parameters.count))
        state.rows = nil
        let code = module.attempt(table) {
            state.rows = try module.registration?.function.rows(state.arguments, hasKey ? arguments.last : nil)
        }
        return code == SQLITE_OK ? advance(cursor) : code
    }

    private static func advance(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> Int32 {
        guard let table = cursor.pointee.pVtab else { return SQLITE_ERROR }
        let state = state(of: cursor)
        return module(of: table).attempt(table) {
            if let rows = state.rows, try !rows.next() { state.rows = nil }
        }
    }

    /// Sets the row ID of the current row, which depends only on the arguments and the values of the row.
    ///
    /// SQLite compares row IDs if it finds the rows of several terms of an OR one after the other. A term can have its
    /// own arguments, so the position in the rows does not identify a row.
    private static func identify(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>, _ rowID: UnsafeMutablePointer<sqlite3_int64>?
    ) -> Int32 {
        guard let table = cursor.pointee.pVtab else { return SQLITE_ERROR }
        let module = module(of: table)
        let state = state(of: cursor)
        return module.attempt(table) {
            guard let rows = state.rows else { return }
            var digest = ValueDigest()
            for argument in state.arguments { digest.add(argument) }
            for column in module.signature.columns.indices { digest.add(try rows.value(column)) }
            rowID?.pointee = digest.rowID
        }
    }

    private static func column(
        _ column: Int,
        of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>,
        to context: OpaquePointer?
    ) -> Int32 {
        guard let table = cursor.pointee.pVtab else { return SQLITE_ERROR }
        let module = module(of: table)
        let state = state(of: cursor)
        let argument = column - module.signature.columns.count
        guard argument < 0 else {
            let isGiven = argument < state.arguments.count
            SpatiaLiteValue.set(context, isGiven ? state.arguments[argument] : .null)
            return SQLITE_OK
        }
        return module.attempt(table) {
            guard let rows = state.rows else { return }
            let value = try rows.value(column)
            SpatiaLiteValue.set(context, value)
        }
    }
}

/// A 64-bit digest of values (FNV-1a).
private struct ValueDigest {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    var rowID: Int64 { Int64(bitPattern: hash) }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { add($0) }
    }

    mutating func add(_ value: Value) {
        switch value {
        case .null: add([0])
        case .integer(let number):
            add([1])
            add(UInt64(bitPattern: number))
        case .number(let number):
            add([2])
            add(number.bitPattern)
        case .text(let text):
            add([3])
            add(UInt64(text.utf8.count))
            add(text.utf8)
        case .blob(let bytes):
            add([4])
            add(UInt64(bytes.count))
            add(bytes)
        case .point(let position):
            add([5])
            add(position.longitude.bitPattern)
            add(position.latitude.bitPattern)
        }
    }
}

/// Conversions between SQLite's values and ``Value``.
enum SpatiaLiteValue {
    static func value(_ value: OpaquePointer?) -> Value {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .number(sqlite3_value_double(value))
        case SQLITE_TEXT: return .text(text(value))
        case SQLITE_BLOB:
            let bytes = sqlite3_value_blob(value)
            return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))))
        default: return .null
        }
    }

    /// Returns the value as a string, or `nil` if it is NULL.
    static func text(_ value: OpaquePointer?) -> String? {
        guard let bytes = sqlite3_value_text(value) else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
    }

    /// Returns the UTF-8 of the value, valid as long as SQLite keeps the value, or `nil` if it is NULL.
    static func utf8(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
        guard let bytes = sqlite3_value_text(value) else { return nil }
        return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    static func set(_ context: OpaquePointer?, _ value: Value) {
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let value): sqlite3_result_int64(context, value)
        case .number(let value): sqlite3_result_double(context, value)
        case .text(let text): set(context, text)
        case .blob(let bytes): set(context, bytes)
        case .point(let position): set(context, PointBlob.bytes(position))
        }
    }

    private static func set(_ context: OpaquePointer?, _ text: String) {
        var text = text
        text.withUTF8 { set(context, $0) }
    }

    /// Sets a copy of the UTF-8 `bytes` as the result.
    static func set(_ context: OpaquePointer?, _ bytes: UnsafeBufferPointer<UInt8>) {
        bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_result_text(context, $0.baseAddress, Int32($0.count), Transient.destructor)
        }
    }

    private static func set(_ context: OpaquePointer?, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes {
            sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), Transient.destructor)
        }
    }
}
