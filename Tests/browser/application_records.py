"""The records of the tests of habits, history and people."""

import json
import pathlib
from typing import Any

from habitat import Server, Store

# A place in Lisbon, and places 1 km and 8 km north of it.
HERE = {"longitude": -9.1393, "latitude": 38.7223}
NEAR = {"longitude": -9.1393, "latitude": 38.7313}
FAR = {"longitude": -9.1393, "latitude": 38.7943}


def write_history_records(file: pathlib.Path) -> None:
    """Writes the records of a person with three habits, of two friends, and of users with every relation to the person."""
    records = [
        *[_user(id, name) for id, name in USERS.items()],
        _follow("me", "bruno", "accepted", "all"),
        _follow("me", "carla", "accepted", "latest"),
        _follow("me", "diogo", "rejected", "all"),
        _follow("nuno", "me", "pending", "all"),
        _follow("rita", "me", "pending", "all"),
        _follow("ines", "me", "accepted", "all"),
        _habit("gym", "Gym", days="tue thu sat", reason="A stronger back", tint=2, symbol="G"),
        _habit("read", "Read", target_amount=20, unit="pages"),
        _habit("old", "Old habit", end="2026-10-31"),
        _habit("bruno-run", "Corrida", user="bruno"),
        _habit("carla-yoga", "Yoga", user="carla"),
        _habit("ines-swim", "Swim", user="ines"),
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
    file.write_text("".join(json.dumps(record) + "\n" for record in records))


USERS = {
    "me": "Mia", "bruno": "Bruno Tavares", "carla": "Carla Nogueira", "diogo": "Diogo Sequeira", "ines": "Inês Falcão",
    "nuno": "Nuno Abrantes", "rita": "Rita Salgado", "aoi": "高橋 葵",
}  # fmt: skip


def history_server(folder: pathlib.Path, *options: str) -> Server:
    """Starts a server with the records of `write_history_records`."""
    records = folder / "records.ndjson"
    write_history_records(records)
    return Server(Store(folder, records), *options)


def _user(id: str, name: str) -> dict[str, Any]:
    return {"kind": "users", "id": id, "name": name, "time_zone": "UTC", "share_location": True}


def _follow(follower: str, followee: str, status: str, share: str) -> dict[str, Any]:
    return {"kind": "follows", "follower": follower, "followee": followee, "status": status, "share": share}


def _habit(id: str, title: str, user: str = "me", days: str = "1111111", **fields: Any) -> dict[str, Any]:
    return {"kind": "habits", "id": id, "user": user, "title": title, "days": days, "start": "2025-01-01", **fields}


def _event(id: str, habit: str, day: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "events", "id": id, "habit": habit, "day": day, **fields}
