import Base
import Geo
import HabitAPI
import HabitModel
import Rendering

/// The section of the private places, in which other users see no positions.
extension AccountPage {
    /// Returns the list of the places, and the form that adds one.
    ///
    /// - Parameter action: The path of the forms.
    /// - Returns: The section.
    func places(_ action: String) -> HTML {
        let places = account.privatePlaces.places
        var items: HTML = ""
        for (index, place) in places.enumerated() {
            items += item(place, id: "place-\(index + 1)", to: action)
        }
        let isFull = places.count >= PrivatePlaces.limit && result.problem(of: .addPlace) == nil
        return section(
            AccountForm.addPlace.section,
            title: PageText.Account.places,
            content: """
                <p class="about">\(PageText.Account.placesAbout)</p>
                \(list(items, whenEmpty: PageText.Account.noPlaces))\(message(of: .deletePlace))\
                \(isFull ? fullNote : newPlace(action))
                """)
    }

    private func item(_ place: PrivatePlace, id: String, to action: String) -> HTML {
        let meters = Int(place.radius.meters)
        let center = HTML.coordinates(of: place.position)
        return entry(
            id: id,
            title: place.name,
            note: PageText.Account.circle(around: center, meters: meters),
            form: removal(
                .deletePlace,
                of: place.name,
                describedBy: id,
                to: action,
                button: PageText.Account.deletePlace))
    }

    /// The sentence in place of the form if the person has the maximum number of places.
    private var fullNote: HTML {
        """
        \(message(of: .addPlace))<p class="note">\(PageText.Account.mostPlaces(PrivatePlaces.limit))</p>

        """
    }

    private func newPlace(_ action: String) -> HTML {
        let fields = nameField + positionField + radiusField
        return """
            <h3>\(PageText.Account.newPlace)</h3>
            \(form(.addPlace, to: action, button: PageText.Account.addPlace, fields: fields))
            """
    }

    private var nameField: HTML {
        let field = PlaceForm.name
        return """
            <label for="\(field)">\(PageText.Account.placeName)</label>
            <input id="\(field)" name="\(field)" value="\(entered(field))" maxlength="\(PrivatePlace.nameLimit)" \
            autocomplete="off" required\(description(of: field, in: .addPlace))>
            <p class="note" id="\(field)-hint">\(PageText.Account.placeNameHint)</p>

            """
    }

    private var positionField: HTML {
        let field = PlaceForm.position
        return """
            <label for="\(field)">\(PageText.Account.placePosition)</label>
            <input id="\(field)" name="\(field)" value="\(entered(field))" maxlength="60" autocomplete="off" \
            spellcheck="false" required\(description(of: field, in: .addPlace))>
            <p class="note" id="\(field)-hint">\(PageText.Account.placePositionHint)</p>

            """
    }

    private var radiusField: HTML {
        let field = PlaceForm.radius
        let radii = PrivatePlace.radii
        let least = Int(radii.lowerBound.meters)
        let most = Int(radii.upperBound.meters)
        let standard = String(Int(PrivatePlace.standardRadius.meters))
        let radius = result.entered(field, in: .addPlace) ?? standard
        return """
            <label for="\(field)">\(PageText.Account.placeRadius)</label>
            <input id="\(field)" name="\(field)" type="number" min="\(least)" max="\(most)" value="\(radius)" \
            required\(description(of: field, in: .addPlace))>
            <p class="note" id="\(field)-hint">\(PageText.Account.placeRadiusHint(from: least, to: most))</p>

            """
    }

    private func entered(_ field: String) -> String {
        result.entered(field, in: .addPlace) ?? ""
    }
}
