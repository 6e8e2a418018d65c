import HabitModel

/// The SQL function `fold`, which returns the same form of a text as `String.folded`.
///
/// PostgreSQL has no full case folding before version 18. The mappings of the function are the foldings of all characters
/// at the time of the migration.
enum FoldFunction {
    /// The character after the last one that has a folding, with room for later versions of Unicode.
    private static let end: UInt32 = 0x2_0000

    /// The statement that creates or replaces the function.
    static var sql: String {
        let foldings = foldings
        let short = foldings.filter { $0.folding.unicodeScalars.count == 1 }
        let long = foldings.filter { $0.folding.unicodeScalars.count > 1 }
        return """
            CREATE OR REPLACE FUNCTION habitat_functions.fold(input text) RETURNS text
            LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
            DECLARE
              output text;
              letters text[] := string_to_array('\(long.map(\.letter).joined())', NULL);
              foldings text[] := string_to_array('\(long.map(\.folding).joined(separator: " "))', ' ');
            BEGIN
              IF octet_length(input) = length(input) THEN
                RETURN lower(input COLLATE "C");
              END IF;
              output := translate(input, '\(short.map(\.letter).joined())', '\(short.map(\.folding).joined())');
              FOR number IN 1..array_length(letters, 1) LOOP
                output := replace(output, letters[number], foldings[number]);
              END LOOP;
              RETURN normalize(output, NFC);
            END
            $$
            """
    }

    /// The characters that differ from their folding.
    private static var foldings: [(letter: String, folding: String)] {
        (0..<end).compactMap { Unicode.Scalar($0) }.compactMap { scalar in
            let letter = String(Character(scalar))
            let folding = letter.folded
            // Swift compares by canonical equivalence.
            return letter.unicodeScalars.elementsEqual(folding.unicodeScalars) ? nil : (letter, folding)
        }.filter { !($0.letter + $0.folding).unicodeScalars.contains { "'\\ ".unicodeScalars.contains($0) } }
    }
}
