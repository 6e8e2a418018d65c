import HabitTestSupport
import Testing

/// Tests of names, and of arguments that options can also name, in each family of commands.
@Suite(.engineIndependent) struct NameRuleTests {
    @Test func beginningOfTitleStandsForHabit() async throws {
        let store = try await RuleStore()
        #expect(try await store.table("habit show ru --columns id", as: "owner")["id"] == ["run"])
        #expect(try await store.table("habit list --habit STRA --columns id", as: "owner")["id"] == ["read"])
        let history = try await store.table("history --habit ru --in 2026-W47 --columns id", as: "owner")
        #expect(history["id"] == ["r19", "r18", "r17"])
        let report = try await store.table("report run history --habit ru --columns id", as: "owner")
        #expect(report["id"].contains("r17"))
        let ambiguous = try await store.run("habit show twin", as: "owner")
        #expect(ambiguous.status == 64)
        #expect(
            ambiguous.errors == "error[usage]: 2 habits have the title 'twin': twin-1 (tue), twin-2 (tue)\n",
            "\(ambiguous)")
        let several = try await store.run("habit show twi", as: "owner")
        #expect(several.status == 64)
        #expect(several.errors.contains("'twi' is the beginning of several habits: twin-1 (tue), twin-2 (tue)"))
        let unknown = try await store.run("habit show runn", as: "owner")
        #expect(unknown.status == 66)
        #expect(unknown.errors == "error[not-found]: no habit is called 'runn': did you mean 'Run'?\n", "\(unknown)")
    }

    @Test func hiddenRecordHasNoName() async throws {
        let store = try await RuleStore()
        for command in ["habit show wal", "habit show walkk", "history --habit walk", "event show walk@today"] {
            let result = try await store.run(command, as: "owner")
            #expect(result.status == 66, "\(result)")
            #expect(!result.errors.contains("Walk"), "\(result)")
        }
    }

    @Test func eventIsHabitAndDay() async throws {
        let store = try await RuleStore()
        for event in ["r18", "run@2026-11-18", "Run@wed", "ru@-2d"] {
            #expect(try await store.table("event show \(event) --columns id", as: "owner")["id"] == ["r18"], "\(event)")
        }
        let added = try await store.table("event add ru --comment new --columns id,day", as: "owner")
        #expect(added["day"] == ["2026-11-20"])
        let edited = try await store.table("event edit ru --comment newer --columns id,comment", as: "owner")
        #expect(edited.rows == [[added["id"][0], "newer"]])
        let none = try await store.run("event show run@2026-11-01", as: "owner")
        #expect(none.status == 66)
        #expect(none.errors == "error[not-found]: the habit 'Run' has no event on 2026-11-01\n", "\(none)")
        let day = try await store.run("event show run@someday", as: "owner")
        #expect(day.status == 64)
        #expect(day.errors.hasPrefix("error[date-invalid]: 'someday' is not a day"), "\(day)")
        // The share 'latest' shows only the newest event.
        #expect(try await store.run("event show run@2026-11-18", as: "latest").status == 66)
        #expect(try await store.run("event show run@2026-11-20", as: "latest").status == 0)
    }

    /// A repeated deletion of an account must not delete an account whose name is that ID.
    @Test func deletionOfAccountAcceptsOnlyID() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("user add b1 --name Bob --time-zone UTC", as: nil).status == 0)
        #expect(try await store.run("user add b2 --name B1 --time-zone UTC", as: nil).status == 0)
        #expect(try await store.run("user delete b1 --yes", as: nil).status == 0)
        #expect(try await store.run("user delete b1 --yes", as: nil).status == 66)
        #expect(try await store.run("user delete Bob --yes", as: nil).status == 66)
        #expect(try await store.run("user show b2", as: nil).status == 0)
    }

    /// The derived ID of an event is also the name of the event of its habit and day.
    @Test func repeatedDeletionOfEventKeepsLaterEventOfSameDay() async throws {
        let store = try await RuleStore()
        let habit = "habit add --title Jog --days 1111111 --id owner:jog --start 2026-11-01"
        let addition = "event add --habit owner:jog --day 2026-11-19"
        let move = "event edit owner:jog@2026-11-19 --day 2026-11-18"
        for command in [habit, addition, move, addition, "event delete owner:jog@2026-11-19 --yes"] {
            let result = try await store.run(command, as: "owner")
            #expect(result.status == 0, "\(command): \(result)")
        }
        #expect(try await store.run("event delete owner:jog@2026-11-19 --yes", as: "owner").status == 66)
        #expect(try await store.table("history --habit owner:jog", as: "owner")["day"] == ["2026-11-19"])
    }

    @Test func deletionWithoutQuestionNeedsWholeName() async throws {
        let store = try await RuleStore()
        for command in ["habit delete ru --yes", "event delete ru@wed --yes", "event delete run@wed --yes"] {
            let result = try await store.run(command, as: "owner")
            #expect(result.status == 66, "\(result)")
        }
        let one = try await store.table("event delete r18 --yes", as: "owner")
        #expect(one.rows == [["r18"]])
        let events = try await store.table("event delete r17 r19 --yes", as: "owner")
        #expect(events.columns == ["deleted"])
        #expect(events.rows == [["r17"], ["r19"]])
        let failed = try await store.run("habit delete twin-1 nothing --yes", as: "owner")
        #expect(failed.status == 66)
        let habits = try await store.table("habit delete twin-1 Straße --yes", as: "owner")
        #expect(habits.rows == [["twin-1", "0"], ["read", "1"]])
    }

    @Test func meIsActingUser() async throws {
        let store = try await RuleStore()
        let own = try await store.table("history --user me --columns id", as: "owner")
        #expect(try await own.rows == store.table("history --columns id", as: "owner").rows)
        #expect(try await store.table("user show me --columns id", as: "owner")["id"] == ["owner"])
        #expect(try await store.table("user show Olga~Owner --columns id", as: "all")["id"] == ["owner"])
        let follow = try await store.table("follow request OLGA~owner --columns followee", as: "stranger")
        #expect(follow["followee"] == ["owner"])
    }

    @Test func nameStandsForItemAndPost() async throws {
        let folder = try await StoreTemplate.sharing.copy()
        func rows(_ words: String...) async throws -> String {
            let result = try await Program.habitat(words + ["--format", "csv", "--now", StoreTemplate.now], in: folder)
            #expect(result.status == 0, "\(result)")
            return result.output
        }
        let claim = try await Program.habitat(
            "item", "claim", "lam", "--as", "sam", "--now", StoreTemplate.now, in: folder)
        #expect(claim.status == 0, "\(claim)")
        #expect(claim.output.contains("message send i-available TEXT"), "\(claim)")
        #expect(
            try await rows("message", "send", "lam", "Thanks", "--as", "sam", "--columns", "item,text")
                == "item,text\ni-available,Thanks\n")
        #expect(
            try await rows("message", "send", "--item", "lamp", "Again", "--as", "sam", "--columns", "text")
                == "text\nAgain\n")
        #expect(try await rows("message", "list", "la", "--as", "sam", "--columns", "text") == "text\nThanks\nAgain\n")
        #expect(try await rows("item", "give", "lam", "--as", "pat", "--columns", "id") == "id\ni-available\n")
        #expect(try await rows("post", "show", "at the", "--as", "fay", "--columns", "id") == "id\np-river\n")
    }

    @Test func positionIsNameOfCity() async throws {
        let store = try await RuleStore()
        let found = try await store.table("near LISBON --within 9000km --columns id,distance_m", as: "owner")
        #expect(!found.rows.isEmpty)
        let added = try await store.table("event add run --position prague --columns longitude", as: "owner")
        #expect(added["longitude"][0]?.hasPrefix("14.4") == true)
        let refused = try await store.run("near lisbonn", as: "owner")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("did you mean 'Lisbon'?"), "\(refused)")
    }

    @Test func argumentStandsForOption() async throws {
        let store = try await RuleStore()
        let habit = try await store.table("habit add Piano --days weekdays --columns title,days", as: "owner")
        #expect(habit.rows == [["Piano", "mon tue wed thu fri"]])
        let same = try await store.run(
            "habit add piano --times 3 --format csv --columns times,period_days", as: "owner")
        #expect(same.output == "times,period_days\n3,7\n", "\(same)")
        #expect(same.errors == "You now have 2 habits called piano.\n", "\(same)")
        let photo = Program.repository + "/sample-data/photos/lamp.png"
        let item = try await store.table("item post Kettle --columns name --photo", photo, as: "owner")
        #expect(item["name"] == ["Kettle"])
        #expect(try await store.table("post add", photo, "--columns", "has_photo", as: "owner").rows.count == 1)
        for command in [
            "habit add A --title B --days mon", "event add run --habit run", "event skip", "event add",
            "item post A --name B", "message send x", "message list a --item b",
        ] {
            let result = try await store.run(command, as: "owner")
            #expect(result.status == 64, "\(result)")
            #expect(result.errors.hasPrefix("error[usage]: "), "\(result)")
        }
    }
}
