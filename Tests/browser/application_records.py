"""The records of the tests of the application."""

import datetime
import json
import pathlib
from typing import Any

HOSTILE_TITLE = "<img src onerror=x>"

# A place in Lisbon, and places 1 km and 8 km north of it.
HERE = {"longitude": -9.1393, "latitude": 38.7223}
NEAR = {"longitude": -9.1393, "latitude": 38.7313}
FAR = {"longitude": -9.1393, "latitude": 38.7943}

USERS = {
    "me": "Mia", "bruno": "Bruno Tavares", "carla": "Carla Nogueira", "diogo": "Diogo Sequeira", "ines": "Inês Falcão",
    "nuno": "Nuno Abrantes", "rita": "Rita Salgado", "aoi": "高橋 葵",
}  # fmt: skip

Record = dict[str, Any]


def write_day_records(file: pathlib.Path) -> None:
    """Writes a person who has one habit of each kind, a friend, and a person without habits."""
    _write(file, _day_records())


def write_history_records(file: pathlib.Path) -> None:
    """Writes a person who has three habits, two friends, and users with every relation to the person."""
    _write(file, _history_records())


LARGE_DAYS = 4_000
LARGE_HABITS = 25


def write_large_records(file: pathlib.Path) -> None:
    """Writes a person who has recorded 25 habits on each of 4,000 days: 100,000 events."""
    last = datetime.date(2026, 11, 19)
    days = [last - datetime.timedelta(days=back) for back in range(LARGE_DAYS)]
    records = [_user("me", "Mia", time_zone="UTC")]
    for number in range(LARGE_HABITS):
        habit = f"h{number}"
        records.append(_habit(habit, f"Habit {number}", start=str(days[-1])))
        records += [
            _event(f"{habit}-{day}", habit, str(day), comment=f"day {index % 97}", **(HERE if index % 3 else {}))
            for index, day in enumerate(days)
        ]
    _write(file, records)


def _write(file: pathlib.Path, records: list[Record]) -> None:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))


def _day_records() -> list[Record]:
    start = "2026-11-02"
    return [
        _user("me", "Mia", time_zone="UTC", share_location=True),
        _user("friend", "Bruno"),
        _user("secret", "Nuno", share_location=False),
        _user("new", "Nova"),
        _follow("me", "friend", "accepted"),
        _habit("walk", "Walk", start=start),
        _habit("read", "Read", start=start, target_amount=20, unit="pages"),
        _habit("hostile", HOSTILE_TITLE, start=start),
        _habit("swim", "Swim", start=start, days="sat sun"),
        _habit("gym", "Gym", start=start, days=None, times=3, period_days=7),
        _habit("run", "Run", start=start, user="friend"),
        _habit("quiet", "Quiet", start=start, user="secret"),
        _event("run-1", "run", "2026-11-19", comment="slow start"),
        _event("walk-1", "walk", "2026-11-19", comment="with Anna"),
        _event("gym-1", "gym", "2026-11-18"),
    ]


def _history_records() -> list[Record]:
    start = "2025-01-01"
    return [
        *[_user(id, name, time_zone="UTC", share_location=True) for id, name in USERS.items()],
        _follow("me", "bruno", "accepted", share="all"),
        _follow("me", "carla", "accepted", share="latest"),
        _follow("me", "diogo", "rejected", share="all"),
        _follow("nuno", "me", "pending", share="all"),
        _follow("rita", "me", "pending", share="all"),
        _follow("ines", "me", "accepted", share="all"),
        _habit("gym", "Gym", start=start, days="tue thu sat", reason="A stronger back", tint=2, symbol="G"),
        _habit("read", "Read", start=start, target_amount=20, unit="pages"),
        _habit("old", "Old habit", start=start, end="2026-10-31"),
        _habit("bruno-run", "Corrida", start=start, user="bruno"),
        _habit("carla-yoga", "Yoga", start=start, user="carla"),
        _habit("ines-swim", "Swim", start=start, user="ines"),
        _event("gym-1", "gym", "2026-11-17", comment="with Anna", **HERE),
        _event("gym-2", "gym", "2026-11-14", comment="felt great", **FAR),
        _event("gym-3", "gym", "2026-11-12"),
        _event("read-1", "read", "2026-11-19", amount=20, comment="Anna Karenina"),
        _event("read-2", "read", "2025-03-03", amount=25, comment="long ago"),
        _event("run-1", "bruno-run", "2026-11-19", comment="até já", **NEAR),
        _event("run-2", "bruno-run", "2026-11-18"),
        _event("yoga-1", "carla-yoga", "2026-11-18"),
        _event("yoga-2", "carla-yoga", "2026-11-17"),
        _event("swim-1", "ines-swim", "2026-11-17"),
    ]


def _user(id: str, name: str, **fields: Any) -> Record:
    return {"kind": "users", "id": id, "name": name, **fields}


def _follow(follower: str, followee: str, status: str, **fields: Any) -> Record:
    return {"kind": "follows", "follower": follower, "followee": followee, "status": status, **fields}


def _habit(id: str, title: str, user: str = "me", days: str | None = "1111111", **fields: Any) -> Record:
    return {"kind": "habits", "id": id, "user": user, "title": title, "days": days, **fields}


def _event(id: str, habit: str, day: str, **fields: Any) -> Record:
    return {"kind": "events", "id": id, "habit": habit, "day": day, **fields}
