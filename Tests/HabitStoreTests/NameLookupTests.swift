import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the records that names stand for, against an oracle on a generated store.
@Suite struct NameLookupTests {
    /// A generated habit.
    private struct Habit {
        var id: String
        var owner: String
        var title: String
    }

    private static let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))  // 2026-11-25T12:00:00Z

    /// Titles that begin with each other or contain each other's words, with accents, CJK, `@` and spaces.
    private static let titles = [
        "Walk", "Walking", "Walk dog", "walk", "Dog walk", "Water plants", "Plant trees", "Ginásio", "ginasio novo",
        "GINÁSIO", "Été", "été à Paris", "Read", "Read 20 pages", "Read @home", "Run @mon", "Run", "Morning run", "日本語",
        "日本語 練習", "ギター", "Straße", "Strasse fegen", "a", "a b c", "Swim 1 km", "x@today",
    ]

    /// The owners of the habits.
    ///
    /// The viewer `ana` follows `bob` with the share `all` and `cem` with the share `latest`. Other users are hidden.
    private static let owners = ["ana", "ana", "bob", "cem", "dan", "eva"]

    private static func makeHabits(_ generator: inout SeededGenerator) -> [Habit] {
        (0..<60).map { number in
            let owner = owners.randomElement(using: &generator) ?? "ana"
            let title = titles.randomElement(using: &generator) ?? "a"
            return Habit(id: "id\(number % 7)x\(1000 + number * 37)", owner: owner, title: title)
        }
    }

    private static func makeStore(_ habits: [Habit]) throws -> TestStore {
        let store = try TestStore()
        var records: [Record] = Set(owners).sorted().map { .user($0) }
        records += habits.map { habit in .habit(habit.id, of: habit.owner, title: habit.title) }
        records += [
            .follow("ana", "bob"), .follow("ana", "cem", share: .latest), .follow("ana", "dan", status: .pending),
            .follow("eva", "ana"),
        ]
        try store.write(records)
        return store
    }

    /// Texts that users may type: titles, beginnings of titles, words and IDs, in other case or without marks.
    private static func texts(_ habits: [Habit], _ generator: inout SeededGenerator) -> [String] {
        var texts = ["", " ", "zzz", "Walkk", "Giná", "reed"]
        for habit in habits {
            let words = habit.title.split(separator: " ")
            let word = words.randomElement(using: &generator) ?? ""
            texts.append(habit.title)
            texts.append(String(habit.title.prefix(Int.random(in: 1...8, using: &generator))))
            texts.append(String(word.prefix(Int.random(in: 1...4, using: &generator))).uppercased())
            texts.append(plain(habit.title))
            texts.append(String(habit.id.prefix(Int.random(in: 4...9, using: &generator))))
        }
        return Set(texts).sorted()
    }

    // MARK: Oracle

    private enum Answer: Equatable {
        case habit(String)
        case several
        case none
    }

    /// Folds case and marks without the program's own folding.
    private static func plain(_ text: String) -> String {
        text.replacing("ß", with: "ss")
            .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en_US_POSIX"))
    }

    private static func whole(_ text: String) -> String {
        text.replacing("ß", with: "ss").lowercased().precomposedStringWithCanonicalMapping
    }

    private static func beginsWord(_ text: String, of title: String) -> Bool {
        let characters = Array(title)
        return characters.indices.dropFirst().contains { index in
            let isInside = characters[index - 1].isAlphanumeric && characters[index].isAlphanumeric
            return !isInside && String(characters[index...]).hasPrefix(text)
        }
    }

    /// The four steps, over the list of habits.
    private static func answer(_ text: String, as viewer: String?, ownOnly: Bool, _ habits: [Habit]) -> Answer {
        let visible = habits.filter { viewer == nil || ["ana", "bob", "cem"].contains($0.owner) }
        let own = visible.filter { $0.owner == viewer }
        for list in viewer == nil ? [visible] : [own, visible] {
            if let found = list.first(where: { $0.id == text }) { return .habit(found.id) }
            let titled = list.filter { whole($0.title) == whole(text) }
            if titled.count == 1 { return .habit(titled[0].id) }
            if titled.count > 1 { return .several }
        }
        let typed = plain(text).trimmingCharacters(in: .whitespaces)
        let others = ownOnly ? [] : visible.filter { $0.owner != viewer }
        let steps: [(Habit) -> Bool] = [
            { habit in
                !typed.isEmpty && plain(habit.title).hasPrefix(typed) || text.count >= 6 && habit.id.hasPrefix(text)
            },
            { habit in !typed.isEmpty && beginsWord(typed, of: plain(habit.title)) },
        ]
        for matches in steps {
            for list in [own, others] {
                let found = list.filter(matches)
                if found.count == 1 { return .habit(found[0].id) }
                if found.count > 1 { return .several }
            }
        }
        return .none
    }

    private static func found(_ text: String, _ names: NameLookup, ownOnly: Bool) throws -> Answer {
        do {
            return .habit(try names.habitID(text, own: ownOnly))
        } catch let error as HabitError where error.code == .usage {
            return .several
        } catch let error as HabitError where error.code == .notFound {
            return .none
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func nameStandsForHabitOfFirstStepWithMatch(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let habits = Self.makeHabits(&generator)
        let store = try Self.makeStore(habits)
        let texts = Self.texts(habits, &generator)
        try store.engine.read { session in
            for (user, ownOnly) in [("ana", false), ("ana", true), (nil, false)] as [(String?, Bool)] {
                let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
                let names = NameLookup(viewer: viewer, rule: .beginning, in: session)
                for text in texts {
                    let expected = Self.answer(text, as: user, ownOnly: ownOnly, habits)
                    let found = try Self.found(text, names, ownOnly: ownOnly)
                    #expect(found == expected, "'\(text)' as \(user ?? "operator"), seed \(seed)")
                }
            }
        }
    }

    /// The rule of programs finds only IDs and whole titles, as the first two steps.
    @Test func ruleOfProgramsFindsNoBeginning() throws {
        var generator = SeededGenerator(seed: 4)
        let habits = Self.makeHabits(&generator)
        let store = try Self.makeStore(habits)
        let texts = Self.texts(habits, &generator)
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), in: session)
            for text in texts {
                let visible = habits.filter { ["ana", "bob", "cem"].contains($0.owner) }
                let isWhole = visible.contains { $0.id == text || Self.whole($0.title) == Self.whole(text) }
                #expect((try Self.found(text, names, ownOnly: false) != .none) == isWhole, "'\(text)'")
            }
        }
    }

    /// No error contains a title, an ID or an owner that the viewer cannot see.
    @Test func errorsNameOnlyVisibleHabits() throws {
        let store = try Self.makeStore([
            Habit(id: "secret1", owner: "dan", title: "Hidden run"),
            Habit(id: "secret2", owner: "eva", title: "Hidden"),
            Habit(id: "shown-1", owner: "bob", title: "Hid bob"), Habit(id: "shown-2", owner: "ana", title: "Hid ana"),
            Habit(id: "shown-3", owner: "ana", title: "Hid ana"),
        ])
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), rule: .beginning, in: session)
            for text in ["hidden", "Hiddenn", "secret", "secret1", "hid", "hidd", "hid ana", "hid bo", "run"] {
                let error = #expect(throws: HabitError.self) {
                    if text == "hid bo" { throw HabitError(.usage, try names.habitID(text)) }
                    _ = try names.habitID(text)
                }
                let message = "\(try #require(error)) \(error?.remedies ?? [])"
                #expect(
                    !message.lowercased().replacing("'\(text.lowercased())", with: "").contains("hidden"), "\(message)")
                #expect(!message.replacing("'\(text)", with: "").contains("secret"), "\(message)")
                #expect(!message.contains("dan") && !message.contains("eva"), "\(message)")
            }
        }
    }

    @Test func ambiguousNameListsRecords() throws {
        let store = try Self.makeStore([
            Habit(id: "w1", owner: "ana", title: "Walk"), Habit(id: "w2", owner: "ana", title: "Water plants"),
            Habit(id: "r1", owner: "ana", title: "Read"), Habit(id: "r2", owner: "ana", title: "read"),
            Habit(id: "g", owner: "bob", title: "Gym"),
        ])
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), rule: .beginning, in: session)
            func message(_ text: String) throws -> String {
                let error = #expect(throws: HabitError.self) { try names.habitID(text) }
                return try #require(error).plainText
            }
            #expect(try message("wa") == "'wa' is the beginning of several habits: Walk, Water plants")
            let days = "mon tue wed thu fri sat sun"
            #expect(try message("READ") == "2 habits have the title 'READ': r1 (\(days)), r2 (\(days))")
            #expect(try message("gymm") == "no habit is called 'gymm': did you mean 'Gym'?")
            #expect(try names.habitFilter(["read", "gy", "w1"]) == ["read", "Gym", "w1"])
            #expect(throws: HabitError.self) { try names.habitFilter(["wa"]) }
        }
    }

    /// The search keeps ten records, so a filter compares the names of all records that match.
    @Test func beginningOfSeveralTitlesIsRefusedAfterManyHabitsOfOneTitle() throws {
        let walks = (0..<12).map { number in Habit(id: "habit-\(number)", owner: "ana", title: "Walk") }
        let store = try Self.makeStore(walks + [Habit(id: "z-last", owner: "ana", title: "Walking")])
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), rule: .beginning, in: session)
            let error = #expect(throws: HabitError.self) { try names.habitFilter(["wal"]) }
            #expect(try #require(error).plainText.contains("Walking"))
            #expect(try names.habitFilter(["walki"]) == ["Walking"])
        }
    }

    /// A filter with the beginning of several IDs would silently omit habits.
    @Test func beginningOfSeveralIDsIsRefusedInFilter() throws {
        let store = try Self.makeStore([
            Habit(id: "same-1a", owner: "ana", title: "Same"), Habit(id: "same-1b", owner: "ana", title: "Same"),
            Habit(id: "single-1", owner: "ana", title: "Other"),
        ])
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), rule: .beginning, in: session)
            #expect(throws: HabitError.self) { try names.habitFilter(["same-1"]) }
            #expect(try names.habitFilter(["Sam"]) == ["Same"])
            #expect(try names.habitFilter(["single"]) == ["single-1"])
        }
    }

    // MARK: Items, posts and users

    private static func makeSharingStore() throws -> TestStore {
        let store = try TestStore()
        var records: [Record] = ["ana", "bob", "cem", "me"].map { .user($0) }
        var named = UserRecord(id: "dan")
        named.name = .value("Dän Ôme")
        records.append(.user(named))
        for (id, owner, name) in [
            ("lamp01", "ana", "Old lamp"), ("lamp02", "bob", "Lamp"), ("lamp03", "bob", "Lamp shade"),
            ("chair1", "cem", "Chaise longue"), ("chair2", "cem", "Châise"), ("table1", "ana", "Table"),
        ] {
            records.append(.item(ItemRecord(id: id, user: owner, name: name)))
        }
        var claim = ClaimRecord(item: "chair2", user: "ana")
        claim.state = .value(.claimed)
        records.append(.claim(claim))
        for (id, owner, caption) in [
            ("post01", "ana", "Sunrise"), ("post02", "bob", "Sunset"), ("post03", "cem", "Sun"),
        ] {
            var post = PostRecord(id: id, user: owner)
            post.caption = .value(caption)
            records.append(.post(post))
        }
        records.append(.follow("ana", "bob"))
        try store.write(records)
        return store
    }

    @Test func nameOfItemIsSearchedAmongItemsOfCommand() throws {
        let store = try Self.makeSharingStore()
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), rule: .beginning, in: session)
            func item(_ text: String, _ scope: NameLookup.ItemScope) throws -> String {
                try names.itemID(text, in: scope, clock: Self.clock)
            }
            #expect(try item("lamp", .own) == "lamp01")
            #expect(try item("lamp", .claimable) == "lamp02")
            #expect(try item("lamp s", .claimable) == "lamp03")
            #expect(try item("lamp01", .claimable) == "lamp01")
            #expect(try item("cha", .claimed) == "chair2")
            #expect(try item("cha", .claimable) == "chair1")
            #expect(try item("cha", .discussed) == "chair2")
            #expect(try item("chair", .claimed) == "chair")
            #expect(throws: HabitError.self) { try item("la", .claimable) }
            #expect(throws: HabitError.self) { try item("ch", .all) }
            let whole = NameLookup(viewer: names.viewer, in: session)
            #expect(try whole.itemID("old LAMP", in: .own, clock: Self.clock) == "lamp01")
            #expect(try whole.itemID("old", in: .own, clock: Self.clock) == "old")
        }
    }

    @Test func captionOfPostIsSearchedAmongVisiblePosts() throws {
        let store = try Self.makeSharingStore()
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), rule: .beginning, in: session)
            #expect(try names.postID("sunr") == "post01")
            #expect(try names.postID("suns") == "post02")
            #expect(try names.postID("sun", own: true) == "post01")
            #expect(try names.postID("sun") == "post01")
            #expect(try NameLookup(viewer: .operator, rule: .beginning, in: session).postID("sun") == "post03")
        }
    }

    @Test func userIsIDOrWholeNameOrMe() throws {
        let store = try Self.makeSharingStore()
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), in: session)
            // The ID of an account takes precedence.
            #expect(try names.userID("me") == "me")
            #expect(try names.userID("DÄN ÔME") == "dan")
            #expect(try names.userID("dän") == "dän")
            #expect(try NameLookup(viewer: .operator, in: session).userID("me") == "me")
        }
    }

    @Test func eventOfHiddenOrMissingDayIsNotFound() throws {
        let store = try Self.makeStore([
            Habit(id: "h1", owner: "ana", title: "Walk"), Habit(id: "h2", owner: "cem", title: "Gym"),
        ])
        try store.write([
            .event("h1", "2026-11-20", id: "e1"), .event("h2", "2026-11-19", id: "e2"),
            .event("h2", "2026-11-20", id: "e3"),
        ])
        try store.engine.read { session in
            let names = NameLookup(viewer: try .user(named: "ana", in: session), rule: .beginning, in: session)
            let day = try #require(Day("2026-11-20"))
            #expect(try names.eventID(ofHabit: "h1", on: day) == "e1")
            #expect(try names.eventID(ofHabit: "h2", on: day) == "e3")
            // The share 'latest' hides the earlier event.
            for day in [day.advanced(by: -1), day.advanced(by: -2)] {
                let error = #expect(throws: HabitError.self) { try names.eventID(ofHabit: "h2", on: day) }
                #expect(error?.message == "the habit 'Gym' has no event on \(day)")
            }
            #expect(try !names.hasEvent("e2"))
        }
    }
}

extension Character {
    fileprivate var isAlphanumeric: Bool { isLetter || isNumber }
}
