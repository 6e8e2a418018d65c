extension Sequence<String> {
    /// The name that somebody who typed `word` most likely meant; nil where none is like it.
    public func nearestSpelling(to word: String) -> String? {
        // Nobody means a name by a text of this length, and comparing it is dear.
        guard word.utf8.count <= 100 else { return nil }
        let nearest = map { ($0, $0.distance(to: word)) }.min { $0.1 < $1.1 }
        guard let (name, distance) = nearest, distance <= 1 || (distance == 2 && name.first == word.first) else {
            return nil
        }
        return name
    }
}

extension String {
    /// How many characters must be added, left out or replaced to make one text of the other (Levenshtein).
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
