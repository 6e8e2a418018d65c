/// The column `version` of a record, a random number that each change replaces.
///
/// Versions of one record are equal or not; they have no order. Two successive versions are equal with a probability
/// of 2⁻⁴⁷. A trigger sets the version and logs the change of a program that does not set it, and logs each deletion
/// of a record whose version is not ``deleted``.
enum RecordVersion {
    /// The name of the column.
    static let column = "version"

    /// The version of a record that the program is about to delete.
    static let deleted: Int64 = -1

    /// Returns the version of the records that a transaction changes.
    ///
    /// The number has at most 47 bits, so that a row in a file stores it in 6 bytes.
    static func new() -> Int64 {
        Int64.random(in: 1..<1 << 47)
    }
}
