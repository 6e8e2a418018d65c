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
        return """
            CREATE OR REPLACE FUNCTION habitat_functions.fold(input text) RETURNS text
            LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
            DECLARE
              output text := lower(input COLLATE "C");
            BEGIN
              IF input ~ '[\(letters)]' THEN
                DECLARE
                  letters text[] := string_to_array('\(letters)', NULL);
                  foldings text[] := string_to_array('\(foldings.map(\.folding).joined(separator: " "))', ' ');
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
        (0x80..<end).compactMap { Unicode.Scalar($0) }.compactMap { scalar in
            let letter = String(Character(scalar))
            let folding = letter.folded
            // Swift compares by canonical equivalence.
            let isComposed = letter.unicodeScalars.elementsEqual(letter.composed.unicodeScalars)
            return isComposed && !letter.unicodeScalars.elementsEqual(folding.unicodeScalars) ? (letter, folding) : nil
        }.filter { !($0.letter + $0.folding).unicodeScalars.contains { "'\\ ]^-[".unicodeScalars.contains($0) } }
    }
}
