import HTTPServing

/// A condition of a list of features, which a link can remove.
package struct ListFilter: Sendable {
    /// The name of the query parameter.
    package let name: String
    /// The value of the query parameter as the user sent it.
    package let value: String
    /// The URL of the first page of the list without this condition.
    package let removal: String
}

/// The URL of a list with the parameters of a request, and the links that change them.
package struct ListRequest: Sendable {
    /// The URL of the list without parameters.
    let list: String
    let parameters: RequestParameters
    let form: FeatureForm
    /// Whether the features are sorted by their distance from a position.
    let isByDistance: Bool
    /// The names of the parameters without which the list does not exist.
    var required: Set<String> = []

    /// The URL of the first page of the list, or `nil` if this page is the first one.
    package var firstPage: String? {
        guard parameters[.after] != nil else { return nil }
        return list + parameters.query([FeatureParameter.after.rawValue: nil])
    }

    /// The URLs of this page in the other forms, and their media types.
    package var alternates: [(href: String, type: ContentType)] {
        let forms: [FeatureForm] = [.geojson, .csv, .html]
        let current = form.mediaType
        return forms.filter { form in form.mediaType != current }.map { form in
            let query = parameters.query([FeatureParameter.f.rawValue: form.rawValue])
            return (list + query, form.mediaType)
        }
    }

    /// The URL of all features of the list as a Parquet file.
    package var file: String {
        let complete = firstPageParameters.without([FeatureParameter.limit.rawValue])
        let form = FeatureForm.parquet.rawValue
        return list + complete.query([FeatureParameter.f.rawValue: form])
    }

    /// The conditions of the list, by name.
    ///
    /// A parameter with several values is several conditions.
    package var filters: [ListFilter] {
        let others = FeatureParameter.ofForm.union(required)
        let names = parameters.values.keys.filter { name in !others.contains(name) }
        return names.sorted().flatMap { name in
            parameters.all(name).map { value in
                ListFilter(name: name, value: value, removal: address(without: name, value))
            }
        }
    }

    /// The URL of the list without conditions.
    package var unfiltered: String {
        let kept = FeatureParameter.ofForm.union(required)
        let names = Set(parameters.values.keys).subtracting(kept)
        return list + parameters.without(names.union(FeatureParameter.ofFilter)).query([:])
    }

    /// The URL of the list as GeoJSON, for programs.
    package var dataAddress: String {
        let json = FeatureForm.json.rawValue
        return list + firstPageParameters.query([FeatureParameter.f.rawValue: json])
    }

    /// The parameters without the cursor of the page.
    private var firstPageParameters: RequestParameters {
        parameters.without([FeatureParameter.after.rawValue])
    }

    /// Returns the URL of the list without one condition.
    ///
    /// Parameters that require the condition are removed too.
    private func address(without name: String, _ value: String) -> String {
        var rest = firstPageParameters.without(value: value, of: name)
        switch FeatureParameter(rawValue: name) {
        case .near:
            let sort: Set<String> = isByDistance ? [FeatureParameter.sortby.rawValue] : []
            rest = rest.without(sort.union([FeatureParameter.within.rawValue]))
        case .filter:
            rest = rest.without(FeatureParameter.ofFilter.subtracting([FeatureParameter.sortby.rawValue]))
        default: break
        }
        return list + rest.query([:])
    }
}

extension FeatureParameter {
    /// The parameters that determine the form of a list and not its features.
    fileprivate static let ofForm = names([
        .limit, .after, .f, .properties, .precision, .sortby, .photoLinks, .spreadsheetSafe, .filterLang, .filterCRS,
    ])

    /// The parameters that depend on a condition.
    fileprivate static let ofFilter = names([.filterLang, .filterCRS, .sortby])

    private static func names(_ parameters: [FeatureParameter]) -> Set<String> {
        Set(parameters.map(\.rawValue))
    }
}
