/// The changes that clients can make to the features of a collection.
///
/// Clients can create and delete the features. ``HabitStore/RecordActions`` applies the changes.
struct FeatureWrites: Sendable {
    /// Whether clients can also change a feature.
    var canUpdate = true
    /// Whether a feature has a photo.
    var photo = PhotoRule.none

    /// A rule for the photo of a feature.
    enum PhotoRule: Sendable {
        case none
        case optional
        /// Each feature has a photo, which therefore cannot be deleted.
        case required
    }
}
