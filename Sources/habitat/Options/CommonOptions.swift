import ArgumentParser
import Base
import Foundation
import HabitModel
import HabitReport
import HabitStore
import StoreEngine

/// The options of every command.
///
/// They may precede or follow the command's name.
struct CommonOptions: ParsableArguments {
    /// The title of the options in the help.
    static let title = "Common options"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Store: a file or postgresql://… (default: HABITAT_STORE, the configuration, otherwise habitat.db).",
            valueName: "path"), completion: .file())
    var store: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("ID of the acting user (default: HABITAT_USER, then the configuration).", valueName: "user"),
        completion: .account)
    var `as`: String?

    @Flag(
        name: .customLong("operator"),
        help: "Run as the operator, even if HABITAT_USER or the configuration names a user.")
    var asOperator = false

    @Flag(help: "Omit notices and progress on the standard error.")
    var quiet = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Format of errors.", valueName: "form"))
    var errors = ErrorForm.text

    @Flag(help: "Write the causes of errors to the standard error (also: HABITAT_LOG=debug).")
    var verbose = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Current time in RFC 3339 (default: the system clock).", valueName: "instant"),
        completion: .anyText)
    var now: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Current date for all users, such as 2026-11-20, or yesterday in --time-zone or UTC (default: the date in each time zone).",
            valueName: "date"), completion: .day)
    var today: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time zone that determines the current date (default: the time zone of each user).", valueName: "zone"),
        completion: .timeZone)
    var timeZone: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum time to wait for another writer, such as 500ms or 5s.", valueName: "time"),
        completion: .anyText)
    var wait = "5s"

    enum ErrorForm: String, ExpressibleByArgument, CaseIterable { case text, json }

    // MARK: Values

    var report: ErrorReport { ErrorReport(asJSON: errors == .json) }

    /// Writes a message that is neither data nor an error to the standard error, unless `--quiet` is given.
    func notice(_ text: String) {
        if !quiet { ErrorReport.line(ErrorReport.clean(text)) }
    }

    func clock() throws -> Clock {
        var clock = Clock(now: .now)
        if let now {
            clock.now = try Parse.instant(now, field: "now").instant
            // The date must be in the calendar in every time zone.
            let days = Day.first.advanced(by: 2)...Day.last.advanced(by: -2)
            guard days.contains(clock.now.day(at: .utc)) else {
                throw HabitError(
                    .dateInvalid, "'\(now)' is out of range: use a date from \(days.lowerBound) to \(days.upperBound)",
                    field: "now")
            }
        }
        if let timeZone { clock.timeZone = try TimeZoneRules.named(timeZone, field: "time-zone") }
        clock.today = try today.map { try Parse.day($0, field: "today", today: clock.today(in: .utc)) }
        return clock
    }

    func open(_ access: StoreAccess) throws -> any Engine {
        try open(access, analyst: nil)
    }

    /// Checks that a store exists if no option, variable or file names one.
    ///
    /// - Throws: `store-unavailable`.
    func checkDefaultStore() throws {
        let store = try Configuration.current.get().store(option: store)
        guard store.origin == .standard, Glibc.access(store.value, F_OK) != 0, errno == ENOENT else { return }
        throw HabitError(.storeUnavailable, "there is no store yet: run 'habitat init'")
    }

    func storeLocation() throws -> StoreLocation {
        let variable = "HABITAT_STORE"
        if store == nil, let text = InvalidUTF8.value(ofVariable: variable) {
            throw HabitError.invalidUTF8(text, "the path in \(variable)")
        }
        let path = try Configuration.current.get().store(option: store).value
        guard !path.isEmpty else {
            throw HabitError(
                .usage, "the name of the store is empty: pass a file or a URL with --store", field: "store")
        }
        return StoreLocation(path)
    }

    /// Checks that an output is not the store or a file that the command reads.
    ///
    /// - Parameters:
    ///   - inputs: The paths of the files that the command reads.
    ///   - output: The path of the output; `nil` and `-` stand for the standard output.
    ///   - option: The name of the option for the output, without dashes.
    /// - Throws: `output-exists` if the output is one of these files.
    func protect(_ inputs: [String] = [], from output: String?, option: String) throws {
        guard let output, output != "-" else { return }
        var used = inputs
        if case .file(let store) = try storeLocation() {
            used += [store, store + "-wal", store + "-shm", store + "-journal"]
        }
        for path in used where StoreLocation.isSameFile(path, output) {
            throw HabitError(
                .outputExists, "--\(option) would overwrite '\(path)', which this command uses: choose another file",
                field: option)
        }
    }

    func waitTime() throws -> Duration { try Parse.duration(wait, option: "wait") }

    /// Returns the ID of the acting user, or `nil` for the operator.
    ///
    /// An empty ID is not the operator, and no user has it.
    func actingUserID() throws -> String? {
        if asOperator {
            guard self.as == nil else {
                throw HabitError(
                    .usage, "--as and --operator are mutually exclusive: omit one of them", field: "operator")
            }
            return nil
        }
        return try Configuration.current.get().user(option: self.as).value
    }

    /// Whether the command acts as a user instead of the operator.
    var isForActingUser: Bool { (try? actingUserID()) != nil }

    func viewer(in session: any Session) throws -> Viewer {
        guard let name = try actingUserID() else { return .operator }
        do {
            return try .user(named: name, in: session)
        } catch let error as HabitError where error.code == .notSignedIn {
            throw try unknownUser(name, error)
        }
    }

    /// Returns the error for an acting user who does not exist, with the source of the name and a command that works
    /// without this user.
    private func unknownUser(_ name: String, _ error: HabitError) throws -> HabitError {
        let list = Remedy.advice("see 'habitat user list --operator'")
        switch try Configuration.current.get().user(option: self.as).origin {
        case .file(let path):
            return HabitError(
                error.code,
                "the user '\(name)' of the configuration file '\(path)' does not exist",
                .advice("set your user with 'habitat config set user ID'"),
                list)
        case .variable(let variable):
            return HabitError(
                error.code,
                "the user '\(name)' of \(variable) does not exist",
                .advice("change \(variable) or name the user with --as"),
                list)
        case .option, .standard:
            return error
        }
    }

    /// Selects the operator for a command that only the operator can run.
    ///
    /// The user of `HABITAT_USER` or of the configuration file is ignored. Commands call this method before they open the
    /// store.
    ///
    /// - Throws: `operator-only` if `--as` is given, or `not-signed-in` if its value is empty.
    mutating func requireOperator(_ command: String) throws {
        guard let name = self.as, try actingUserID() != nil else {
            asOperator = true
            return
        }
        guard !name.isEmpty else {
            throw HabitError(.notSignedIn, "the user ID is empty: omit --as to run as the operator")
        }
        throw HabitError(.operatorOnly, "only the operator can run '\(command)': omit --as")
    }
}
