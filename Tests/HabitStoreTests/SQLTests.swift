import Base
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of statements with interpolated values.
@Suite(.engineIndependent) struct SQLTests {
    private static let one: SQL = "\(.integer(1), as: "key")"
    private static let two: SQL = "\(.integer(2), as: "key")"

    @Test func interpolatedValueIsParameter() {
        let name = "'; DROP TABLE account; --"
        let sql: SQL = "SELECT id FROM account WHERE external_id = \(.text(name), as: "id")"
        #expect(sql.text == "SELECT id FROM account WHERE external_id = :id")
        #expect(sql.bindings == ["id": .text(name)])
    }

    @Test func differentValuesOfOneNameGetNumbers() {
        let sql: SQL = "\(Self.one) \(Self.two) \(.integer(3), as: "key")"
        #expect(sql.text == ":key :key_2 :key_3")
        #expect(sql.bindings == ["key": .integer(1), "key_2": .integer(2), "key_3": .integer(3)])
    }

    @Test func equalValuesOfOneNameAreOneParameter() {
        let sql: SQL = "\(Self.one) \(Self.two) \(Self.one) \(Self.two)"
        #expect(sql.text == ":key :key_2 :key :key_2")
        #expect(sql.bindings.count == 2)
    }

    /// A value can have a name that a number makes equal to the name of another value.
    @Test func numberedNameIsNotUsedTwice() {
        let sql: SQL = "\(.integer(7), as: "key_2") \(Self.one) \(Self.two)"
        #expect(sql.text == ":key_2 :key :key_3")
        #expect(sql.bindings == ["key_2": .integer(7), "key": .integer(1), "key_3": .integer(2)])
    }

    /// The names of many values would otherwise take a time that grows with the square of their number.
    @Test func manyValuesOfOneNameAreDistinct() {
        let sql = SQL.list((1...20_000).map { number in .integer(number) })
        #expect(sql.bindings.count == 20_000)
        #expect(sql.bindings["key_20000"] == .integer(20_000))
    }

    @Test func statementsCanBeCombinedInAnyOrder() {
        let first: SQL = "a = \(Self.one)"
        let second: SQL = "b = \(Self.two)"
        var appended = first
        appended += " AND "
        appended += second
        let interpolated: SQL = "\(first) AND \(second)"
        let joined = [first, second].joined(separator: " AND ")
        for sql in [appended, interpolated, joined] {
            #expect(sql.text == "a = :key AND b = :key_2")
            #expect(sql.bindings == ["key": .integer(1), "key_2": .integer(2)])
        }
        let reversed = [second, first].joined(separator: " AND ")
        #expect(reversed.text == "b = :key AND a = :key_2")
        #expect(reversed.bindings == ["key": .integer(2), "key_2": .integer(1)])
    }

    @Test func parameterOfCallerKeepsItsName() {
        var sql: SQL = "\(Self.one) \(parameter: "key")"
        #expect(sql.text == ":key_2 :key")
        #expect(sql.bindings == ["key_2": .integer(1)])
        // The text must not depend on the value, because the statement is already compiled.
        for value in [Value.integer(1), .integer(2)] {
            sql["key"] = value
            #expect(sql.text == ":key_2 :key")
            #expect(sql.bindings == ["key_2": .integer(1), "key": value])
        }
    }

    @Test func parameterOfTextKeepsItsName() {
        var sql = SQL("SELECT :key", ["key": .integer(9)])
        sql += " + \(Self.one)"
        #expect(sql.text == "SELECT :key + :key_2")
        #expect(sql.bindings == ["key": .integer(9), "key_2": .integer(1)])
    }

    @Test func textsWithTwoValuesOfOneParameterCannotRun() throws {
        var sql = SQL("SELECT :key", ["key": .integer(1)])
        sql += SQL(" + :key", ["key": .integer(1)])
        #expect(sql.bindings == ["key": .integer(1)])
        sql += SQL(" + :key", ["key": .integer(2)])
        let error = #expect(throws: HabitError.self) { try sql.values(of: NoStatement()) }
        #expect(error?.code == .internal)
    }

    @Test func valueWithoutBindingCannotRun() {
        let sql: SQL = "SELECT \(parameter: "key")"
        let error = #expect(throws: HabitError.self) { try sql.values(of: NoStatement(parameters: ["key"])) }
        #expect(error?.code == .internal)
    }

    @Test func valuesAreInOrderOfParameters() throws {
        let sql: SQL = "\(Self.one) \(Self.two)"
        #expect(try sql.values(of: NoStatement(parameters: ["key_2", "key"])) == [.integer(2), .integer(1)])
    }

    @Test func nestedStatementKeepsColumnsReadByKey() {
        var sql: SQL = "SELECT user_id FROM event"
        sql.texts = [0: TextColumn(name: "external_id", table: "account")]
        let nested = sql.nested(as: "page", "LIMIT \(.integer(2), as: "limit")")
        #expect(nested.text == "SELECT *\nFROM (\nSELECT user_id FROM event\n) AS page\nLIMIT :limit")
        #expect(nested.texts == sql.texts)
    }

    @Test func valuesCanBeReplacedByExpressions() {
        let sql: SQL = "\(Self.one) \(raw: "id") \(Self.two)"
        let text = sql.text { value in if case .integer(let number) = value { "<\(number)>" } else { "?" } }
        #expect(text == "<1> id <2>")
    }
}

/// A statement that has only parameters.
private final class NoStatement: Statement {
    let parameters: [String]
    let columnNames: [String] = []

    init(parameters: [String] = []) { self.parameters = parameters }

    var pipelined: (any PipelinedStatement)? { nil }

    func bind(_ values: [Value]) {}
    func forEach(_ body: (any Row) throws -> Bool) {}
    func next() -> (any Row)? { nil }
    func run() -> Int { 0 }
}

extension SQL {
    fileprivate static func list(_ values: [Value]) -> SQL {
        values.map { value -> SQL in "\(value, as: "key")" }.joined(separator: ", ")
    }
}
