import Base

/// The choice of colors in a text output.
public enum ColorChoice: String, Sendable, CaseIterable {
    /// On a terminal that supports colors, unless the environment variable `NO_COLOR` is set.
    case auto
    /// In every text output.
    case always
    /// In no output.
    case never
}

/// The colors and symbols of a text output.
public struct TerminalStyle: Sendable, Equatable {
    /// The colors that an output may contain.
    public enum Palette: Sendable {
        /// No colors and no bold text.
        case none
        /// The 16 colors of every terminal.
        case basic
        /// The 256 colors of xterm.
        case extended
    }

    /// The colors.
    public var palette = Palette.none
    /// Whether the symbols of the program are ASCII characters.
    ///
    /// Texts of users are never changed.
    public var isASCII = false

    /// Creates the style of a file: UTF-8 without colors.
    public init() {}

    /// Creates the style of an output.
    ///
    /// - Parameters:
    ///   - choice: The choice of the user.
    ///   - isTerminal: Whether the output is a terminal.
    ///   - isUTF8: Whether the encoding of the locale is UTF-8. Only a terminal depends on it.
    ///   - environment: The environment of the process.
    public init(_ choice: ColorChoice, isTerminal: Bool, isUTF8: Bool, environment: [String: String]) {
        isASCII = isTerminal && !isUTF8
        let terminal = environment["TERM"] ?? ""
        let isSuppressed = environment["NO_COLOR"]?.isEmpty == false || terminal == "dumb"
        switch choice {
        case .never: return
        case .auto where !isTerminal || isSuppressed: return
        case .auto, .always: break
        }
        let depth = environment["COLORTERM"] ?? ""
        let isExtended = terminal.contains("256color") || !depth.isEmpty
        palette = isExtended ? .extended : .basic
    }

    /// Whether the output contains colors and bold text.
    var isColored: Bool { palette != .none }

    /// Returns a status with its symbol, or any other text unchanged.
    public func text(ofStatus text: String) -> String {
        StatusWord(rawValue: text).map { status in "\(self.text(of: status.symbol)) \(text)" } ?? text
    }

    /// Returns a symbol as this output can show it.
    public func text(of symbol: TerminalSymbol) -> String { isASCII ? symbol.ascii : symbol.rawValue }
}

/// A symbol of the program in a text output.
public enum TerminalSymbol: String, Sendable, CaseIterable {
    case done = "✓"
    case open = "○"
    case skipped = "–"
    case missed = "□"
    case unplanned = "▪"
    case onTrack = "●"
    case nearGoal = "◒"
    case inactive = "◆"
    case new = "•"
    case partlyDone = "◐"
    case full = "■"
    case rule = "─"
    case separator = "·"

    /// The symbol on a terminal without UTF-8.
    var ascii: String {
        switch self {
        case .done: "x"
        case .open, .inactive: "o"
        case .skipped, .rule, .separator: "-"
        case .missed: "."
        case .unplanned: "+"
        case .onTrack: "*"
        case .nearGoal, .partlyDone: "~"
        case .new: "?"
        case .full: "#"
        }
    }
}

/// The SGR sequences of a text output (ECMA-48, section 8.3.117).
enum SGR {
    static let bold = "\u{1B}[1m"
    static let dim = "\u{1B}[2m"
    static let reset = "\u{1B}[0m"
}

extension StatusWord {
    /// The form of the status, for terminals without colors and for people with color blindness.
    package var symbol: TerminalSymbol {
        switch self {
        case .onTrack: .onTrack
        case .nearGoal: .nearGoal
        case .inactive: .inactive
        case .new: .new
        }
    }

    /// Returns the SGR sequence of the status, or `nil` if the output has no colors.
    func color(in palette: TerminalStyle.Palette) -> String? {
        guard palette != .none else { return nil }
        return palette == .extended ? extendedColor : basicColor
    }

    /// The nearest of the 256 colors that is visible on a light and on a dark background.
    private var extendedColor: String {
        switch self {
        case .onTrack: "\u{1B}[38;5;32m"
        case .nearGoal: "\u{1B}[38;5;136m"
        case .inactive: "\u{1B}[38;5;161m"
        case .new: "\u{1B}[38;5;243m"
        }
    }

    /// The nearest of the 16 colors of every terminal.
    private var basicColor: String {
        switch self {
        case .onTrack: "\u{1B}[94m"
        case .nearGoal: "\u{1B}[33m"
        case .inactive: "\u{1B}[35m"
        case .new: "\u{1B}[90m"
        }
    }
}
