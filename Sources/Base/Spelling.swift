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
        guard word.utf8.count <= 100 else {
            return nil
        }
        var nearest: (name: String, distance: Int)?
        for name in self {
            let distance = name.distance(to: word)
            if let nearest, nearest.distance <= distance {
                continue
            }
            nearest = (name, distance)
        }
        guard let (name, distance) = nearest else {
            return nil
        }
        let longest = Swift.max(name.count, word.count)
        guard 2 * distance <= longest else {
            return nil
        }
        switch distance {
        case 0, 1: return name
        case 2: return name.first == word.first ? name : nil
        default: return nil
        }
    }
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
