import Foundation
import HabitTestSupport
import Testing

/// Tests of rule G-04: the states of an item and the actions on it.
@Suite struct ItemLifeCycleTests {
    @Test(arguments: ItemTransition.all) func actionOnItemDependsOnStateAndUser(transition: ItemTransition) async throws
    {
        let fixture = try await SharingStore()
        let id = "i-" + transition.state
        let options = ["edit": ["--description", "changed"], "delete": ["--yes"]][transition.action] ?? []
        let command = ["item", transition.action, id] + options
        for (user, outcome) in transition.outcomes {
            if SharingStore.status[outcome] != nil {
                try await fixture.expectRefusal(command, as: user, outcome)
                continue
            }
            let fresh = try await SharingStore()
            let result = try await fresh.run(command, as: user)
            #expect(result.status == 0, "\(result.errors)")
            let holder = transition.action == "claim" ? user ?? "" : "cleo"
            var rows = Self.rows
            rows[id] = "\(outcome),\(["claimed", "given"].contains(outcome) ? holder : "")"
            if outcome == "gone" { rows[id] = nil }
            let expected = rows.map { "\($0),\($1)" }.sorted()
            #expect(try await fresh.rows("SELECT id, state, claimed_by FROM items ORDER BY id") == expected)
        }
    }

    private static let rows = [
        "i-available": "available,", "i-claimed": "claimed,cleo", "i-given": "given,cleo", "i-withdrawn": "withdrawn,",
        "i-expired": "expired,",
    ]

    /// An item can be claimed until the end of its last day in the poster's time zone.
    @Test(arguments: [
        ("Pacific/Kiritimati", "2026-11-20T09:59:59Z", "available"),
        ("Pacific/Kiritimati", "2026-11-20T10:00:00Z", "expired"),
        ("Pacific/Honolulu", "2026-11-21T09:59:59Z", "available"),
        ("Pacific/Honolulu", "2026-11-21T10:00:00Z", "expired"),
    ])
    func itemExpiresAtEndOfDayOfPoster(zone: String, now: String, state: String) async throws {
        let fixture = try await SharingStore()
        try await fixture.expectSuccess("user", "add", "ann", "--time-zone", zone)
        try await fixture.expectSuccess(
            "item", "post", "--id", "ann:last", "--name", "Lamp", "--expires", "2026-11-20", "--photo",
            SharingStore.photoPath("lamp.png"), "--now", "2026-11-19T12:00:00Z", as: "ann")
        let list = ["item", "list", "--user", "ann", "--format", "csv", "--columns", "state", "--now", now]
        for user in ["ann", "sam", nil] {
            #expect(
                try await fixture.run(list, as: user).lines
                    == (state == "available" ? ["state", "available"] : ["state"]))
            #expect(try await fixture.run(list + ["--state", "all"], as: user).lines == ["state", state])
            #expect(
                try await fixture.run(
                    ["query", "SELECT state FROM items WHERE id = 'ann:last'", "--format", "csv", "--now", now],
                    as: user
                )
                .lines == ["state", state])
        }
        if state == "available" {
            try await fixture.expectSuccess("item", "claim", "ann:last", "--now", now, as: "sam")
            // A claimed item does not expire.
            let later = try await fixture.expectSuccess(
                "item", "show", "ann:last", "--now", "2027-01-01T00:00:00Z", "--format", "json")
            #expect(later.output.contains("\"state\":\"claimed\""))
        } else {
            try await fixture.expectRefusal("item", "claim", "ann:last", "--now", now, as: "sam", "item-unavailable")
            try await fixture.expectSuccess(
                "item", "claim", "ann:last", "--now", now, "--today", "2026-11-20", as: "sam")
        }
    }
}
