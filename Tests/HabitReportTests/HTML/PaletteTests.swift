import Base
import Foundation
import HabitTestSupport
import Testing

@testable import Rendering

/// Tests of the colors of pages: equal to the table of statuses, readable, and distinct for everyone.
@Suite(.engineIndependent) struct PaletteTests {
    /// A color on a background, and the lowest contrast that is permitted.
    private struct Pair {
        let color: String
        let background: String
        let contrast: Double
    }

    private static let texts = ["ink", "soft", "accent", "alarm"]
    private static let statuses = StatusWord.allCases.map(\.cssClass)
    private static let days = ["done", "missed", "skipped", "unplanned", "open"]
    private static let lines = (0...5).map { "line\($0)" }

    /// WCAG 2.2 demands 4.5 for texts, and 3 for borders of fields and for symbols.
    private static let pairs: [Pair] = {
        let surfaces = ["ground", "card", "sunk"]
        var pairs = texts.flatMap { color in
            surfaces.map { surface in Pair(color: color, background: surface, contrast: 4.5) }
        }
        for surface in ["ground", "card"] {
            pairs += (["edge"] + statuses + days).map { Pair(color: $0, background: surface, contrast: 3) }
        }
        // A chart writes the names of its lines in their colors.
        pairs += lines.map { Pair(color: $0, background: "card", contrast: 4.5) }
        for color in statuses + ["items", "posts"] {
            pairs.append(Pair(color: color, background: "land", contrast: 3))
        }
        pairs += [
            Pair(color: "on-accent", background: "accent", contrast: 4.5),
            Pair(color: "on-alarm", background: "alarm", contrast: 4.5),
            Pair(color: "ink", background: "tint", contrast: 4.5),
            Pair(color: "accent", background: "tint", contrast: 4.5),
            Pair(color: "ink", background: "note", contrast: 4.5),
            Pair(color: "soft", background: "land", contrast: 4.5),
            Pair(color: "soft", background: "water", contrast: 4.5),
        ]
        return pairs
    }()

    @Test(arguments: Palette.Theme.allCases)
    func textsAndSymbolsStandOutFromTheirBackgrounds(theme: Palette.Theme) throws {
        let palette = Palette(theme)
        for pair in Self.pairs {
            let color = try #require(palette[pair.color], "\(pair.color)")
            let background = try #require(palette[pair.background], "\(pair.background)")
            let contrast = color.contrast(to: background)
            #expect(contrast >= pair.contrast, "\(pair.color) on \(pair.background)")
        }
    }

    @Test func statusesHaveColorsOfTheirTable() {
        let light = Palette(.light)
        let dark = Palette(.dark)
        for status in StatusWord.allCases {
            #expect(light[status.cssClass]?.text == status.color)
            #expect(dark[status.cssClass]?.text == status.darkColor)
        }
    }

    @Test(arguments: Palette.Theme.allCases, ColorVision.allCases)
    func ratingsDifferForEveryone(theme: Palette.Theme, vision: ColorVision) throws {
        let palette = Palette(theme)
        let ratings: [StatusWord] = [.onTrack, .nearGoal, .inactive]
        let colors = try ratings.map { status in try #require(palette[status.cssClass]) }
        let seen = colors.map { color in LabColor(linear: vision.seen(color.linear)) }
        for (i, color) in seen.enumerated() {
            for j in 0..<i {
                let difference = color.difference(to: seen[j])
                #expect(difference >= 20, "\(ratings[i]) and \(ratings[j]): \(difference)")
            }
        }
    }

    /// Pairs 1, 17, 18 and 24 of the test data of Sharma, Wu and Dalal (2005).
    @Test(arguments: [
        ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425),
        ([50, 2.5, 0], [73, 25, -18], 27.1492),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377),
    ])
    func differenceOfColorsIsThatOfPublishedData(one: [Double], other: [Double], expected: Double) {
        let first = LabColor(lightness: one[0], a: one[1], b: one[2])
        let second = LabColor(lightness: other[0], a: other[1], b: other[2])
        #expect(abs(first.difference(to: second) - expected) < 0.0001)
    }

    /// All style sheets of the program, by their paths in the folder `Sources`.
    private static func sheets() throws -> [String: String] {
        let folder = Program.repository + "/Sources"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        var sheets: [String: String] = [:]
        for path in paths where path.hasSuffix(".css") {
            sheets[path] = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
        }
        return sheets
    }

    /// Rules with left and right would be wrong in a page that is read from right to left.
    @Test func sheetsHaveOnlyLogicalProperties() throws {
        let side = #"(?:left|right|top|bottom)"#
        let rule = try Regex(#"[{;\s](?:(?:margin|padding|border)-\#(side)|\#(side)):|text-align: (?:left|right)"#)
        let sheets = try Self.sheets()
        #expect(sheets.count >= 6)
        for (path, text) in sheets {
            let found = text.firstMatch(of: rule).map { match in String(text[match.range]) }
            #expect(found == nil, "\(path)")
        }
    }

    /// A rule with the name of a token that does not exist would have no effect.
    @Test func everyUsedTokenExists() throws {
        let text = try Self.sheets().values.joined()
        let declarations = text.matches(of: /--([a-z0-9-]+):/)
        let declared = Set(declarations.map { String($0.1) })
        let uses = text.matches(of: /var\(--([a-z0-9-]+)\)/)
        let used = Set(uses.map { String($0.1) })
        #expect(used.subtracting(declared) == [])
    }
}
