import Testing

@testable import Rendering

@Suite struct TerminalStyleTests {
    private typealias Palette = TerminalStyle.Palette

    @Test(arguments: [
        (ColorChoice.auto, true, ["TERM": "xterm-256color"], Palette.extended),
        (.auto, true, ["TERM": "xterm"], .basic),
        (.auto, true, ["TERM": "xterm", "COLORTERM": "truecolor"], .extended),
        (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], .basic),
        (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], .none),
        (.auto, true, ["TERM": "dumb"], .none),
        (.auto, false, ["TERM": "xterm"], .none),
        (.always, false, ["TERM": "xterm", "NO_COLOR": "1"], .basic),
        (.always, false, ["TERM": "dumb"], .basic),
        (.always, false, [:], .basic),
        (.never, true, ["TERM": "xterm-256color"], .none),
    ])
    func paletteFollowsChoiceAndEnvironment(
        choice: ColorChoice, isTerminal: Bool, environment: [String: String], palette: TerminalStyle.Palette
    ) {
        let style = TerminalStyle(choice, isTerminal: isTerminal, isUTF8: true, environment: environment)
        #expect(style.palette == palette)
    }

    @Test(arguments: [(true, true, false), (true, false, true), (false, false, false), (false, true, false)])
    func onlyTerminalWithoutUTF8IsASCII(isTerminal: Bool, isUTF8: Bool, isASCII: Bool) {
        let style = TerminalStyle(.auto, isTerminal: isTerminal, isUTF8: isUTF8, environment: [:])
        #expect(style.isASCII == isASCII)
    }

    @Test func eachSymbolHasOneColumn() {
        for symbol in TerminalSymbol.allCases {
            #expect(TerminalText(symbol.rawValue).width == 1)
            #expect(symbol.ascii.utf8.count == 1)
        }
    }
}
