import Base
import Foundation
import HabitModel
import HabitStore

/// The account that `init` creates.
struct NewAccount {
    var id: String
    var name: String
    var timeZone: String

    /// Creates the account from options, and prompts for a missing name and time zone if no ID is given.
    ///
    /// - Parameters:
    ///   - user: The ID; `nil` selects the login in lower case.
    ///   - name: The display name; `nil` selects the full name of the login.
    ///   - timeZone: The identifier of the time zone; `nil` selects the zone of the machine.
    /// - Throws: `confirm-required` if the input of a prompt ends, and `time-zone-invalid`.
    init(user: String?, name: String?, timeZone: String?) throws {
        let login = Login.current
        var chosenName = name ?? login.fullName
        var zone = timeZone ?? MachineTimeZone.id()
        if user == nil, Prompt.isPossible {
            if name == nil { chosenName = try Prompt.line("Your name", standard: chosenName) }
            if timeZone == nil { zone = try Self.askForTimeZone(standard: zone) }
        }
        self.id = user ?? login.id
        self.name = chosenName
        self.timeZone = try TimeZoneRules.named(Self.timeZone(zone) ?? zone, field: "time-zone").id
    }

    /// Repeats the prompt for a time zone until the reply names one.
    ///
    /// - Throws: `confirm-required` at the end of the input.
    private static func askForTimeZone(standard: String) throws -> String {
        while true {
            let reply = try Prompt.line("Time zone", standard: standard)
            if let zone = timeZone(reply) { return zone }
            ErrorReport.line(
                ErrorReport.clean("'\(reply)' is not a time zone: write a name such as Europe/Lisbon, or its city."))
        }
    }

    /// Returns the identifier of the time zone that a person names, or `nil` if no or several zones have the name.
    ///
    /// The name is the identifier in any letter case, or its last part, such as `lisbon`.
    private static func timeZone(_ name: String) -> String? {
        if let rules = TimeZoneRules(name) { return rules.id }
        let folded = name.lowercased().replacing(" ", with: "_")
        let all = TimeZone.knownTimeZoneIdentifiers
        if let zone = all.first(where: { $0.lowercased() == folded }) { return zone }
        let inCity = all.filter { zone in
            zone.lowercased().hasSuffix("/\(folded)")
        }
        return inCity.count == 1 ? inCity.first : nil
    }

    /// The fields of the account.
    var draft: UserDraft {
        var draft = UserDraft()
        draft.name = .value(name)
        draft.timeZone = .value(timeZone)
        return draft
    }
}

/// The login of the user of this process.
private struct Login {
    /// The login in lower case.
    var id: String
    /// The full name, otherwise the login.
    var fullName: String

    static var current: Login {
        guard let entry = getpwuid(getuid()), let login = entry.pointee.pw_name else {
            return Login(id: "me", fullName: "me")
        }
        let name = String(cString: login)
        let comment = entry.pointee.pw_gecos.map { String(cString: $0) } ?? ""
        // The first part of the comment field is the full name.
        let fullName = comment.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces)
        return Login(id: name.lowercased(), fullName: fullName.isEmpty ? name : fullName)
    }
}
