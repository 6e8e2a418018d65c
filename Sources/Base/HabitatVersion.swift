/// The version of Habitat.
public enum HabitatVersion {
    /// The semantic version of both programs, of the API document and of the packages.
    ///
    /// `CHANGELOG.md` has a section for it.
    public static let current = "0.1.0"
}
