extension Array {
    /// Sorts the array by a 64-bit key, 16 bits at a time, and keeps the order of equal elements.
    ///
    /// The sort needs the memory of a second array.
    mutating func sortRadix(by key: (Element) -> UInt64) {
        guard count > 4096 else {
            return sort { first, second in key(first) < key(second) }
        }
        var other = self
        for shift in stride(from: UInt64(0), to: 64, by: 16) {
            // The index of the first element of each digit. At first, it contains the number of elements of the digit
            // before.
            var starts = [Int](repeating: 0, count: 65537)
            for element in self {
                let digit = Int(truncatingIfNeeded: key(element) >> shift & 0xFFFF)
                starts[digit + 1] += 1
            }
            let haveOneDigit = starts.contains(count)
            guard !haveOneDigit else { continue }
            for digit in 0..<65536 {
                starts[digit + 1] += starts[digit]
            }
            for element in self {
                let digit = Int(truncatingIfNeeded: key(element) >> shift & 0xFFFF)
                other[starts[digit]] = element
                starts[digit] += 1
            }
            swap(&self, &other)
        }
    }
}

extension [Int64] {
    /// Returns the numbers sorted and without duplicates.
    consuming func distinct() -> [Int64] {
        sort()
        var last: Int64?
        removeAll { number in
            defer { last = number }
            return number == last
        }
        return self
    }
}
