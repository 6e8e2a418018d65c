import Base
import Foundation
import HabitTestSupport
import Testing

@testable import habitat

/// Tests of the precedence of options, variables, the file and defaults.
@Suite(.engineIndependent) struct ConfigurationTests {
    private static let path = "/home/ana/.config/habitat/config.toml"
    private static let text = """
        store = "~/a.db"
        user = "ana"
        reports = ["~/r", "s"]
        color = "never"
        [places]
        home = "38.7223,-9.1393"
        """

    private static func configuration(_ environment: [String: String], _ text: String?) throws -> Configuration {
        let file = try text.map { try ConfigurationFile($0, path: path) }
        let variables = environment.merging(["HOME": "/home/ana"]) { _, new in new }
        return Configuration(environment: variables, file: file)
    }

    @Test func optionPrecedesVariableAndVariablePrecedesFile() throws {
        let variables = ["HABITAT_STORE": "v.db", "HABITAT_USER": "v", "HABITAT_REPORTS": "v:w"]
        let all = try Self.configuration(variables, Self.text)
        #expect(all.store(option: "o.db").value == "o.db")
        #expect(all.store(option: "o.db").origin == .option)
        #expect(all.store(option: nil).value == "v.db")
        #expect(all.store(option: nil).origin == .variable("HABITAT_STORE"))
        #expect(all.user(option: "o").value == "o")
        #expect(all.user(option: nil).value == "v")
        #expect(all.reports(option: ["o"]).value == ["o"])
        #expect(all.reports(option: []).value == ["v", "w"])
    }

    @Test func filePrecedesDefault() throws {
        let file = try Self.configuration([:], Self.text)
        #expect(file.store(option: nil).value == "/home/ana/a.db")
        #expect(file.store(option: nil).origin == .file(Self.path))
        #expect(file.user(option: nil).value == "ana")
        #expect(file.reports(option: []).value == ["/home/ana/r", "s"])
        #expect(file.color.value == "never")
        let home = try #require(file.places["home"])
        #expect(home.latitude == 38.7223)
        #expect(home.longitude == -9.1393)
    }

    @Test func defaultsApplyWithoutFile() throws {
        let none = try Self.configuration([:], nil)
        #expect(none.store(option: nil).value == "habitat.db")
        #expect(none.store(option: nil).origin == .standard)
        #expect(none.user(option: nil).value == nil)
        #expect(none.reports(option: []).value == [])
        #expect(none.color.value == "auto")
        #expect(none.places.isEmpty)
    }

    @Test(arguments: [
        (["NO_COLOR": "1"], "never"),
        (["NO_COLOR": ""], "always"),
        (["TERM": "dumb"], "never"),
    ])
    func variablesDisableColor(environment: [String: String], expected: String) throws {
        #expect(try Self.configuration(environment, "color = \"always\"").color.value == expected)
    }

    @Test(arguments: [
        (["HABITAT_CONFIG": ""], nil), (["HABITAT_CONFIG": "x.toml"], "x.toml"),
        (["HOME": "/h"], "/h/.config/habitat/config.toml"), (["HOME": "h"], nil), ([:], nil),
        (["HOME": "/h", "XDG_CONFIG_HOME": "/x"], "/x/habitat/config.toml"),
        (["HOME": "/h", "XDG_CONFIG_HOME": "x"], "/h/.config/habitat/config.toml"),
    ])
    func environmentSelectsFile(environment: [String: String], expected: String?) {
        #expect(UserFolders(environment: environment).configurationFile == expected)
    }
}
