"""A small store whose counts the tests know."""

import json
import pathlib
from typing import Any

HOSTILE_COMMENT = "<img src onerror=x>"


def write_small_records(file: pathlib.Path) -> None:
    """Writes the records.

    `me` has 19 events on a line to the east, about one kilometer apart, and one next to the 180th meridian. `me` follows
    `friend`, who has two habits.
    """
    records = [*_people(), *_habits(), *_places()]
    for day in range(1, 20):
        records += _events(day)
    file.write_text("".join(json.dumps(record) + "\n" for record in records))


def _people() -> list[dict[str, Any]]:
    return [
        {"kind": "users", "id": "me", "email": "me@example.org"},
        {"kind": "users", "id": "friend"},
        {"kind": "follows", "follower": "me", "followee": "friend", "status": "accepted"},
    ]


def _habits() -> list[dict[str, Any]]:
    def habit(id: str, user: str, title: str, days: str = "1111111") -> dict[str, Any]:
        return {"kind": "habits", "id": id, "user": user, "title": title, "days": days, "start": "2026-10-01"}

    return [
        habit("walk", "me", "Walk"),
        habit("swim", "me", "<b>Swim</b>", "sat sun"),
        habit("walk-2", "me", "Walk", "sun"),
        habit("run", "friend", "Run"),
        habit("row", "friend", "Row"),
    ]


def _places() -> list[dict[str, Any]]:
    item = {"kind": "items", "id": "lamp", "user": "friend", "name": "Lamp", "description": "<script>alert(1)</script>"}
    post = {"kind": "posts", "id": "post", "user": "friend", "caption": "Sunset"}
    bare = {"kind": "posts", "id": "bare", "user": "friend", "posted_at": "2026-11-18T09:30:00Z"}
    far = {"kind": "events", "id": "far", "habit": "swim", "day": "2026-11-15", "comment": HOSTILE_COMMENT}
    return [
        item | {"longitude": 10, "latitude": 50},
        post | {"longitude": 10.01, "latitude": 50},
        bare | {"longitude": 10.02, "latitude": 50},
        far | {"longitude": 179.9, "latitude": -17},
        {"kind": "events", "id": "none", "habit": "swim", "day": "2026-11-14", "comment": "no place"},
    ]


def _events(day: int) -> list[dict[str, Any]]:
    comment = "Café stop" if day % 5 == 0 else f"round {day}"
    place = {"kind": "events", "day": f"2026-11-{day:02}", "longitude": 10 + day * 0.014}
    return [
        place | {"id": f"w{day}", "habit": "walk", "comment": comment, "latitude": 50},
        place | {"habit": "run", "latitude": 50.01},
        place | {"habit": "row", "latitude": 50.02},
    ]
