import Base
import Geo
import Photos

/// The fields of an event that its user may change at any time.
public struct EventDetails: Sendable, Equatable {
    /// The comment.
    ///
    /// Its maximum length is a store setting.
    public var comment: FieldInput<String> = .absent
    /// The amount in the unit of the habit, from 0.
    public var amount: FieldInput<Double> = .absent
    /// The photo.
    public var photo: FieldInput<Photo> = .absent
    /// The position.
    public var position: FieldInput<Position> = .absent

    /// Creates details in which all fields are omitted.
    public init() {}

    /// Returns the details with the comment validated and in NFC.
    ///
    /// - Parameter settings: The settings of the store, which limit the comment.
    /// - Returns: The details.
    /// - Throws: `comment-too-long` or `text-invalid`.
    public func checked(_ settings: Settings) throws(HabitError) -> EventDetails {
        var details = self
        details.comment = try comment.map { (text: String) throws(HabitError) in
            try TextRule.comment.check(text, settings)
        }
        return details
    }

    /// Clears the omitted fields, except the photo, which has a URL of its own.
    public mutating func clearOmitted() {
        comment = comment.orNull
        amount = amount.orNull
        position = position.orNull
    }
}
