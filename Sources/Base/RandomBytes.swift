extension [UInt8] {
    /// Returns bytes of the random number generator of the system, which cannot be predicted.
    package static func random(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
    }
}
