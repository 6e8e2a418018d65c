import Base
import HTTPServing
import HabitAPI
import HabitModel
import Rendering

/// The parts of the sections of the account page.
extension AccountPage {
    /// Returns a section of the page.
    func section(_ id: String, title: String, content: HTML) -> HTML {
        """
        <section id="\(id)">
        <h2>\(title)</h2>
        \(content)</section>

        """
    }

    /// Returns a form with its result.
    func form(_ form: AccountForm, to action: String, button: String, fields: HTML = "") -> HTML {
        """
        <form class="account" method="post" action="\(action)#\(form.section)">
        <input type="hidden" name="form" value="\(form.rawValue)">
        \(fields)\(message(of: form))<button type="submit">\(button)</button>
        </form>

        """
    }

    /// Returns the form that ends a session or revokes a token.
    func form(
        _ form: AccountForm,
        to action: String,
        button: String,
        ending entry: OwnTokens.Entry
    ) -> HTML {
        let id = entry.token.id
        return removal(form, of: id, describedBy: "token-\(id)", to: action, button: button)
    }

    /// Returns the form that removes an entry of a list.
    func removal(
        _ form: AccountForm,
        of id: String,
        describedBy entry: String,
        to action: String,
        button: String = PageText.Account.remove
    ) -> HTML {
        """
        <form method="post" action="\(action)#\(form.section)">
        <input type="hidden" name="form" value="\(form.rawValue)">
        <input type="hidden" name="id" value="\(id)">
        <button type="submit" aria-describedby="\(entry)">\(button)</button>
        </form>

        """
    }

    /// Returns the sentence after a form was sent; empty if it was not sent.
    func message(of form: AccountForm) -> HTML {
        if let problem = result.problem(of: form) {
            return """
                <p class="problem" id="\(form.rawValue)-problem" role="alert">\
                \(PageText.Account.unchanged) \(isolated: problem.explanation)</p>

                """
        }
        guard result.isDone(form), let confirmation = form.confirmation else { return "" }
        return "<p class=\"done\" role=\"status\">\(confirmation)</p>\n"
    }

    /// Returns the attributes that connect a field with its hint and its problem.
    func description(of field: String, in form: AccountForm) -> HTML {
        description(of: field, in: form, hint: "\(field)-hint")
    }

    /// Returns the attributes that connect a field with a hint, or with none, and its problem.
    func description(of field: String, in form: AccountForm, hint: String?) -> HTML {
        let problem = result.problem(of: form)
        let isInvalid = problem?.field == field
        let ids = [hint, isInvalid ? "\(form.rawValue)-problem" : nil].compactMap(\.self)
        let described: HTML = ids.isEmpty ? "" : " aria-describedby=\"\(ids.joined(separator: " "))\""
        return isInvalid ? "\(described) aria-invalid=\"true\" autofocus" : described
    }

    /// Returns the secret that a form has created; empty if it has created none.
    func secret(of form: AccountForm, title: String) -> HTML {
        guard let secret = result.secret(of: form) else { return "" }
        return """
            <div class="secret" role="status">
            <p>\(PageText.Account.secret(title))</p>
            <p><code>\(secret)</code></p>
            </div>

            """
    }

    /// Returns a list of entries, or a text if the list is empty.
    func list(_ items: HTML, whenEmpty text: String) -> HTML {
        items.text.isEmpty ? "<p class=\"empty\">\(text)</p>\n" : "<ul class=\"entries\">\n\(items)</ul>\n"
    }

    /// Returns an entry of the list of sessions, tokens or addresses.
    ///
    /// - Parameters:
    ///   - entry: The token.
    ///   - note: A remark about a token; of a session, only about that of the request.
    ///   - form: The form that ends it.
    /// - Returns: The entry.
    func item(_ entry: OwnTokens.Entry, note: String?, form: HTML) -> HTML {
        let token = entry.token
        let isRemarked = !entry.isSession || entry.isCurrent
        var mark: HTML = ""
        if let note, isRemarked {
            mark = " <span class=\"mark\">\(note)</span>"
        }
        let end =
            entry.isEndless
            ? "\(PageText.Account.endless)"
            : PageText.Account.valid(until: token.expires.time(in: zoneRules))
        return self.entry(
            id: "token-\(token.id)",
            title: Self.linkTitle(of: entry) ?? token.label ?? PageText.Account.noLabel,
            mark: mark,
            note: PageText.Account.entry(since: token.created.time(in: zoneRules), state: end),
            form: form)
    }

    /// Returns the title of a one-time link, or `nil` for another token.
    private static func linkTitle(of entry: OwnTokens.Entry) -> String? {
        switch entry.linkPurpose {
        case nil: nil
        case .invitation: PageText.Account.invitation
        case .device: PageText.SignIn.deviceLink
        case .mail: PageText.Account.mailedLink
        }
    }

    /// Returns an entry of a list with a form that removes it.
    func entry(id: String, title: String, mark: HTML = "", note: HTML, form: HTML) -> HTML {
        """
        <li>
        <div id="\(id)"><strong>\(isolated: title)</strong>\(mark)
        <p class="note">\(note)</p></div>
        \(form)</li>

        """
    }
}

extension Instant {
    /// Returns the date and the time on the clocks of a zone, such as `20 Nov 2026, 13:05`.
    func time(in zone: TimeZoneRules) -> HTML {
        let offset = offset(in: zone)
        let date = day(at: offset).civil
        let minutes = microseconds / 60_000_000 + Int64(offset.minutes)
        // Before 1970, the remainder is negative.
        let minute = Int((minutes % 60 + 60) % 60)
        let clock = [hour(at: offset), minute].map { part in part < 10 ? "0\(part)" : "\(part)" }
        let month = DateNames.shortMonths[date.month - 1]
        return """
            <time datetime="\(OffsetInstant(self, offset: offset).description)">\
            \(date.day) \(month) \(date.year), \(clock.joined(separator: ":"))</time>
            """
    }
}
