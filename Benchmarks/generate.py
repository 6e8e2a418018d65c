#!/usr/bin/python3
"""Write events for benchmarks. Equal arguments produce equal files.

usage: generate.py EVENTS DIR [USERS]

Writes users.csv, habits.csv, follows.csv and events.csv into DIR. Next to DIR, writes centers.csv (1,000 positions to search
around) and, unless USERS is given, the folder posts with EVENTS photo posts, each with a different photo. Habits are located
around 20 cities. One event in five has no position, two in five have no comment. Events are on several consecutive days.
"""
import base64
import csv
import datetime
import json
import math
import os
import random
import struct
import sys
import zlib

CITIES = [(-9.14, 38.72), (135.77, 35.01), (174.78, -41.29), (-74.01, 40.71), (-0.13, 51.51), (2.35, 48.86),
          (13.40, 52.52), (37.62, 55.76), (139.69, 35.68), (151.21, -33.87), (179.99, -16.80), (24.94, 60.17),
          (-21.94, 64.15), (28.05, -26.20), (77.21, 28.61), (103.82, 1.35), (-58.38, -34.60), (-99.13, 19.43),
          (31.24, 30.04), (116.41, 39.90)]
COMMENTS = ["morning run", "felt great", "tired today", "rain again", "café stop", "Übung", "ночной бег", "朝ラン", "été",
            "a, b, c", 'he said "go"', "100% plan", "done ✅", "hill repeats", "read 20 pages", "no sugar", "late night"]
DAYS = ["mon tue wed thu fri sat sun", "mon wed fri", "tue thu", "sat sun", "1111100"]
FIRST_DAY = datetime.date(2024, 11, 21)
SPAN = 730


def near(rng, place, kilometers):
    """Returns a random position at about this distance from a longitude and latitude, within the valid ranges."""
    latitude = max(-89.9, min(89.9, place[1] + rng.gauss(0, 1) * kilometers / 111.2))
    east = rng.gauss(0, 1) * kilometers / (111.3 * math.cos(math.radians(latitude)))
    return ((place[0] + east + 180) % 360 - 180, latitude)


def write(folder, name, header, rows):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def days_done(rng, count):
    """Returns `count` days, most of them in runs of consecutive days."""
    days = {}
    while len(days) < count:
        start = rng.randrange(SPAN)
        days.update(dict.fromkeys(range(start, min(SPAN, start + rng.randint(1, 14)))))
    return list(days)[:count]


def png(rng, side=16):
    """Returns an image of noise: an RGB PNG of about 900 bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + rng.randbytes(side * 3) for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write_posts(folder, rng, users, count):
    write(folder, "users.csv", ["id"], ((f"u{n}",) for n in range(users)))
    with open(os.path.join(folder, "posts.ndjson"), "w", encoding="utf-8") as file:
        for number in range(count):
            photo = base64.b64encode(png(rng)).decode()
            file.write(json.dumps({"id": f"p{number}", "user": f"u{number % users}", "photo": photo}) + "\n")


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    rng = random.Random(count)
    users = int(sys.argv[3]) if len(sys.argv) > 3 else max(20, count // 200)
    homes = [near(rng, rng.choice(CITIES), 5) for _ in range(users)]
    habits = [(f"h{n}", n // 5, near(rng, homes[n // 5], 4)) for n in range(users * 5)]
    write(folder, "users.csv", ["id", "name"], ((f"u{n}", f"User {n}") for n in range(users)))
    write(folder, "habits.csv", ["id", "user", "title", "days"],
          ((id, f"u{user}", f"Habit {id}", rng.choice(DAYS)) for id, user, _ in habits))
    pairs = sorted({(a, b) for a in range(users) for b in rng.sample(range(users), min(users, 15)) if a != b})
    write(folder, "follows.csv", ["follower", "followee"], ((f"u{a}", f"u{b}") for a, b in pairs))
    days = [days_done(rng, min(SPAN, -(-count // len(habits)))) for _ in habits]
    slots = [(days[h][k], h) for k in range(max(map(len, days))) for h in range(len(habits)) if k < len(days[h])][:count]
    slots.sort()

    def events():
        for number, (day, h) in enumerate(slots):
            id, user, place = habits[h]
            date = FIRST_DAY + datetime.timedelta(days=day)
            at = f"{date}T{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}Z"
            comment = rng.choice(COMMENTS) if rng.random() < 0.6 else ""
            x, y = near(rng, place, 0.2)
            located = rng.random() < 0.8
            yield (number, f"u{user}", id, date, at, comment, f"{x:.7f}" if located else "", f"{y:.7f}" if located else "")

    write(folder, "events.csv", ["id", "user", "habit", "day", "at", "comment", "longitude", "latitude"], events())
    centers = [near(rng, rng.choice(habits)[2], 1) for _ in range(1000)]
    write(os.path.dirname(os.path.abspath(folder)), "centers.csv", ["id", "longitude", "latitude"],
          ((n, f"{x:.7f}", f"{y:.7f}") for n, (x, y) in enumerate(centers)))
    if len(sys.argv) <= 3:
        write_posts(os.path.join(os.path.dirname(os.path.abspath(folder)), "posts"), rng, users, count)


main()
