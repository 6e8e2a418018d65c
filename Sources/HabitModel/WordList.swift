/// Words and phrases that may not stand in a message, and the phrases in which they may.
///
/// The file is UTF-8 text with a word or phrase a line. A line that begins with `+` allows: what lies inside an allowed
/// phrase is no offence (`+cock au vin`). `#` begins a comment, at the start of a line or after a space. Lines have at most
/// 200 characters, files at most 100,000 lines.
///
/// Only whole words match, never parts of words (see `WordSplitter` for what a word is), whatever the case. The
/// words of a phrase match whatever spaces, line breaks and punctuation lie between them.
///
/// Scripts without spaces: UAX 29 takes each ideograph and each hiragana (in Thai and its like, each letter) for a word,
/// and a run of katakana for one. So `バカ` is not found in `バカンス`, but `死ね`, a phrase of two, is found in `必死ね`:
/// such a list needs longer entries, and `+` lines.
public struct WordList: Sendable {
    private static let maximumLines = 100_000
    private static let maximumLineLength = 200

    /// The list that comes with the program.
    public static let standard: WordList = {
        // A test finds a list that cannot be read; at run time it would forbid nothing rather than stop the program.
        (try? WordList(bytes: PackageResources.not_allowed_txt, name: "not-allowed.txt")) ?? WordList()
    }()

    private var phrases = PhraseTree()

    private init() {}

    /// Reads a list; `name` is the file that errors name.
    ///
    /// Throws `parameter-invalid` with the line at fault. About 15 ms for 1,000 entries.
    public init(_ text: String, name: String) throws(HabitError) {
        try self.init(bytes: Array(text.utf8), name: name)
    }

    /// Reads a list from the bytes of its file.
    public init(bytes: [UInt8], name: String) throws(HabitError) {
        let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        let lines = text.split(
            separator: UInt8(ascii: "\n"), maxSplits: Self.maximumLines, omittingEmptySubsequences: false)
        let splitter = WordSplitter()
        for (index, line) in lines.enumerated() {
            do throws(HabitError) {
                guard index < Self.maximumLines || line.isEmpty else {
                    throw Self.problem("a word list has at most \(Self.maximumLines) lines")
                }
                try add(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, splitter)
            } catch {
                var located = error
                (located.file, located.line) = (name, index + 1)
                throw located
            }
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>, _ splitter: WordSplitter) throws(HabitError) {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Self.problem("the line is not UTF-8: save the word list as UTF-8")
        }
        guard text.utf8.count <= Self.maximumLineLength || text.count <= Self.maximumLineLength else {
            throw Self.problem("the line has \(text.count) characters; at most \(Self.maximumLineLength) are allowed")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\t" }) else {
            throw Self.problem("the line holds a NUL or another control character")
        }
        let entry = Self.withoutComment(text)
        guard !entry.isEmpty else { return }
        let isAllowed = entry.first == "+"
        let words = splitter.words(of: isAllowed ? String(entry.dropFirst()) : entry)
        guard !words.isEmpty else { throw Self.problem("the entry has no letter and no digit: no text could match it") }
        phrases.add(words, isAllowed ? .allowed : .forbidden(entry))
    }

    /// The entry of a line, without the spaces around it.
    private static func withoutComment(_ line: String) -> String {
        var isAfterSpace = true
        let kept = line.prefix { character in
            defer { isAfterSpace = character.isWhitespace }
            return !(isAfterSpace && character == "#")
        }
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last].drop(while: \.isWhitespace))
    }

    private static func problem(_ message: String) -> HabitError {
        HabitError(.parameterInvalid, message, field: "word-list")
    }

    /// The word or phrase that may not stand in `text`, as it stands in the list; nil where there is none.
    ///
    /// Of several the one that begins first, and of those the one of most words. An entry that is both forbidden and
    /// allowed is allowed. About 2 ms for 2,000 characters (20 where each of them folds to several words, as `ﷺ` does), whatever the
    /// length of the list: words are looked up, the list is not gone through.
    public func firstForbidden(in text: String) -> String? {
        let words = WordSplitter().words(of: text)
        var allowedEnd = 0
        for start in words.indices {
            let found = phrases.longest(at: start, of: words)
            allowedEnd = max(allowedEnd, found.allowedEnd)
            // An allowed phrase that begins here or before, and ends as late, holds it.
            if let forbidden = found.forbidden, forbidden.end > allowedEnd { return forbidden.entry }
        }
        return nil
    }
}

/// Phrases by their words: the first word leads from the root to a node, each further word to a node below.
private struct PhraseTree {
    enum Verdict {
        case allowed
        case forbidden(String)
    }

    private struct Step: Hashable {
        var node: Int
        var word: String
    }

    private var nodes: [Step: Int] = [:]
    private var allowed: Set<Int> = []
    private var forbidden: [Int: String] = [:]

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

    /// The longest allowed and the longest forbidden phrase that begin with the word at `start`; each ends before `end`.
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
