extension Sequence<String> {
    /// Returns the name that is most similar to a misspelled word.
    ///
    /// A name is similar if the Levenshtein distance is at most 1, or is 2 and both texts begin with the same
    /// character. The distance is at most half of the length of the longer text.
    ///
    /// - Parameter word: The word in the input.
    /// - Returns: The nearest name, or `nil` if no name is similar or `word` is longer than 100 bytes.
    public func nearestSpelling(to word: String) -> String? {
        guard let nearest = nearest(to: word), 2 * nearest.distance <= nearest.length else {
            return nil
        }
        switch nearest.distance {
        case 0, 1: return nearest.name
        case 2: return nearest.name.first == word.first ? nearest.name : nil
        default: return nil
        }
    }

    /// Returns the name that is most similar to a misspelled option.
    ///
    /// - Parameter word: The word in the input.
    /// - Returns: The nearest name, or `nil` if the Levenshtein distance is more than a third of the length of the
    ///   longer text or `word` is longer than 100 bytes.
    public func nearestSpelling(withinThirdOf word: String) -> String? {
        guard let nearest = nearest(to: word), 3 * nearest.distance <= nearest.length else {
            return nil
        }
        return nearest.name
    }

    /// Returns the first name with the smallest distance to a word, or `nil` without names.
    private func nearest(to word: String) -> SimilarName? {
        // A text of this length is not a misspelled name, and the comparison is expensive.
        guard word.utf8.count <= 100 else {
            return nil
        }
        var nearest: SimilarName?
        for name in self {
            let distance = name.distance(to: word)
            if let nearest, nearest.distance <= distance {
                continue
            }
            nearest = SimilarName(name: name, distance: distance, length: Swift.max(name.count, word.count))
        }
        return nearest
    }
}

/// A name and its Levenshtein distance to a word.
private struct SimilarName {
    var name: String
    var distance: Int
    /// The length of the longer text, in characters.
    var length: Int
}

extension String {
    /// Returns the Levenshtein distance: the number of characters to insert, delete or replace.
    fileprivate func distance(to other: String) -> Int {
        // One row of the matrix of distances between the prefixes of the texts.
        var row = Array(0...other.count)
        for (i, a) in enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in other.enumerated() {
                let replaced = a == b ? diagonal : diagonal + 1
                let inserted = row[j] + 1
                let deleted = row[j + 1] + 1
                diagonal = row[j + 1]
                row[j + 1] = Swift.min(replaced, inserted, deleted)
            }
        }
        return row[other.count]
    }
}
