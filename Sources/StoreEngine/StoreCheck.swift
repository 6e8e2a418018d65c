import Base

/// A check of one invariant of a store, with an optional repair.
public struct StoreCheck {
    /// The name of the check in reports.
    public var name: String
    /// A closure that finds violations of the invariant.
    ///
    /// An error means that the check could not be made.
    package let find: (any Session) throws -> CheckFindings
    /// A closure that repairs the damage from the rest of the store, or `nil` if that is not possible.
    package let repair: ((any Session) throws -> Void)?

    /// Creates a check from its name and its closures.
    package init(
        _ name: String, find: @escaping (any Session) throws -> CheckFindings,
        repair: ((any Session) throws -> Void)? = nil
    ) {
        self.name = name
        self.find = find
        self.repair = repair
    }

    /// Creates a check from a query that returns the name of each damaged record.
    ///
    /// - Parameters:
    ///   - name: The name of the check.
    ///   - damage: The description of the damage.
    ///   - query: The query. Its first column is the name of the record.
    ///   - repair: The statements that repair the damage.
    package init(_ name: String, damage: String, query: SQL, repair: [SQL] = []) {
        self.name = name
        find = { session in
            var findings = CheckFindings(damage)
            try session.query(query) { row in
                findings.add(row.text(0) ?? "?")
                return true
            }
            return findings
        }
        guard !repair.isEmpty else {
            self.repair = nil
            return
        }
        self.repair = { session in
            for statement in repair {
                try session.run(statement)
            }
        }
    }

    /// Runs the check and returns its result.
    ///
    /// An error other than `store-unavailable` counts as damage, because the check could not be made.
    ///
    /// - Parameter session: The session in which the check runs.
    /// - Returns: The result, with the status `ok` or `damaged`.
    /// - Throws: `store-unavailable` if a resource that the check needs is unavailable.
    package func result(in session: any Session) throws -> CheckResult {
        do {
            let findings = try session.attempt { try find(session) }
            var result = findings.result(of: name)
            if repair == nil {
                result.isRepairable = false
            }
            return result
        } catch let error as HabitError where error.code == .storeUnavailable {
            throw error
        } catch {
            // The engine's message can contain SQL.
            let reason = (error as? HabitError)?.plainText ?? "the store cannot be read there"
            return CheckResult(
                check: name,
                status: .damaged,
                found: 1,
                detail: "not checked: \(reason)",
                isRepairable: false)
        }
    }
}

/// The findings of a check: the number of violations and the names of the first few.
package struct CheckFindings {
    private static let shown = 3

    private let what: String
    /// The number of violations.
    package private(set) var count = 0
    private var names: [String] = []
    private var notes: [String] = []
    /// Whether the repair of the check can remove the violations.
    package var isRepairable = true

    /// Creates empty findings whose description begins with `what`.
    package init(_ what: String) {
        self.what = what
    }

    /// Adds a violation by the name of its record.
    package mutating func add(_ name: String) {
        count += 1
        if names.count < Self.shown {
            names.append(name)
        }
    }

    /// Adds the names of objects that are not violations to the description.
    package mutating func note(_ what: String, _ names: [String]) {
        guard !names.isEmpty else {
            return
        }
        let shown = names.prefix(Self.shown)
        notes.append(Self.list(what, shown, of: names.count))
    }

    /// Returns the result of a check with these findings.
    package func result(of check: String) -> CheckResult {
        CheckResult(
            check: check,
            status: count == 0 ? .ok : .damaged,
            found: count,
            detail: description,
            isRepairable: isRepairable)
    }

    /// The description of the violations and the notes, or `nil` without violations and notes.
    package var description: String? {
        var parts = notes
        if count > 0 {
            let violations = Self.list(what, names[...], of: count)
            parts.insert(violations, at: 0)
        }
        guard !parts.isEmpty else {
            return nil
        }
        return parts.joined(separator: "; ")
    }

    private static func list(_ what: String, _ names: ArraySlice<String>, of count: Int) -> String {
        let list = names.joined(separator: ", ")
        let isComplete = names.count >= count
        return isComplete ? "\(what): \(list)" : "\(what): \(list), …"
    }
}

/// The result of a check.
public struct CheckResult: Sendable, Equatable {
    /// The status of a check.
    public enum Status: String, Sendable {
        case ok, damaged
        /// The check found damage, and a repair has removed it.
        case repaired
    }

    /// The name of the check.
    public var check: String
    /// The status of the check.
    public var status: Status
    /// The number of violations, before the repair if there was one.
    public var found: Int
    /// The description of the violations and of other observations, or `nil` without them.
    public var detail: String?
    /// Whether ``StoreDoctor/repair()`` can remove the damage, if there is any.
    public var isRepairable = true

    /// The columns of a list of results.
    public static let shape = ResultShape(
        columns: [
            Column("check", .text, at: 0),
            Column("status", .text, at: 1),
            Column("found", .integer, at: 2),
            Column("detail", .text, at: 3),
        ],
        identity: ["check"])

    /// The result as a row of ``shape``.
    public var row: ValueRow {
        ValueRow([
            .text(check),
            .text(status.rawValue),
            .integer(Int64(found)),
            .text(detail),
        ])
    }
}
