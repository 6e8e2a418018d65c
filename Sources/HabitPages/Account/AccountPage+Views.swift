import Base
import HabitAPI
import HabitModel
import Rendering

/// The section of the shared views.
extension AccountPage {
    /// Returns the list of the shared views, and the form that creates one.
    ///
    /// - Parameter action: The path of the forms.
    /// - Returns: The section.
    func sharedViews(_ action: String) -> HTML {
        var items: HTML = ""
        for view in views.entries { items += item(view, to: action) }
        let fields = layerFields + statusField + roundingField + dayFields + labelField(of: .createView)
        return section(
            AccountForm.createView.section,
            title: PageText.Account.views,
            content: """
                <p class="about">\(PageText.Account.viewsAbout)</p>
                \(secret(of: .createView, title: PageText.Account.yourNewView))\
                \(list(items, whenEmpty: PageText.Account.noViews))\(message(of: .revokeView))\
                <h3>\(PageText.Account.newView)</h3>
                \(form(.createView, to: action, button: PageText.Account.createView, fields: fields))
                """)
    }

    private func item(_ view: OwnViews.Entry, to action: String) -> HTML {
        let id = "view-\(view.id)"
        let end = view.expires.map { end in PageText.Account.valid(until: end.time(in: zoneRules)) }
        let layers = view.definition.layers.map(PageText.Shared.name).joined(separator: ", ")
        let since = PageText.Account.entry(
            since: view.created.time(in: zoneRules),
            state: end ?? "\(PageText.Account.endless)")
        let rounded = PageText.Shared.rounded(to: view.definition.rounding)
        let status = view.definition.showsStatus ? " \(PageText.Account.viewHasStatus)" : ""
        return entry(
            id: id,
            title: view.label ?? PageText.Account.noLabel,
            note: "\(layers). \(rounded)\(status) \(since)",
            form: removal(
                .revokeView,
                of: view.id,
                describedBy: id,
                to: action,
                button: PageText.Account.revoke))
    }

    private var layerFields: HTML {
        var boxes: HTML = ""
        for layer in views.layers {
            let name = ViewForm.layer(layer)
            let isFirst = layer == views.layers.first && result.problem(of: .createView) == nil
            let isChecked = result.entered(name, in: .createView) == "yes" || isFirst
            boxes += box(name, label: PageText.Shared.name(of: layer), isChecked: isChecked)
        }
        return boxes
    }

    /// The box for the statuses, which only events have.
    private var statusField: HTML {
        guard views.layers.contains(.events) else { return "" }
        let isChecked = result.entered(ViewForm.status, in: .createView) == "yes"
        return box(ViewForm.status, label: PageText.Account.viewStatus, isChecked: isChecked)
    }

    private func box(_ name: String, label: String, isChecked: Bool) -> HTML {
        let checked: HTML = isChecked ? " checked" : ""
        return """
            <label class="choice"><input type="checkbox" name="\(name)" value="yes"\(checked)> \(label)</label>

            """
    }

    private var roundingField: HTML {
        let field = ViewForm.rounding
        let entered = result.entered(field, in: .createView)
        var options: HTML = ""
        for rounding in ViewDefinition.Rounding.allCases {
            let selected: HTML = rounding.rawValue == entered ? " selected" : ""
            options += """
                <option value="\(rounding.rawValue)"\(selected)>\(PageText.Shared.size(of: rounding))</option>

                """
        }
        return """
            <label for="\(field)">\(PageText.Account.rounding)</label>
            <select id="\(field)" name="\(field)"\(description(of: field, in: .createView))>
            \(options)</select>
            <p class="note" id="\(field)-hint">\(PageText.Account.roundingHint)</p>

            """
    }

    private var dayFields: HTML {
        number(
            ViewForm.days,
            label: PageText.Account.viewDays,
            hint: PageText.Account.viewDaysHint,
            in: ViewDefinition.dayCounts)
            + number(
                ViewForm.lifetime,
                label: PageText.Account.days,
                hint: PageText.Account.viewLifetimeHint,
                in: OwnViews.lifetimes)
    }

    private func number(_ field: String, label: String, hint: String, in range: ClosedRange<Int>) -> HTML {
        """
        <label for="\(field)">\(label)</label>
        <input id="\(field)" name="\(field)" type="number" min="\(range.lowerBound)" max="\(range.upperBound)" \
        value="\(result.entered(field, in: .createView) ?? "")"\(description(of: field, in: .createView))>
        <p class="note" id="\(field)-hint">\(hint)</p>

        """
    }
}
