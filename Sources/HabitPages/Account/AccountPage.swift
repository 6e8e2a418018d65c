import Base
import HTTPServing
import HabitAPI
import HabitModel
import Rendering

/// The page of a person's own account: a section with small forms for each part of the account.
///
/// The forms need no script. Each response is the page again, with a sentence in the section of the form.
struct AccountPage {
    /// The account of the person.
    let account: AccountDetails
    /// The blocks of the person, in the order of the IDs.
    let blocks: [OwnBlocks.Entry]
    /// The sessions, the access tokens and the calendar addresses of the person, oldest first.
    let tokens: [OwnTokens.Entry]
    /// The shared views of the person, and the layers that a new one can have.
    let views: SharedViews
    /// The passkeys and the identities of the person.
    let ways: SignInWays.Known
    /// The domain for which passkeys are valid; `nil` if the server has no passkeys.
    let passkeyDomain: String?
    /// The sign-in services of the server.
    let issuers: IssuerSignIn
    /// The names of the time zones that a person can choose; empty if the machine has no list.
    let zones: [String]
    /// The result of the form that a person has sent.
    let result: FormResult

    /// The shared views of a person.
    struct SharedViews {
        /// The views, oldest first.
        let entries: [OwnViews.Entry]
        /// The layers that a view on this server can have.
        let layers: [ViewDefinition.Layer]
    }

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Account.title)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        let action = "\(site.root)/account"
        page.scripts = (canAddPasskey ? ["passkey.js"] : []) + (site.hasApplication ? ["sign-out.js"] : [])
        page.content = profile(action) + timeZone(action) + positions(action)
        page.content += places(action) + blockedUsers(action)
        page.content += passkeys(action) + services(action)
        page.content += devices(site, action) + accessTokens(action)
        if site.sections.contains(.habits) { page.content += calendar(action) }
        page.content += sharedViews(action)
        page.content += data(site) + Self.developers(site) + deletion(action)
        return page
    }

    /// The rules of the person's time zone, in which the page shows times.
    var zoneRules: TimeZoneRules { TimeZoneRules(account.timeZone) ?? .utc }

    // MARK: The account

    private func profile(_ action: String) -> HTML {
        let stored = account.name ?? ""
        let name = result.entered("name", in: .name) ?? stored
        let email: HTML = account.email.map { address in "\(isolated: address)" } ?? "\(PageText.Account.noEmail)"
        let fields: HTML = """
            <label for="name">\(PageText.Account.name)</label>
            <input id="name" name="name" value="\(name)" autocomplete="name"\(description(of: "name", in: .name))>
            <p class="note" id="name-hint">\(PageText.Account.nameHint)</p>

            """
        return section(
            "profile",
            title: PageText.Account.you,
            content: """
                <dl class="card">
                <div><dt>\(PageText.Account.id)</dt><dd>\(isolated: account.id)</dd></div>
                <div><dt>\(PageText.Account.email)</dt><dd>\(email)</dd></div>
                </dl>
                <p class="note">\(PageText.Account.emailNote)</p>
                \(form(.name, to: action, button: PageText.Account.saveName, fields: fields))
                """)
    }

    private func timeZone(_ action: String) -> HTML {
        let field = Field.timeZone.name
        let description = description(of: field, in: .timeZone)
        let control: HTML
        if zones.isEmpty {
            control = """
                <input id="\(field)" name="\(field)" value="\(account.timeZone)" required\(description)>

                """
        } else {
            control = """
                <select id="\(field)" name="\(field)"\(description)>
                \(zoneOptions)</select>

                """
        }
        let fields: HTML = """
            <label for="\(field)">\(PageText.Account.yourTimeZone)</label>
            \(control)<p class="note" id="\(field)-hint">\(PageText.Account.timeZoneHint)</p>

            """
        return section(
            "time-zone",
            title: PageText.Account.timeZone,
            content: form(.timeZone, to: action, button: PageText.Account.saveTimeZone, fields: fields))
    }

    private var zoneOptions: HTML {
        let others = zones.contains(account.timeZone) ? zones : [account.timeZone] + zones
        return others.reduce("" as HTML) { options, zone in
            let selected: HTML = zone == account.timeZone ? " selected" : ""
            return options + "<option\(selected)>\(zone)</option>\n"
        }
    }

    private func positions(_ action: String) -> HTML {
        let checked: HTML = account.sharesLocation ? " checked" : ""
        let fields: HTML = """
            <label class="choice"><input type="checkbox" name="share" value="yes"\(checked)> \
            \(PageText.Account.storePositions)</label>
            <p class="note">\(PageText.Account.positionsNote)</p>

            """
        return section(
            "positions",
            title: PageText.Account.positions,
            content: form(.positions, to: action, button: PageText.Account.saveChoice, fields: fields))
    }

    private func blockedUsers(_ action: String) -> HTML {
        var items: HTML = ""
        for (index, block) in blocks.enumerated() {
            let id = "block-\(index + 1)"
            let since = block.blockedAt.map { at in at.instant.time(in: zoneRules) }
            let time = since.map(PageText.Account.blockedSince) ?? ""
            items += entry(
                id: id,
                title: block.blocked,
                note: time,
                form: removal(
                    .unblock,
                    of: block.blocked,
                    describedBy: id,
                    to: action,
                    button: PageText.Account.unblock))
        }
        let fields: HTML = """
            <label for="block-id">\(PageText.Account.blockedID)</label>
            <input id="block-id" name="id" autocomplete="off" autocapitalize="none" spellcheck="false" required\
            \(description(of: Field.blocked.name, in: .block, hint: nil))>

            """
        return section(
            "blocks",
            title: PageText.Account.blockedUsers,
            content: """
                <p class="about">\(PageText.Account.blocksAbout)</p>
                \(list(items, whenEmpty: PageText.Account.noBlocks))\(message(of: .unblock))\
                \(form(.block, to: action, button: PageText.Account.block, fields: fields))
                """)
    }

    // MARK: Ways to sign in

    private var canAddPasskey: Bool { passkeyDomain != nil && ways.canGrow }

    private func passkeys(_ action: String) -> HTML {
        guard passkeyDomain != nil || !ways.passkeys.isEmpty else { return "" }
        var items: HTML = ""
        for passkey in ways.passkeys {
            let used = passkey.used.map { used in PageText.Account.used(used.time(in: zoneRules)) }
            items += entry(
                id: "passkey-\(passkey.id)",
                title: passkey.label ?? PageText.Account.passkey,
                note: PageText.Account.entry(
                    since: passkey.created.time(in: zoneRules),
                    state: used ?? "\(PageText.Account.notUsed)"),
                form: removal(.removePasskey, of: passkey.id, describedBy: "passkey-\(passkey.id)", to: action))
        }
        return section(
            "passkeys",
            title: PageText.Account.passkeys,
            content: """
                <p class="about">\(PageText.Account.passkeysAbout)</p>
                \(list(items, whenEmpty: PageText.Account.noPasskeys))\(message(of: .removePasskey))\(passkeyForm)
                """)
    }

    /// The form that adds a passkey, which the script `passkey.js` shows if the browser has passkeys.
    private var passkeyForm: HTML {
        guard let passkeyDomain else { return "" }
        guard ways.canGrow else { return Self.additionNote }
        return """
            <form class="account" id="new-passkey" data-domain="\(passkeyDomain)" hidden>
            <label for="passkey-label">\(PageText.Account.label)</label>
            <input id="passkey-label" maxlength="\(OwnTokens.labelLimit)" autocomplete="off">
            <p class="problem" id="passkey-problem" role="alert" hidden></p>
            <button type="submit" id="passkey-add">\(PageText.Account.addPasskey)</button>
            </form>

            """
    }

    /// The sentence for a person whose session may not add a way to sign in.
    private static let additionNote: HTML = """
        <p class="note">\(PageText.Account.signInByLink)</p>

        """

    private static let tokenNote: HTML = """
        <p class="note">\(PageText.Account.tokenByLink)</p>

        """

    private func services(_ action: String) -> HTML {
        let additions = issuers.additions
        guard !additions.isEmpty || !ways.identities.isEmpty else { return "" }
        var items: HTML = ""
        for identity in ways.identities {
            items += entry(
                id: "identity-\(identity.id)",
                title: issuers.name(ofIssuer: identity.issuer),
                note: "\(isolated: identity.email ?? identity.subject)",
                form: removal(.removeIdentity, of: identity.id, describedBy: "identity-\(identity.id)", to: action))
        }
        var forms: HTML = message(of: .addIdentity) + continuation
        for addition in additions where ways.canGrow {
            forms += """
                <form method="post" action="\(action)#\(AccountForm.addIdentity.section)">
                <input type="hidden" name="form" value="\(AccountForm.addIdentity.rawValue)">
                <input type="hidden" name="id" value="\(addition.key)">
                <button type="submit">\(PageText.Account.add(addition.name))</button>
                </form>

                """
        }
        return section(
            "services",
            title: PageText.Account.services,
            content: """
                \(list(items, whenEmpty: PageText.Account.noServices))\(message(of: .removeIdentity))\
                \(ways.canGrow ? forms : Self.additionNote)
                """)
    }

    /// The link to an issuer that the person adds.
    ///
    /// The response to the form does not redirect there: the policy of the page keeps forms on this server.
    private var continuation: HTML {
        guard case .begun(let start) = result else { return "" }
        return """
            <p role="status"><a class="issuer" href="\(start.address)">\(PageText.SignIn.issuer(start.name))</a></p>

            """
    }

    // MARK: Sessions and tokens

    private func devices(_ site: PageSite, _ action: String) -> HTML {
        let sessions = tokens.filter { entry in entry.isSession }
        let others = sessions.filter { entry in !entry.isCurrent }
        var items: HTML = ""
        for entry in sessions {
            let end = form(.endSession, to: action, button: PageText.Account.signOut, ending: entry)
            items += item(entry, note: PageText.Account.thisDevice, form: entry.isCurrent ? "" : end)
        }
        let links = tokens.filter { entry in entry.linkPurpose != nil }
        for entry in links {
            let end = form(.revokeLink, to: action, button: PageText.Account.revoke, ending: entry)
            items += item(entry, note: PageText.Account.unusedLink, form: end)
        }
        var content = list(items, whenEmpty: PageText.Account.noDevices) + message(of: .endSession)
        content += message(of: .revokeLink)
        if others.count + links.count > 1 || result.isDone(.endOtherSessions) {
            content += form(.endOtherSessions, to: action, button: PageText.Account.signOutOthers)
        }
        if ways.canGrow {
            content += SignInLinkPage.deviceForm(site)
        }
        return section("devices", title: PageText.Account.devices, content: content)
    }

    private func accessTokens(_ action: String) -> HTML {
        var items: HTML = ""
        for entry in tokens where entry.isAccessToken {
            let revoke = form(.revokeToken, to: action, button: PageText.Account.revoke, ending: entry)
            let note = entry.isFromService ? PageText.Account.fromService : nil
            items += item(entry, note: note, form: revoke)
        }
        let days = result.entered("days", in: .createToken) ?? "90"
        let lifetimes = OwnTokens.lifetimes
        let fields: HTML = """
            \(labelField(of: .createToken))<label for="days">\(PageText.Account.days)</label>
            <input id="days" name="days" type="number" min="\(lifetimes.lowerBound)" max="\(lifetimes.upperBound)" \
            value="\(days)" required\(description(of: "days", in: .createToken))>
            <p class="note" id="days-hint">\(PageText.Account.longestLife(days: lifetimes.upperBound))</p>

            """
        let creation: HTML = """
            <h3>\(PageText.Account.newToken)</h3>
            \(form(.createToken, to: action, button: PageText.Account.createToken, fields: fields))
            """
        return section(
            "tokens",
            title: PageText.Account.tokens,
            content: """
                <p class="about">\(PageText.Account.tokensAbout)</p>
                \(secret(of: .createToken, title: PageText.Account.yourNewToken))\
                \(list(items, whenEmpty: PageText.Account.noTokens))\(message(of: .revokeToken))\
                \(ways.canGrow ? creation : Self.tokenNote)
                """)
    }

    private func calendar(_ action: String) -> HTML {
        var items: HTML = ""
        for entry in tokens where entry.isCalendar {
            let revoke = form(.revokeCalendar, to: action, button: PageText.Account.revoke, ending: entry)
            items += item(entry, note: nil, form: revoke)
        }
        return section(
            "calendar",
            title: PageText.Account.calendar,
            content: """
                <p class="about">\(PageText.Account.calendarAbout)</p>
                \(secret(of: .createCalendar, title: PageText.Account.newCalendar))\
                \(list(items, whenEmpty: PageText.Account.noCalendar))\(message(of: .revokeCalendar))\
                <h3>\(PageText.Account.newAddress)</h3>
                \(form(
                    .createCalendar,
                    to: action,
                    button: PageText.Account.createAddress,
                    fields: labelField(of: .createCalendar)))
                """)
    }

    func labelField(of form: AccountForm) -> HTML {
        let id = "\(form.section)-label"
        return """
            <label for="\(id)">\(PageText.Account.label)</label>
            <input id="\(id)" name="label" value="\(result.entered("label", in: form) ?? "")" autocomplete="off"\
            \(description(of: "label", in: form, hint: nil))>

            """
    }

    // MARK: Data

    private func data(_ site: PageSite) -> HTML {
        section(
            "data",
            title: PageText.Account.data,
            content: """
                <p class="about">\(PageText.Account.dataAbout)</p>
                <p><a class="button" href="\(site.root)/user/export" download>\(PageText.Account.download)</a></p>

                """)
    }

    /// The section about the interface for programs, which the page of the operator has too.
    static func developers(_ site: PageSite) -> HTML {
        """
        <section id="developers">
        <h2>\(PageText.Frame.developers)</h2>
        <p class="about">\(PageText.Account.developersAbout)</p>
        <p><a class="button" href="\(site.root)/?f=html">\(PageText.Account.interface)</a></p>
        </section>

        """
    }

    private func deletion(_ action: String) -> HTML {
        let fields: HTML = """
            <label for="id">\(PageText.Account.confirmation(id: account.id))</label>
            <input id="id" name="id" autocomplete="off" autocapitalize="none" spellcheck="false" required\
            \(description(of: "id", in: .delete, hint: nil))>

            """
        return section(
            "delete",
            title: PageText.Account.deletion,
            content: """
                <p class="about">\(PageText.Account.deletionAbout)</p>
                \(form(.delete, to: action, button: PageText.Account.delete, fields: fields))
                """)
    }
}
