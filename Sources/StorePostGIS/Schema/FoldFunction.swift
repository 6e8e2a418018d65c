import Base

/// The SQL function `fold`, which returns the same form of a text as `String.folded`.
///
/// PostgreSQL has no full case folding before version 18. The function contains the foldings of all characters at the
/// time of the migration. A text without a letter that it must replace, except ASCII letters, costs about 20 µs.
enum FoldFunction {
    /// The character after the last one that has a folding, with room for later versions of Unicode.
    private static let end: UInt32 = 0x2_0000

    /// The statement that creates or replaces the function.
    static var sql: String {
        let foldings = foldings
        let letters = foldings.map(\.letter).joined()
        let folded = foldings.map(\.folding).joined(separator: " ")
        return """
            CREATE OR REPLACE FUNCTION habitat_functions.fold(input text) RETURNS text
            LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
            DECLARE
              output text := lower(input COLLATE "C");
            BEGIN
              IF input ~ '[\(letters)]' THEN
                DECLARE
                  letters text[] := string_to_array('\(letters)', NULL);
                  foldings text[] := string_to_array('\(folded)', ' ');
                  letter text;
                BEGIN
                  FOR letter IN SELECT DISTINCT match[1] FROM regexp_matches(input, '[\(letters)]', 'g') AS match LOOP
                    output := replace(output, letter, foldings[array_position(letters, letter)]);
                  END LOOP;
                END;
              END IF;
              RETURN normalize(output, NFC);
            END
            $$
            """
    }

    /// The characters outside ASCII that differ from their folding, without those that no text in NFC contains.
    private static var foldings: [(letter: String, folding: String)] {
        var foldings: [(letter: String, folding: String)] = []
        for code in 0x80..<end {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let letter = String(Character(scalar))
            let folding = letter.folded
            // Swift compares texts by canonical equivalence, but PostgreSQL by code points.
            let isComposed = letter.unicodeScalars.elementsEqual(letter.composed.unicodeScalars)
            let isFolded = letter.unicodeScalars.elementsEqual(folding.unicodeScalars)
            guard isComposed, !isFolded, !hasSyntax(letter), !hasSyntax(folding) else { continue }
            foldings.append((letter, folding))
        }
        return foldings
    }

    /// Returns whether a text contains a character that has a meaning in a text or a regular expression of the
    /// function.
    private static func hasSyntax(_ text: String) -> Bool {
        let syntax = "'\\ ]^-[".unicodeScalars
        return text.unicodeScalars.contains { scalar in syntax.contains(scalar) }
    }
}
