import HTTPTypes

extension HTTPFields {
    /// Returns the fields and `others`, which replace fields with the same names.
    package func merging(_ others: HTTPFields) -> HTTPFields {
        var all = self
        for field in others { all[field.name] = field.value }
        return all
    }
}
