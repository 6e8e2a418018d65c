import Foundation
import HabitTestSupport
import Testing

/// Tests that blank search texts, empty files and impossible distances are errors.
@Suite(.engineIndependent) struct BlankInputTests {
    /// Rule C-27: a blank search text is an error.
    @Test(arguments: ["", " ", "\t \u{3000}\n"]) func blankSearchTextIsRefused(text: String) async throws {
        let store = try await RuleStore()
        for option in ["--comment", "--comment-word"] {
            for command in [["history"], ["near", "50,10"]] {
                let refused = try await Program.habitat(command + [option, text, "--as", "owner"], in: store.folder)
                #expect(refused.status == 64, "\(refused)")
                #expect(refused.errors.hasPrefix("error[search-text-empty]: the search text is blank"), "\(refused)")
            }
        }
    }

    @Test(arguments: ["rain\n\nsun\n", "rain\n \t\nsun", "\n", "rain\r\n\r\n"])
    func blankLineInFileOfTermsIsRefused(terms: String) async throws {
        let store = try await RuleStore()
        try store.folder.write(terms, to: "terms.txt")
        let refused = try await Program.habitat("history", "--terms", "terms.txt", "--as", "owner", in: store.folder)
        let line = terms.hasPrefix("\n") ? 1 : 2
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.errors.hasPrefix("error[search-text-empty]"), "\(refused)")
        #expect(refused.errors.contains("terms.txt:\(line): "), "\(refused)")
    }

    @Test(arguments: ["events.csv", "events.ndjson", "events.json", "events.geojson", "all.geojson"])
    func emptyFileIsRefusedUnlessAllowed(name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        for content in ["", " \n\n", "\u{FEFF}"] {
            try folder.write(content, to: name)
            let refused = try await Program.habitat("ingest", "users.csv", name, in: folder)
            #expect(refused.status == 65, "\(refused)")
            #expect(refused.errors.contains("error[header-invalid]"), "\(refused)")
            #expect(refused.errors.contains(name), "\(refused)")
            #expect(refused.errors.contains("--allow-empty"), "\(refused)")
            let users = try await Program.habitat("user", "list", "--format", "csv", "--columns", "id", in: folder)
            #expect(!users.output.contains("ann"), "nothing is stored")
        }
        let allowed = try await Program.habitat("ingest", "users.csv", name, "--allow-empty", in: folder)
        #expect(allowed.status == 0, "\(allowed)")
    }

    @Test func emptyStandardInputIsRefusedUnlessAllowed() async throws {
        let folder = try TemporaryFolder()
        let refused = try await Program.habitat("ingest", "-", "--kind", "events", in: folder, input: Data())
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("header-invalid"), "\(refused)")
        let allowed = try await Program.habitat(
            "ingest", "-", "--kind", "events", "--allow-empty", in: folder, input: Data())
        #expect(allowed.status == 0, "\(allowed)")
    }

    @Test func fileWithoutRowsIsAccepted() async throws {
        let folder = try TemporaryFolder()
        try folder.write("habit,day\n", to: "events.csv")
        try folder.write("[]", to: "users.json")
        let load = try await Program.habitat("ingest", "events.csv", "users.json", in: folder)
        #expect(load.status == 0, "\(load)")
    }

    @Test(arguments: ["1e99m", "1e308km", "40076km"]) func distanceBeyondEarthIsRefused(within: String) async throws {
        let store = try await RuleStore()
        for command in [["history", "--near", "50,10"], ["near", "50,10"], ["item", "list", "--near", "50,10"]] {
            let refused = try await Program.habitat(command + ["--within", within, "--as", "owner"], in: store.folder)
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.errors.hasPrefix("error[distance-invalid]"), "\(refused)")
        }
    }
}
