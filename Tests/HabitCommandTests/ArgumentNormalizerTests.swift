import ArgumentParser
import HabitTestSupport
import Testing

@testable import habitat

/// Tests of command line normalization.
///
/// Common options may precede the command, and coordinates may begin with a minus sign.
@Suite(.engineIndependent) struct ArgumentNormalizerTests {
    private func normalized(_ arguments: String...) -> [String] { ArgumentNormalizer(arguments).normalized }

    /// Every common option is also accepted before the command.
    @Test func commonOptionsMoveAfterCommandWhenTheyPrecedeIt() throws {
        let help = CommonOptionsOnly.helpMessage(columns: 200)
        let options = help.matches(of: /^  (--[a-z-]+)( <[a-z]+>)?/.anchorsMatchLineEndings())
        #expect(options.count > 9)
        for option in options where !["--help", "--version"].contains(option.1) {
            let value = option.2 == nil ? [] : ["text"]
            let given = [String(option.1)] + value
            #expect(ArgumentNormalizer(given + ["stats"]).normalized == ["stats"] + given)
        }
    }

    private struct CommonOptionsOnly: ParsableCommand {
        @OptionGroup var common: CommonOptions
    }

    @Test func optionAfterCommandTakesPrecedence() {
        #expect(
            normalized("--as", "ann", "history", "--as", "bob") == ["history", "--as", "ann", "--as", "bob"])
    }

    @Test func optionStaysInPlaceWhenItHasNoValue() {
        #expect(normalized("--store") == ["--store"])
        #expect(normalized("--unknown", "stats") == ["--unknown", "stats"])
        #expect(normalized() == [])
    }

    @Test func emptyValueIsKeptAsValue() { #expect(normalized("stats", "--as=") == ["stats", "--as", ""]) }

    @Test(arguments: [
        (["near", "-33.87,151.21"], ["near", " -33.87,151.21"]), (["near", "38.7", "-9.1"], ["near", "38.7,-9.1"]),
        (["near", "38.7,", "-9.1"], ["near", "38.7,-9.1"]),
        (["near", "-33.87S,151.21E"], ["near", " -33.87S,151.21E"]),
        (["history", "--bbox", "-74.3,40.5,-73.7,40.9"], ["history", "--bbox", " -74.3,40.5,-73.7,40.9"]),
        (["event", "add", "--comment", "-1,2"], ["event", "add", "--comment", "-1,2"]),
        (["habit", "add", "--unit", "-1,2"], ["habit", "add", "--unit", "-1,2"]),
        (["history", "--limit", "-1"], ["history", "--limit", "-1"]),
    ])
    func coordinatesBecomeOneValue(arguments: [String], expected: [String]) {
        #expect(ArgumentNormalizer(arguments).normalized == expected)
    }

    @Test func wordsEndAtFirstOption() {
        #expect(
            ArgumentNormalizer(["--quiet", "item", "claim", "x", "--as", "ann", "y"]).words == ["item", "claim", "x"])
    }

    @Test(arguments: [["--errors", "json"], ["--errors=json"], ["--log-format", "json"]])
    func errorFormatIsDetectedBeforeParsing(options: [String]) {
        #expect(ArgumentNormalizer(["nonsense"] + options).wantsJSONErrors)
        #expect(!ArgumentNormalizer(["nonsense", "--errors", "text", "json"]).wantsJSONErrors)
    }

    @Test(arguments: [
        (["report", "calendar"], ["report", "run", "calendar"]),
        (
            ["--as", "ann", "report", "own.sql", "--by", "week"],
            ["report", "run", "own.sql", "--as", "ann", "--by", "week"]
        ),
        (["report", "list"], ["report", "list"]),
        (["report", "run", "list"], ["report", "run", "list"]),
        (["report", "help", "run"], ["report", "help", "run"]),
        (["report"], ["report"]),
        (["report", "--help"], ["report", "--help"]),
        (["help", "report", "run"], ["help", "report", "run"]),
    ])
    func runMayBeOmittedBeforeReport(arguments: [String], expected: [String]) {
        #expect(ArgumentNormalizer(arguments).normalized == expected)
    }

    @Test func argumentsOfCompletionScriptAreUnchanged() {
        let arguments = ["---completion", "near", "--", "positional@0", "1", "0", "near", "38.7,", "-9", "--verbose"]
        let normalizer = ArgumentNormalizer(arguments)
        #expect(normalizer.requestsCompletion)
        #expect(normalizer.normalized == arguments)
        #expect(!normalizer.isVerbose)
        #expect(!ArgumentNormalizer(["near"]).requestsCompletion)
    }
}
