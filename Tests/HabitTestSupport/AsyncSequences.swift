extension Sequence {
    /// Returns the results of `transform` for the elements, one after the other.
    public func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
