extension Sequence<String> {
    /// Returns the name that is most similar to a misspelled word.
    ///
    /// A name is similar if the Levenshtein distance is at most 1, or is 2 and both texts begin with the same
    /// character. The distance is at most half of the length of the longer text.
    ///
    /// - Parameter word: The word in the input.
    /// - Returns: The nearest name, or `nil` if no name is similar or `word` is longer than 100 bytes.
    public func nearestSpelling(to word: String) -> String? {
        // A text of this length is not a misspelled name, and the comparison is expensive.
        guard word.utf8.count <= 100 else { return nil }
        let nearest = map { ($0, $0.distance(to: word)) }.min { $0.1 < $1.1 }
        guard let (name, distance) = nearest, distance <= 1 || (distance == 2 && name.first == word.first),
            2 * distance <= Swift.max(name.count, word.count)
        else { return nil }
        return name
    }
}

extension String {
    /// Returns the Levenshtein distance: the number of characters to insert, delete or replace.
    fileprivate func distance(to other: String) -> Int {
        var row = Array(0...other.count)
        for (i, a) in enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in other.enumerated() {
                (diagonal, row[j + 1]) = (
                    row[j + 1], Swift.min(diagonal + (a == b ? 0 : 1), row[j] + 1, row[j + 1] + 1)
                )
            }
        }
        return row[other.count]
    }
}
