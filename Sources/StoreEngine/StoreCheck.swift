import HabitModel

/// One thing that must hold in a store.
public struct StoreCheck {
    public var name: String
    /// Looks for what does not hold; an error says that the check could not be made.
    package let find: (any Session) throws -> Damage
    /// Makes it hold where that follows from the rest of the store; nil: nothing does.
    package let repair: ((any Session) throws -> Void)?

    package init(
        _ name: String, find: @escaping (any Session) throws -> Damage, repair: ((any Session) throws -> Void)? = nil
    ) {
        self.name = name
        self.find = find
        self.repair = repair
    }

    /// A check by SQL that gives the name of each thing at fault.
    package init(_ name: String, _ what: String, _ sql: SQL, repair: [SQL] = []) {
        self.init(name) { session in
            var damage = Damage(what)
            try session.query(sql) {
                damage.add($0.text(0) ?? "?")
                return true
            }
            return damage
        } repair: { session in
            for sql in repair { try session.run(sql) }
        }
    }

    /// Throws `store-unavailable` where it takes something to look that is not to be had.
    package func result(in session: any Session) throws -> CheckResult {
        do {
            let damage = try session.attempt { try find(session) }
            return CheckResult(
                check: name, status: damage.count == 0 ? .ok : .damaged, found: damage.count, detail: damage.description
            )
        } catch let error as HabitError where error.code == .storeUnavailable {
            throw error
        } catch {
            // The engine's own words may hold SQL.
            let reason = (error as? HabitError)?.plainText ?? "the store cannot be read there"
            return CheckResult(check: name, status: .damaged, found: 1, detail: "not checked: \(reason)")
        }
    }
}

/// What a check has found: how many, and the first few by name.
package struct Damage {
    private static let shown = 3

    private let what: String
    package private(set) var count = 0
    private var names: [String] = []

    /// `what` is wrong with the things that are added.
    package init(_ what: String) { self.what = what }

    package mutating func add(_ name: String) {
        count += 1
        if names.count < Self.shown { names.append(name) }
    }

    /// Nil where nothing was found.
    package var description: String? {
        guard count > 0 else { return nil }
        return "\(what): \(names.joined(separator: ", "))" + (count > names.count ? ", …" : "")
    }
}

/// What came of a check.
public struct CheckResult: Sendable, Equatable {
    public enum Status: String, Sendable {
        case ok, damaged
        /// Damaged before, and ok now.
        case repaired
    }

    public var check: String
    public var status: Status
    /// How many things are, or were, at fault.
    public var found: Int
    public var detail: String?

    public static let shape = ResultShape(
        columns: [
            Column("check", .text, at: 0), Column("status", .text, at: 1), Column("found", .integer, at: 2),
            Column("detail", .text, at: 3),
        ],
        identity: ["check"])

    public var row: ValueRow {
        ValueRow([.text(check), .text(status.rawValue), .integer(Int64(found)), .text(detail)])
    }
}
