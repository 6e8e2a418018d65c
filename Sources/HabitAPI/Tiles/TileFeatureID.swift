import Base

/// The number that identifies a feature in vector tiles, for example for the highlights of a map.
///
/// It is a part of a digest, and not the key in the store. A key would reveal the number and the order of records of
/// other users. Two of n features have the same number with a probability of about n²/2⁵³. The text ID in the
/// properties is unique.
struct TileFeatureID: Equatable {
    /// The number of bits: JavaScript represents such integers exactly.
    private static let bits = 52

    /// The number, which is the same in every tile and store.
    let number: UInt64

    /// Creates the number of a feature.
    ///
    /// - Parameters:
    ///   - id: The ID of the feature.
    ///   - collection: The collection of the feature. Features of two collections have different numbers.
    init(of id: String, in collection: FeatureCollection) {
        let digest = [collection.id, id].lengthPrefixedSHA256
        let first = digest.prefix(8).reduce(UInt64(0)) { number, byte in number << 8 | UInt64(byte) }
        number = first >> UInt64(UInt64.bitWidth - Self.bits)
    }
}
