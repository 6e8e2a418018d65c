import Foundation
import HabitTestSupport
import Testing

/// Tests that blank search texts, empty files and impossible distances are errors.
@Suite struct BlankInputTests {
    /// Rule C-27: a blank search text is an error.
    @Test(arguments: ["", " ", "\t \u{3000}\n"]) func blankSearchTextIsRefused(text: String) throws {
        let store = try RuleStore()
        for option in ["--comment", "--comment-word"] {
            for command in [["history"], ["near", "50,10"]] {
                let refused = try Program.habitat(command + [option, text, "--as", "owner"], in: store.folder)
                #expect(refused.status == 64, "\(refused)")
                #expect(refused.errors.hasPrefix("error[search-text-empty]: the search text is blank"), "\(refused)")
            }
        }
    }

    @Test(arguments: ["rain\n\nsun\n", "rain\n \t\nsun", "\n", "rain\r\n\r\n"])
    func blankLineInFileOfTermsIsRefused(terms: String) throws {
        let store = try RuleStore()
        try store.folder.write(terms, to: "terms.txt")
        let refused = try Program.habitat("history", "--terms", "terms.txt", "--as", "owner", in: store.folder)
        let line = terms.hasPrefix("\n") ? 1 : 2
        #expect(refused.status == 64 && refused.errors.hasPrefix("error[search-text-empty]"), "\(refused)")
        #expect(refused.errors.contains("terms.txt:\(line): "), "\(refused)")
    }

    @Test(arguments: ["events.csv", "events.ndjson", "events.json", "events.geojson", "all.geojson"])
    func emptyFileIsRefusedUnlessAllowed(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        for content in ["", " \n\n", "\u{FEFF}"] {
            try folder.write(content, to: name)
            let refused = try Program.habitat("ingest", "users.csv", name, in: folder)
            #expect(refused.status == 65 && refused.errors.contains("error[header-invalid]"), "\(refused)")
            #expect(refused.errors.contains(name) && refused.errors.contains("--allow-empty"), "\(refused)")
            let users = try Program.habitat("user", "list", "--format", "csv", "--columns", "id", in: folder)
            #expect(!users.output.contains("ann"), "nothing is stored")
        }
        let allowed = try Program.habitat("ingest", "users.csv", name, "--allow-empty", in: folder)
        #expect(allowed.status == 0, "\(allowed)")
    }

    @Test func emptyStandardInputIsRefusedUnlessAllowed() throws {
        let folder = try TemporaryFolder()
        let refused = try Program.habitat("ingest", "-", "--kind", "events", in: folder, input: Data())
        #expect(refused.status == 65 && refused.errors.contains("header-invalid"), "\(refused)")
        let allowed = try Program.habitat("ingest", "-", "--kind", "events", "--allow-empty", in: folder, input: Data())
        #expect(allowed.status == 0, "\(allowed)")
    }

    @Test func fileWithoutRowsIsAccepted() throws {
        let folder = try TemporaryFolder()
        try folder.write("habit,day\n", to: "events.csv")
        try folder.write("[]", to: "users.json")
        let load = try Program.habitat("ingest", "events.csv", "users.json", in: folder)
        #expect(load.status == 0, "\(load)")
    }

    @Test(arguments: ["1e99m", "1e308km", "40076km"]) func distanceBeyondEarthIsRefused(within: String) throws {
        let store = try RuleStore()
        for command in [["history", "--near", "50,10"], ["near", "50,10"], ["item", "list", "--near", "50,10"]] {
            let refused = try Program.habitat(command + ["--within", within, "--as", "owner"], in: store.folder)
            #expect(refused.status == 64 && refused.errors.hasPrefix("error[distance-invalid]"), "\(refused)")
        }
    }
}
