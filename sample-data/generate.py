#!/usr/bin/python3
"""Write Habitat's sample data: invented people and their habits in three real cities.

usage: generate.py [DIR]        (default: the folder of this script)

The people, places and words are in cast.py.

The output is the same on every run. Each user, habit, item and post draws from a random source of
its own, seeded with its id, so that a change to one of them leaves the others as they are. Only
Random.random() is used, which Python promises never to change, and no function of the C library.
"""
import datetime as dt
import json
import pathlib
import struct
import sys
import zlib
from random import Random

sys.dont_write_bytecode = True      # no __pycache__ among the data
from cast import (AWKWARD, CAPTIONS, CITIES, COMMENTS, DESCRIPTIONS, END_OF, FIRST, FOLLOWED_BY_NOBODY, HABITS, ITEM_COUNT, ITEMS,
                  KEEP_PLACE_PRIVATE, LAST, MESSAGES, PICTURES, PLACES, POST_COUNT, RATE_OF, RATES, SCHEDULES, SPREAD, START_OF, TRIPS,
                  USERS, WEEKDAYS)


# --- small tools ---------------------------------------------------------------------------------
def pick(rng, things):
    return things[int(rng.random() * len(things))]


def between(rng, low, high):
    """A whole number from low to high."""
    return low + int(rng.random() * (high - low + 1))


def scatter(rng, city, place, metres):
    """A position around "lat,lon"; the sum of four uniform numbers is close to a normal one."""
    latitude, longitude = map(float, place.split(","))
    north, east = ((rng.random() + rng.random() + rng.random() + rng.random() - 2) * 1.7 * metres / 111_320 for _ in "ne")
    return round(longitude + east / CITIES[city][4], 7), round(latitude + north, 7)


def instant(city, local):
    """RFC 3339 with the offset that holds in the city at that local time."""
    _, before, change, after, _ = CITIES[city]
    offset = before if local < change else after
    return f"{local.isoformat()}+{offset // 60:02}:{offset % 60:02}"


def clock(rng, day, first=7, last=22):
    return dt.datetime.combine(day, dt.time(between(rng, first, last), between(rng, 0, 59), between(rng, 0, 59)))


def speech(user):
    """The language of titles, items and messages: one of those that have all of them."""
    return user["lang"] if user["lang"] in ("pt", "ja") else "en"


def place_of(rng, user, city=None):
    """Where somebody took a photo or has a thing to give: (longitude, latitude), or nothing."""
    if user["id"] in KEEP_PLACE_PRIVATE or rng.random() < 0.08:
        return None
    places = PLACES[city or user["city"]]
    sort = pick(rng, list(places))
    return scatter(rng, city or user["city"], pick(rng, places[sort].split()), SPREAD.get(sort, 90))


def numbered(prefix, rows):
    for number, row in enumerate(rows, 1):
        row["id"] = f"{prefix}-{number:04}"
    return rows


# --- the records ---------------------------------------------------------------------------------
def make_users():
    users = {}
    for city, lines in USERS.items():
        for line in lines.split("\n"):
            id, name, lang, kinds = line.strip().split("|")[:4]
            home = scatter(Random(f"home {id}"), city, pick(Random(f"quarter {id}"), PLACES[city]["home"].split()), 250)
            users[id] = {"id": id, "name": name, "lang": lang, "kinds": kinds.split(), "city": city, "home": f"{home[1]},{home[0]}"}
    users["alice"]["home"] = PLACES["lisbon"]["home"].split()[0]
    return users


def make_habits(users):
    habits = []
    for user in users.values():
        for kind in user["kinds"]:
            titles, reason, patterns, place, hour = HABITS[kind]
            id = f"{user['id']}-{kind}"
            rng = Random(f"habit {id}")
            start = FIRST if rng.random() < 0.1 else FIRST + dt.timedelta(between(rng, 20, 178))
            title = titles.split("|")[("en", "pt", "ja").index(speech(user))]
            usual = user["home"] if place in ("home", "") else pick(rng, PLACES[user["city"]][place].split())
            habits.append({"id": id, "user": user["id"], "title": title, "mask": pick(rng, patterns.split()),
                           "reason": reason if rng.random() < 0.8 or user["id"] == "alice" else None,
                           "start": START_OF.get(id, start), "end": END_OF.get(id), "place": place, "usual": usual,
                           "hour": hour, "rate": RATE_OF.get(id, pick(rng, RATES))})
    return habits


def day_names(mask):
    return " ".join(name for name, bit in zip(WEEKDAYS, mask) if bit == "1")


def days_text(habit):
    """The weekdays in one of the three spellings, and the same one for the same habit."""
    spelling = pick(Random(f"spelling {habit['id']}"), ["names", "names", "numbers", "mask"])
    if spelling == "numbers":
        return ",".join(str(number) for number, bit in enumerate(habit["mask"], 1) if bit == "1")
    return habit["mask"] if spelling == "mask" else day_names(habit["mask"])


def is_due(habit, day):
    mask = habit["mask"]
    for id, start, version in SCHEDULES:
        if id == habit["id"] and start <= day:
            mask = version
    return mask[day.weekday()] == "1" and habit["start"] <= day <= (habit["end"] or LAST)


def comment_of(rng, lang):
    chance = rng.random()
    if chance < 0.4:
        return None
    return pick(rng, AWKWARD) if chance < 0.48 else pick(rng, COMMENTS[lang].split("|"))


def make_event(rng, user, habit, day, skipped):
    city = next((place for place, start, end, who in TRIPS if start <= day <= end and user["id"] in who.split()), user["city"])
    local = clock(rng, day, habit["hour"], min(habit["hour"] + 1, 23))
    if rng.random() < 0.006 and day < LAST:        # noted after midnight, still for the day before
        local = dt.datetime.combine(day + dt.timedelta(1), dt.time(0, between(rng, 5, 55)))
    position, photo = None, None
    if user["id"] not in KEEP_PLACE_PRIVATE and not skipped and rng.random() < (0.93 if habit["place"] else 0.7):
        elsewhere = rng.random() < 0.06
        usual, sort = (user["home"], "home") if elsewhere else (habit["usual"], habit["place"])
        if city != user["city"]:
            usual, sort = pick(rng, PLACES[city]["any"].split()), "any"
        position = scatter(rng, city, usual, 400 if elsewhere else SPREAD.get(sort, 30))
    if not skipped and rng.random() < (0.03 if city == user["city"] else 0.2):
        photo = {"porto": "river", "taveuni": "reef"}.get(city) or pick(rng, ["river", "track", "hills", "books", "wave", "plant"])
    return {"user": user["id"], "habit": habit["id"], "day": day.isoformat(), "at": instant(city, local),
            "comment": None if skipped else comment_of(rng, user["lang"]),
            "outcome": "skipped" if skipped else "done", "photo": photo and f"photos/{photo}.png", "position": position,
            "file": "travel" if city != user["city"] else city, "unplanned": not is_due(habit, day)}


def make_events(users, habits):
    events = []
    for habit in habits:
        user, rng = users[habit["user"]], Random(f"events {habit['id']}")
        rest = FIRST + dt.timedelta(between(rng, 30, 400))          # a week of rest, for about every second habit
        last = min(habit["end"] or LAST, LAST)
        for day in (habit["start"] + dt.timedelta(n) for n in range((last - habit["start"]).days + 1)):
            chance, due = rng.random(), is_due(habit, day)
            rate = 0 if 0 <= (day - rest).days < 7 and habit["user"] != "alice" else habit["rate"]
            if due and chance < rate or not due and chance < 0.02 * rate:
                events.append(make_event(rng, user, habit, day, skipped=False))
            elif due and habit["rate"] and chance > 0.975:
                events.append(make_event(rng, user, habit, day, skipped=True))
    return events


def make_follows(users):
    status = {("alice", name): ("accepted", "all") for name in ("bruno", "carla", "ines", "yuki")}
    status |= {("alice", "aroha"): ("accepted", "latest"), ("alice", "daichi"): ("pending", None), ("alice", "sefa"): ("rejected", None),
               ("bruno", "alice"): ("accepted", "all"), ("carla", "alice"): ("accepted", "latest"), ("diogo", "alice"): ("accepted", "all"),
               ("layla", "alice"): ("accepted", "all"), ("isla", "alice"): ("accepted", "latest"), ("nuno", "alice"): ("pending", None)}
    names = [name for name in users if name != "alice"]
    for name in names:
        rng = Random(f"follows {name}")
        for _ in range(between(rng, 2, 6)):
            other, chance = pick(rng, names), rng.random()
            if other not in (name, FOLLOWED_BY_NOBODY):
                share = "latest" if chance > 0.8 else "all"
                status[name, other] = ("pending", None) if chance < 0.12 else ("rejected", None) if chance < 0.18 else ("accepted", share)
    rows = []
    for (follower, followee), (state, share) in sorted(status.items()):
        rng = Random(f"follow {follower} {followee}")
        asked = instant(users[follower]["city"], clock(rng, FIRST + dt.timedelta(between(rng, 0, 180))))
        rows.append({"follower": follower, "followee": followee, "status": state, "share": share, "requested_at": asked})
    return rows


def make_items(users):
    """Items, their claims and their messages, which must agree with each other."""
    items, claims, messages = [], [], []
    names, kinds = list(users), [line.strip().split("|") for line in ITEMS.split("\n")]
    for number in range(1, ITEM_COUNT + 1):
        rng = Random(f"item {number}")
        user = users["alice" if number % 25 == 1 else pick(rng, names)]
        city, lang, kind = user["city"], speech(user), pick(rng, kinds)
        posted = clock(rng, FIRST + dt.timedelta(between(rng, 0, 170)))
        state = pick(rng, ["available"] * 10 + ["claimed"] * 4 + ["given"] * 5 + ["withdrawn"])
        expires = posted.date() + dt.timedelta(pick(rng, [14, 30, 60, 120])) if rng.random() < 0.4 else None
        item = {"id": f"item-{number:04}", "user": user["id"], "name": kind[("en", "pt", "ja").index(lang)],
                "description": pick(rng, DESCRIPTIONS[lang].split("|")) or None,
                "photo": f"photos/{kind[3]}.png" if kind[3] and rng.random() < 0.8 else None, "state": state,
                "posted_at": instant(city, posted), "expires": expires and expires.isoformat(), "position": place_of(rng, user)}
        items.append(item)
        others = [name for name in names if users[name]["city"] == city and name != user["id"]]
        first, second = pick(rng, others), pick(rng, others)
        if rng.random() < 0.12 and first != second:                 # somebody claimed it, and let it go
            time = posted + dt.timedelta(minutes=between(rng, 20, 600))
            claims.append({"item": item["id"], "user": first, "claimed_at": instant(city, time), "state": "released"})
        if state in ("claimed", "given"):
            time = posted + dt.timedelta(minutes=between(rng, 700, 6000))
            claims.append({"item": item["id"], "user": second, "claimed_at": instant(city, time), "state": state})
            turns = 4 if state == "given" else between(rng, 1, 3)
            for turn, text in enumerate(MESSAGES[lang].split("|")[:turns]):
                time += dt.timedelta(minutes=between(rng, 2, 240))
                sender, recipient = (second, user["id"])[::1 if turn % 2 == 0 else -1]
                messages.append({"id": None, "item": item["id"], "sender": sender, "recipient": recipient,
                                 "sent_at": instant(city, time), "text": text})
    return items, claims, numbered("message", messages)


def make_posts(users):
    posts, names = [], list(users)
    for number in range(1, POST_COUNT + 1):
        rng = Random(f"post {number}")
        user = users["alice" if number % 20 == 1 else pick(rng, names)]
        city, day = user["city"], FIRST + dt.timedelta(between(rng, 0, 182))
        if number % 50 == 7:
            user, city = users[pick(rng, TRIPS[0][3].split())], "taveuni"
            day = TRIPS[0][1] + dt.timedelta(between(rng, 0, 9))
        caption, photo = pick(rng, CAPTIONS[city].split("|")).rsplit("=", 1)
        posted = clock(rng, day)
        deleted = instant(city, posted + dt.timedelta(minutes=90)) if number in (21, 150, 333) else None
        posts.append({"id": None, "user": user["id"], "caption": caption if rng.random() < 0.9 else None,
                      "photo": f"photos/{photo}.png" if rng.random() < 0.95 else None,
                      "posted_at": instant(city, posted), "deleted_at": deleted, "position": place_of(rng, user, city)})
    return numbered("post", posts)


# --- the formats ---------------------------------------------------------------------------------
def cell(value, separator):
    """RFC 4180; nothing is an empty cell, and empty text is a quoted one."""
    if value is None:
        return ""
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if text == "" or any(c in text for c in (separator, '"', "\n", "\r")) else text


def table(columns, rows, separator=","):
    """CSV or TSV of the named columns, a position as two of them."""
    flat = [row | dict(zip(("longitude", "latitude"), row.get("position") or ())) for row in rows]
    lines = [columns.split()] + [[row.get(column) for column in columns.split()] for row in flat]
    return "".join(separator.join(cell(value, separator) for value in line) + "\n" for line in lines)


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines(rows):
    """NDJSON."""
    return "".join(compact(row) + "\n" for row in rows)


def record(row, columns, aliases={}):
    """The named members that have a value, a position as two of them."""
    flat = row | dict(zip(("longitude", "latitude"), row.get("position") or ()))
    return {aliases.get(column, column): flat[column] for column in columns.split() if flat.get(column) is not None}


def feature(row, columns):
    point = {"type": "Point", "coordinates": list(row["position"])} if row["position"] else None
    return {"type": "Feature", "id": row["id"], "geometry": point, "properties": record(row, columns)}


def collection(kind, features):
    return '{"type":"FeatureCollection","kind":"' + kind + '","features":[\n' + ",\n".join(map(compact, features)) + "\n]}\n"


def gzip(text):
    """A gzip member without file name, time and system."""
    data, deflate = text.encode(), zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"\x1f\x8b\x08\0\0\0\0\0\x02\xff" + deflate.compress(data) + deflate.flush() + struct.pack("<II", zlib.crc32(data), len(data))


def png(name, drawing, width=120, height=90):
    """A small picture: a gradient with a little grain, and shapes on it."""
    def rgb(text):
        return tuple(int(text[i:i + 2], 16) for i in (0, 2, 4))

    def chunk(tag, data):
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
    top, bottom, first = drawing.split(" ", 2)
    shapes, rng, pixels = [shape.split() for shape in first.split("|")], Random(f"grain {name}"), bytearray()
    for y in range(height):
        pixels.append(0)        # each row begins with its filter: none
        for x in range(width):
            colour = tuple((a * (height - y) + b * y) // height for a, b in zip(rgb(top), rgb(bottom)))
            for sort, *numbers, paint in shapes:
                left, upper, wide, high = (list(map(int, numbers)) + [0])[:4]
                inside = (x - left) ** 2 + (y - upper) ** 2 <= wide ** 2 if sort == "d" else 0 <= x - left < wide and 0 <= y - upper < high
                colour = rgb(paint) if inside else colour
            grain = between(rng, -1, 1) if rng.random() < 0.5 else 0
            pixels += bytes(max(0, min(255, channel + grain)) for channel in colour)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(pixels), 9)) + chunk(b"IEND", b"")


# --- the files -----------------------------------------------------------------------------------
def event_files(events):
    """Four files in four formats and four orders; the events in Kyoto have no id, so that they get derived ones."""
    groups = {name: sorted((event for event in events if event["file"] == name), key=lambda e: (e["day"], e["at"], e["habit"]))
              for name in ("lisbon", "wellington", "travel", "kyoto")}
    for number, event in enumerate((e for name in ("lisbon", "wellington", "travel") for e in groups[name]), 1):
        event["id"] = f"e{number:05}"
    columns = "user habit day at comment outcome photo"
    short = "habit at comment outcome photo longitude latitude"          # the day follows from `at`, where it is the same
    aliases = {"at": "ts", "comment": "note", "longitude": "lon", "latitude": "lat"}
    shuffled = sorted(groups["kyoto"], key=lambda e: Random(f"order {e['habit']} {e['day']}").random())
    offline = [record(e, short if e["at"].startswith(e["day"]) else short + " day", aliases) for e in shuffled]
    by_habit = sorted(groups["wellington"], key=lambda e: e["habit"])
    untimed = [e | {"at": None} if Random(f"untimed {e['id']}").random() < 0.03 else e for e in by_habit]
    seq = "".join("\x1e" + compact(feature(event, columns)) + "\n" for event in reversed(groups["travel"]))
    return {
        "events-lisbon.csv": ("CSV", groups["lisbon"], table(f"id {columns} longitude latitude", groups["lisbon"])),
        "events-kyoto.ndjson.gz": ("NDJSON, gzip", shuffled, gzip(lines(offline))),
        "events-wellington.geojson": ("GeoJSON", by_habit, collection("events", [feature(e, columns) for e in untimed])),
        "events-travel.geojsonl": ("GeoJSONSeq", groups["travel"], seq)}


def make_files():
    """Name to (format, rows, content), in the order in which a folder is loaded."""
    users = make_users()
    habits, follows, posts = make_habits(users), make_follows(users), make_posts(users)
    items, claims, messages = make_items(users)
    people = [{"id": id, "name": user["name"], "email": f"{id}@example.org" if Random(f"email {id}").random() < 0.8 else None,
               "time_zone": CITIES[user["city"]][0], "share_location": "false" if id in KEEP_PLACE_PRIVATE else "true"}
              for id, user in users.items()]
    dated = [habit | {"days": days_text(habit)} for habit in habits]
    versions = [{"habit": id, "from": start, "days": day_names(mask)} for id, start, mask in SCHEDULES]
    requests = [record(follow, "follower followee status share requested_at") for follow in follows]
    things = [record(item, "id user name description photo state posted_at expires longitude latitude") for item in items]
    pictures = [feature(post, "user caption photo posted_at deleted_at") for post in posts]
    return {
        "users.csv": ("CSV", people, table("id name email time_zone share_location", people)),
        "habits.tsv": ("TSV", habits, table("id user title days reason start end", dated, "\t")),
        "schedules.csv": ("CSV", versions, table("habit from days", versions)),
        "follows.ndjson": ("NDJSON", follows, lines(requests)),
        **event_files(make_events(users, habits)),
        "items.json": ("JSON array", items, "[\n" + ",\n".join(map(compact, things)) + "\n]\n"),
        "claims.csv": ("CSV", claims, table("item user claimed_at state", claims)),
        "messages.ndjson": ("NDJSON", messages, lines(messages)),
        "posts.geojson.gz": ("GeoJSON, gzip", posts, gzip(collection("posts", pictures)))}


def counts(files):
    """The table of files and the numbers worth knowing, as Markdown."""
    kinds = {}
    text = ["| file | kind | format | rows | located |", "|---|---|---|---|---|"]
    for name, (form, rows, _) in files.items():
        kind = name.split(".")[0].split("-")[0]
        kinds.setdefault(kind, []).extend(rows)
        located = sum(1 for row in rows if row["position"]) if "position" in rows[0] else ""
        text.append(f"| `{name}` | {kind} | {form} | {len(rows)} | {located} |")

    def tally(kind, test):
        return sum(1 for row in kinds[kind] if test(row))

    def each(kind, member, *values):
        return ", ".join(f"{tally(kind, lambda row: row[member] == value)} {value}" for value in values)
    today, used = LAST.isoformat(), {event["habit"] for event in kinds["events"]}
    idle, unshown = tally("habits", lambda h: h["id"] not in used), tally("habits", lambda h: h["start"] > LAST)
    expired = tally("items", lambda i: i["state"] == "available" and (i["expires"] or today) < today)
    meridian = tally("events", lambda e: e["position"] and abs(e["position"][0]) > 179)
    notes = {
        "users": f"{tally('users', lambda u: u['share_location'] == 'false')} do not share their location",
        "habits": f"{tally('habits', lambda h: h['end'])} ended, {unshown} not begun, {idle} without an event",
        "follows": each("follows", "status", "accepted", "pending", "rejected") + "; " + each("follows", "share", "all", "latest"),
        "events": f"{tally('events', lambda e: e['position'])} located ({meridian} next to the 180th meridian), "
                  f"{each('events', 'outcome', 'skipped')}, {tally('events', lambda e: e['unplanned'])} unplanned, "
                  f"{tally('events', lambda e: e['comment'])} with a comment, {tally('events', lambda e: e['photo'])} with a photo",
        "items": each("items", "state", "available", "claimed", "given", "withdrawn")
                 + f"; {expired} of the available ones expired before {today}",
        "claims": each("claims", "state", "claimed", "given", "released"),
        "posts": f"{tally('posts', lambda p: p['position'])} located, {tally('posts', lambda p: p['photo'])} with a photo, "
                 f"{tally('posts', lambda p: p['deleted_at'])} deleted"}
    text += ["", "| kind | rows | of which |", "|---|---|---|"]
    text += [f"| {kind} | {len(rows)} | {notes.get(kind, '')} |" for kind, rows in kinds.items()]
    return "\n".join(text + [f"| pictures | {len(PICTURES)} | files in `photos/` |"])


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    (folder / "photos").mkdir(parents=True, exist_ok=True)
    for name, drawing in PICTURES.items():
        (folder / "photos" / f"{name}.png").write_bytes(png(name, drawing))
    files = make_files()
    for name, (_, _, content) in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    summary, readme = counts(files), folder / "README.md"
    print(summary)
    if readme.exists():         # the numbers there are these, so that they cannot drift
        before, _, rest = readme.read_bytes().decode().partition("<!-- counts -->")
        _, marker, after = rest.partition("<!-- /counts -->")
        if marker:
            readme.write_bytes(f"{before}<!-- counts -->\n{summary}\n{marker}{after}".encode())


if __name__ == "__main__":
    main()
