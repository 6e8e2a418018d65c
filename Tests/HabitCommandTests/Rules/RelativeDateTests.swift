import Foundation
import HabitTestSupport
import Testing

/// Tests of relative dates in every option that takes a date.
///
/// Today is the date in the time zone of the acting user.
@Suite(.engineIndependent) struct RelativeDateTests {
    @Test(arguments: [
        ("history --from today-2", "history --from 2026-11-18", "owner"),
        ("history --to yesterday", "history --to 2026-11-19", "owner"),
        ("history --from today-3 --to today-2", "history --from 2026-11-17 --to 2026-11-18", nil),
        ("history --from 2026-11-18 --to today", "history --from 2026-11-18 --to 2026-11-20", nil),
        ("near 50,10 --from today-2 --to yesterday", "near 50,10 --from 2026-11-18 --to 2026-11-19", "owner"),
        ("near 50,10 --from today-2 --today 2026-11-19", "near 50,10 --from 2026-11-17", "owner"),
        ("todo --today yesterday", "todo --today 2026-11-19", "owner"),
        ("history --from -2d --to Thu", "history --from 2026-11-18 --to 2026-11-19", "owner"),
        ("history --from thursday --to tomorrow", "history --from 2026-11-19", "owner"),
        ("history --from this-week --to 2026", "history --from 2026-11-16", "owner"),
        ("history --in 2026-W47", "history --from 2026-11-16 --to 2026-11-22", "owner"),
        ("near 50,10 --in this-month", "near 50,10 --from 2026-11-01 --to 2026-11-30", "owner"),
        ("report run history --in this-week", "report run history --from 2026-11-16 --to 2026-11-22", "owner"),
        ("report run history --from -1w --to wed", "report run history --from 2026-11-13 --to 2026-11-18", "owner"),
    ])
    func relativeDateSelectsSameRowsAsDate(relative: String, absolute: String, user: String?) async throws {
        let store = try await RuleStore()
        let found = try await store.table(relative, as: user)
        #expect(try await found.rows == store.table(absolute, as: user).rows, "\(relative): \(found)")
        #expect(!found.rows.isEmpty, "\(relative): \(found)")
    }

    @Test func todayIsDateOfActingUser() async throws {
        let store = try await RuleStore()
        // The date is 2026-11-21 on Kiritimati and 2026-11-20 in UTC.
        for (option, zone, day) in [
            ("today", [], "2026-11-21"), ("yesterday", [], "2026-11-20"), ("today-4", [], "2026-11-17"),
            ("today-2", ["--time-zone", "UTC"], "2026-11-18"), ("today-2", ["--today", "2026-11-21"], "2026-11-19"),
        ] {
            let added = try await Program.habitat(
                ["event", "add", "--habit", "kiri-run", "--day", option, "--format", "csv", "--columns", "day"] + zone
                    + ["--as", "kiri", "--now", RuleStore.now], in: store.folder)
            #expect(added.lines.last == day, "\(option): \(added)")
        }
        let days = try await store.table("history --from today --columns day", as: "kiri")["day"]
        #expect(days == ["2026-11-21"])
        #expect(try await store.table("history --from today --columns day", as: "owner")["day"].isEmpty)
        // Each user of the file has the user's own date.
        try store.folder.write("kiri\nowner\n", to: "users.txt")
        for scope in ["mine", "friends"] {
            let many = try await store.run("history --from today --users users.txt --format csv --scope \(scope)")
            #expect(many.status == 0, "\(many)")
            #expect(many.output.contains("kiri,") == (scope == "mine"), "\(many)")
        }
    }

    @Test func recordsHaveDaysOfRelativeDates() async throws {
        let store = try await RuleStore()
        let habit = try await store.table(
            "habit add --title New --days 1111111 --start today-3 --end today+9 --columns id,start,end", as: "owner")
        #expect(habit["start"] == ["2026-11-17"])
        #expect(habit["end"] == ["2026-11-29"])
        let edited = try await store.table(
            "habit edit New --start yesterday --end today+1 --columns start,end", as: "owner")
        #expect(edited["start"] == ["2026-11-19"])
        #expect(edited["end"] == ["2026-11-21"])
        let skipped = try await store.table("event skip --habit New --day yesterday --columns id,day", as: "owner")
        #expect(skipped["day"] == ["2026-11-19"])
        let event = try await store.table("event add --habit New --day today --columns id,day", as: "owner")
        let id = try #require(event["id"].first ?? nil)
        let moved = try await store.table("event edit", id, "--day", "today+0", "--columns", "day", as: "owner")
        #expect(moved["day"] == ["2026-11-20"])
        let photo = Program.repository + "/sample-data/photos/lamp.png"
        let item = try await store.table(
            "item post --name Lamp --expires today+5 --photo", photo, "--columns", "id,expires", as: "owner")
        #expect(item["expires"] == ["2026-11-25"])
        let item2 = try await store.table(
            "item edit", try #require(item["id"].first ?? nil), "--expires", "today+2", "--columns", "expires",
            as: "owner")
        #expect(item2["expires"] == ["2026-11-22"])
    }

    /// Invalid dates are refused before the store is opened.
    @Test(arguments: [
        "history --from soon", "history --to today-", "history --from today+12345678", "near 50,10 --from now",
        "event add --habit run --day yesterdays", "event edit r17 --day today--1",
        "event skip --habit run --day 2026-13-01",
        "habit add --title T --days mon --start soon", "habit edit run --end soon", "item edit i --expires soon",
        "todo --today soon", "todo --today mon", "history --in 2026-11-20", "history --in today",
        "history --in next-week",
        "event add --habit run --day 2026-11",
        "history --from 2026-11-20 --to 2026-11-19",
    ])
    func invalidDateIsRefused(command: String) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.habitat(RuleStore.words(command) + ["--as", "owner"], in: folder)
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.hasPrefix("error[date-invalid]: "), "\(result)")
    }

    @Test(arguments: [
        ("history", "error[usage]: --in and --from or --to are mutually exclusive"),
        ("report run history", "error[usage]: the period 'in' already sets 'from' and 'to'"),
    ])
    func periodAndBoundAreMutuallyExclusive(command: String, message: String) async throws {
        let store = try await RuleStore()
        for options in ["--in 2026-11 --from today", "--to today --in 2026-11"] {
            let result = try await store.run("\(command) \(options)", as: "owner")
            #expect(result.status == 64, "\(result)")
            #expect(result.errors.hasPrefix(message), "\(result)")
        }
    }

    /// The account of kiri is in Pacific/Kiritimati, 14 hours ahead of UTC.
    @Test func localTimeIsOnDayOfEvent() async throws {
        let store = try await RuleStore()
        let added = try await store.table(
            "event add --habit kiri-run --day yesterday --at 18:30 --columns id,day,at", as: "kiri")
        #expect(added["at"] == ["2026-11-20T18:30:00+14:00"])
        let id = try #require(added["id"].first ?? nil)
        let edited = try await store.table("event edit", id, "--at", "07:05", "--columns", "at", as: "kiri")
        #expect(edited["at"] == ["2026-11-20T07:05:00+14:00"])
        let moved = try await store.table(
            "event edit", id, "--day", "-2d", "--at", "00:00", "--columns", "day,at", as: "kiri")
        #expect(moved["at"] == ["2026-11-19T00:00:00+14:00"])
        let refused = try await store.run("event add --habit kiri-run --at 24:00", as: "kiri")
        #expect(refused.errors.hasPrefix("error[date-invalid]: '24:00' is not a time: write HH:MM, "), "\(refused)")
    }

    @Test func relativeRangeWithoutDaysIsRefused() async throws {
        let store = try await RuleStore()
        let result = try await store.run("history --from today --to yesterday", as: "owner")
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains("--from 2026-11-20 is after --to 2026-11-19"), "\(result)")
        let far = try await store.run("history --from today-9999999", as: "owner")
        #expect(far.status == 64, "\(far)")
        #expect(far.errors.contains("is out of range"), "\(far)")
    }
}
