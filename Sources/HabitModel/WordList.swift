import Base

/// A list of blocked words and phrases, with exceptions.
///
/// The file is UTF-8 text with a word or phrase per line. A line that begins with `+` is an exception: a blocked word
/// inside an allowed phrase is not a match (`+cock au vin`). `#` begins a comment, at the start of a line or after a
/// space. A line has at most 200 characters, and a file has at most 100,000 lines.
///
/// Only complete words match, in any letter case (see `WordSplitter` for the definition of a word). Spaces, line breaks
/// and punctuation between the words of a phrase are ignored. Simple disguises of words match as well: `f*ck` and
/// `f.u.c.k` (see `DisguisedWords`).
///
/// In scripts without spaces, UAX 29 treats each ideograph and each hiragana (in Thai and similar scripts, each letter)
/// as a word, and a run of katakana or of Hangul syllables as one word. So `バカ` does not match in `バカンス`, nor `한` in
/// `한국어`, but `死ね`, a phrase of two words, matches in `必死ね`. Such a list needs longer entries and exceptions.
public struct WordList: Sendable {
    /// Maximum number of lines in a file.
    private static let maximumLines = 100_000
    /// Maximum length of a line, in characters.
    private static let maximumLineLength = 200

    /// The list that is included in the program.
    public static let standard: WordList = {
        // A test detects an invalid list. At run time an invalid list blocks no words instead of stopping the program.
        (try? WordList(bytes: PackageResources.not_allowed_txt, name: "not-allowed.txt")) ?? WordList()
    }()

    private var phrases = PhraseTree()
    private var disguises = DisguisedWords()

    private init() {}

    /// Parses a list.
    ///
    /// Takes about 15 ms for 1,000 entries.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - name: The name of the file, for errors.
    /// - Throws: `parameter-invalid` with the number of the invalid line.
    public init(_ text: String, name: String) throws(HabitError) {
        try self.init(bytes: Array(text.utf8), name: name)
    }

    /// Parses a list from the bytes of its file.
    ///
    /// A UTF-8 byte order mark is skipped.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - name: The name of the file, for errors.
    /// - Throws: `parameter-invalid` with the number of the invalid line.
    public init(bytes: [UInt8], name: String) throws(HabitError) {
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        let lines = text.split(
            separator: UInt8(ascii: "\n"), maxSplits: Self.maximumLines, omittingEmptySubsequences: false)
        let splitter = WordSplitter()
        for (index, line) in lines.enumerated() {
            do throws(HabitError) {
                guard index < Self.maximumLines || line.isEmpty else {
                    throw Self.problem("the word list has more than \(Self.maximumLines) lines: remove entries")
                }
                try add(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, splitter)
            } catch {
                var located = error
                located.file = name
                located.line = index + 1
                throw located
            }
        }
    }

    /// Parses a line and adds its entry.
    private mutating func add(_ line: ArraySlice<UInt8>, _ splitter: WordSplitter) throws(HabitError) {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Self.problem("the line is not UTF-8: save the word list as UTF-8")
        }
        guard text.utf8.count <= Self.maximumLineLength || text.count <= Self.maximumLineLength else {
            throw Self.problem(
                "the line has \(text.count) characters; at most \(Self.maximumLineLength) are allowed: shorten it")
        }
        let hasControl = text.unicodeScalars.contains { scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control
        }
        guard !hasControl else {
            throw Self.problem("the line contains a control character: remove it")
        }
        let entry = Self.withoutComment(text)
        guard !entry.isEmpty else { return }
        let isAllowed = entry.first == "+"
        let words = splitter.words(of: isAllowed ? String(entry.dropFirst()) : entry)
        guard !words.isEmpty else { throw Self.problem("the entry contains no letter or digit: remove it") }
        phrases.add(words, isAllowed ? .allowed : .forbidden(entry))
        guard !isAllowed else { return }
        for word in words {
            disguises.add(word)
        }
    }

    /// Returns the entry of a line without the comment and without surrounding white space.
    private static func withoutComment(_ line: String) -> String {
        var isAfterSpace = true
        let kept = line.prefix { character in
            defer { isAfterSpace = character.isWhitespace }
            return !(isAfterSpace && character == "#")
        }
        let last = kept.lastIndex { character in !character.isWhitespace }
        guard let last else { return "" }
        return String(kept[...last].drop(while: \.isWhitespace))
    }

    /// Creates the error for an invalid line.
    private static func problem(_ message: String) -> HabitError {
        HabitError(.parameterInvalid, message, field: SettingRecord.wordListName)
    }

    /// Returns the first blocked word or phrase in `text`.
    ///
    /// If several entries match, the result is the entry whose match begins first. If several matches begin at the same
    /// word, the longest one is returned. An exception takes precedence over an equal blocked entry. Takes about 2 ms
    /// for 2,000 characters, or 20 ms if each character folds to several words, as `ﷺ` does. The time does not depend
    /// on the length of the list, because words are found by hashing.
    ///
    /// - Parameter text: The text to search.
    /// - Returns: The entry in the spelling of the list, or `nil` if the text contains no blocked word.
    public func firstForbidden(in text: String) -> String? {
        let words = WordSplitter().words(of: text, revealing: disguises.revealed)
        var allowedEnd = 0
        for start in words.indices {
            let found = phrases.longest(at: start, of: words)
            allowedEnd = max(allowedEnd, found.allowedEnd)
            // The match is covered if an allowed phrase begins at or before its start and ends at or after its end.
            if let forbidden = found.forbidden, forbidden.end > allowedEnd { return forbidden.entry }
        }
        return nil
    }
}

/// A trie of phrases.
///
/// Each edge is a word, and the root is node 0.
private struct PhraseTree {
    /// The meaning of a phrase.
    enum Verdict {
        /// An exception.
        case allowed
        /// A blocked phrase, with its entry in the spelling of the list.
        case forbidden(String)
    }

    /// An edge of the trie, identified by its start node and its word.
    private struct Step: Hashable {
        var node: Int
        var word: String
    }

    /// The end node of each edge.
    private var nodes: [Step: Int] = [:]
    /// The nodes at which an exception ends.
    private var allowed: Set<Int> = []
    /// The nodes at which a blocked phrase ends, with the entry of the phrase.
    private var forbidden: [Int: String] = [:]

    /// Adds a phrase.
    ///
    /// If two blocked entries have the same words, the first one is kept.
    mutating func add(_ words: [String], _ verdict: Verdict) {
        var node = 0
        for word in words {
            let step = Step(node: node, word: word)
            node = nodes[step] ?? nodes.count + 1
            nodes[step] = node
        }
        switch verdict {
        case .allowed: allowed.insert(node)
        case .forbidden(let entry): if forbidden[node] == nil { forbidden[node] = entry }
        }
    }

    /// Returns the longest allowed and the longest blocked phrase that begin with the word at `start`.
    ///
    /// The ends are exclusive word indices. `allowedEnd` equals `start` if no allowed phrase begins there.
    func longest(at start: Int, of words: [String]) -> (allowedEnd: Int, forbidden: (end: Int, entry: String)?) {
        var allowedEnd = start
        var found: (end: Int, entry: String)?
        var node = 0
        for index in start..<words.count {
            guard let next = nodes[Step(node: node, word: words[index])] else { break }
            node = next
            if allowed.contains(node) { allowedEnd = index + 1 }
            if let entry = forbidden[node] { found = (index + 1, entry) }
        }
        return (allowedEnd, found)
    }
}
