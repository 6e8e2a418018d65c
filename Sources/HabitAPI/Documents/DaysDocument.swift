import Base
import HabitModel
import HabitStore

extension HabitDays {
    /// The response of `/days`.
    ///
    /// A client reads many days, so a day has only the members that have a value.
    var document: JSON {
        [
            "from": .text("\(days.lowerBound)"),
            "to": .text("\(days.upperBound)"),
            "today": .text("\(today)"),
            "habits": .list(habits.map(\.document)),
        ]
    }

    /// The schema of the response, which the document at `/api` contains as `Days`.
    static let schema: JSON = [
        "type": "object",
        "required": ["from", "to", "today", "habits"],
        "properties": [
            "from": daySchema,
            "to": daySchema,
            "today": daySchema,
            "habits": ["type": "array", "items": habitSchema],
        ],
    ]

    private static let daySchema: JSON = ["type": "string", "format": "date"]

    private static let habitSchema: JSON = [
        "type": "object",
        "required": [
            "id", "title", "unit", "target_amount", "status", "streak", "completion_rate", "days",
        ],
        "properties": [
            "id": ["type": "string"],
            "title": ["type": "string"],
            "unit": ["type": "string", "nullable": true, "description": "Unit of all amounts."],
            "target_amount": [
                "type": "number",
                "nullable": true,
                "description": "Amount that an event needs so that its day is done.",
            ],
            "status": ["type": "string", "enum": .list(statuses)],
            "streak": [
                "type": "integer",
                "minimum": 0,
                "description": "Number of consecutive due days that are done, up to today.",
            ],
            "completion_rate": [
                "type": "number",
                "nullable": true,
                "description": "Share of due days that are done in the four weeks up to today.",
            ],
            "days": [
                "type": "array",
                "items": entrySchema,
                "description":
                    "Days on which the habit is due or paused, has an event or has a target, in ascending order. The list omits other days.",
            ],
        ],
    ]

    private static let statuses: [JSON] = HabitStatus.allCases.map { status in
        .text(status.rawValue)
    }

    private static let entrySchema: JSON = [
        "type": "object",
        "required": ["day", "due"],
        "description":
            "A member without a value is omitted. A day after today without an event has only `day` and `due`.",
        "properties": [
            "day": daySchema,
            "due": [
                "type": "boolean",
                "description": "Whether the habit is on the to-do list of the day, also if it is done or skipped.",
            ],
            "paused": [
                "type": "boolean",
                "description": "Whether the habit is paused on the day, on which it is not due.",
            ],
            "outcome": [
                "type": "string",
                "enum": .list(outcomes),
                "description":
                    "`open` is a day that can still be done today, and `unplanned` a done day that was not due. An event with too small an amount is `open` or `missed`.",
            ],
            "event": ["type": "string", "description": "ID of the event."],
            "amount": ["type": "number", "description": "Amount of the event."],
            "progress": progressSchema,
        ],
    ]

    /// The outcomes that a day can have; `none` is omitted.
    private static let outcomes: [JSON] = {
        let outcomes = DayOutcome.allCases.filter { outcome in outcome != .none }
        return outcomes.map { outcome in .text(outcome.rawValue) }
    }()

    private static let progressSchema: JSON = [
        "type": "object",
        "required": ["done", "target", "period_days"],
        "description": "Progress of a target in the period that ends with the day, such as 1 of 3 in 7 days.",
        "properties": [
            "done": ["type": "integer", "minimum": 0],
            "target": ["type": "integer", "minimum": 1],
            "period_days": ["type": "integer", "minimum": 1],
        ],
    ]
}

extension HabitDays.Habit {
    fileprivate var document: JSON {
        [
            "id": .text(id),
            "title": .text(title),
            "unit": JSON(unit),
            "target_amount": JSON(number: targetAmount),
            "status": .text(status.rawValue),
            "streak": .integer(streak),
            "completion_rate": JSON(number: roundedRate),
            "days": .list(days.map(\.document)),
        ]
    }

    /// The completion rate with six decimals, as in lists of habits.
    private var roundedRate: Double? {
        guard let rate else { return nil }
        let scale = 1_000_000.0
        return (rate * scale).rounded() / scale
    }
}

extension HabitDays.Entry {
    fileprivate var document: JSON {
        var members: [String: JSON] = [
            "day": .text("\(day)"),
            "due": .boolean(isDue),
        ]
        if isPaused {
            members["paused"] = true
        }
        if outcome != .none {
            members["outcome"] = .text(outcome.rawValue)
        }
        if let event {
            members["event"] = .text(event.id)
        }
        if let amount = event?.amount {
            members["amount"] = .number(amount)
        }
        members["progress"] = progress?.document
        return .object(members)
    }
}

extension HabitDay.PeriodProgress {
    fileprivate var document: JSON {
        [
            "done": .integer(done),
            "target": .integer(target.times),
            "period_days": .integer(target.periodDays),
        ]
    }
}

extension JSON {
    /// Creates a number, or null.
    fileprivate init(number: Double?) {
        self = number.map { number in .number(number) } ?? .null
    }
}
