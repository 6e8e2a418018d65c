"""Starts the programs: a store, and a server with a client of its API."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = REPOSITORY / os.environ.get("HABITAT_BINARY", ".build/debug/habitat")
# The sample data ends on this day.
TODAY = "2026-11-20"
# An empty name selects no configuration file, so that the user of the machine does not decide a test.
ENVIRONMENT = {**os.environ, "HABITAT_CONFIG": ""}
# A slow machine must not decide a test.
PATIENCE_SECONDS = 120


def run_habitat(*arguments: str, store: pathlib.Path) -> str:
    """Runs a command on a store and returns its output."""
    command = [str(PROGRAM), *arguments, "--store", str(store), "--quiet"]
    result = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
    return result.stdout


class Store:
    """A store with records, and the access tokens of its users."""

    def __init__(self, folder: pathlib.Path, tokens: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.path = folder / "habitat.db"
        self._tokens: dict[str, str] = dict(tokens or {})

    @classmethod
    def load(cls, folder: pathlib.Path, records: pathlib.Path) -> "Store":
        """Makes a store with the records of a file or a folder."""
        store = cls(folder)
        run_habitat("ingest", str(records), store=store.path)
        return store

    def copy(self, folder: pathlib.Path) -> "Store":
        """Copies the store and its access tokens. No server may use it."""
        copied = Store(folder, self._tokens)
        shutil.copyfile(self.path, copied.path)
        return copied

    def token(self, user: str) -> str:
        """Returns an access token of a user, which is made at the first call."""
        if user not in self._tokens:
            created = run_habitat("token", "create", "--user", user, "--format", "json", store=self.path)
            self._tokens[user] = json.loads(created)["token"]
        return self._tokens[user]


@dataclass(frozen=True)
class LoggedRequest:
    """A line of the server's access log."""

    method: str
    route: str
    status: int
    user: str | None


class AccessLog:
    """The requests that a server has answered."""

    def __init__(self) -> None:
        self._requests: list[LoggedRequest] = []
        self._texts: list[str] = []
        self._changed = threading.Condition()

    def read(self, line: str) -> None:
        """Adds a line of the server's standard error."""
        with self._changed:
            try:
                entry = json.loads(line)
                logged = LoggedRequest(entry["method"], entry["route"], entry["status"], entry["user"])
                self._requests.append(logged)
            except (ValueError, KeyError):
                self._texts.append(line)
            self._changed.notify_all()

    def mark(self) -> int:
        """Returns the number of requests until now. The log may lack requests that have just been answered."""
        with self._changed:
            return len(self._requests)

    def since(self, mark: int) -> list[LoggedRequest]:
        """Returns the requests after a mark."""
        with self._changed:
            return self._requests[mark:]

    def wait(self, mark: int, matches: Callable[[LoggedRequest], bool]) -> LoggedRequest:
        """Waits for a request after a mark."""
        found: list[LoggedRequest] = []

        def is_there() -> bool:
            found[:] = [request for request in self._requests[mark:] if matches(request)]
            return bool(found)

        with self._changed:
            arrived = self._changed.wait_for(is_there, PATIENCE_SECONDS)
            assert arrived, f"the server has answered only {self._requests[mark:]}"
        return found[0]

    def text(self) -> str:
        """Returns what the server has said besides the requests."""
        with self._changed:
            return "".join(self._texts)


class Server:
    """A server on a free port of the loopback interface, with its own store.

    Pages are opened at `localhost`, which is the host of the printed addresses.
    """

    def __init__(self, store: Store, *options: str) -> None:
        self.store = store
        self.log = AccessLog()
        self.operator_token = os.urandom(32).hex()
        command = [f"{PROGRAM}-server", "--store", str(store.path), "--port", "0", "--rate", "0", "--today", TODAY]
        command += ["--operator-token-file", str(self._operator_file()), *options]
        self._process = subprocess.Popen(
            command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        assert self._process.stdout is not None
        greeting = self._process.stdout.readline()
        found = re.search(r"listens on http://127\.0\.0\.1:(\d+)", greeting)
        assert found, f"the server does not start: {greeting}{self.log.text()}"
        self.port = int(found.group(1))
        self.base = f"http://localhost:{self.port}"

    def _operator_file(self) -> pathlib.Path:
        file = self.store.folder / "operator-token"
        file.touch(mode=0o600)
        file.write_text(self.operator_token)
        return file

    def _read_log(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.log.read(line)

    def stop(self) -> None:
        """Ends the server."""
        self._process.terminate()
        status = self._process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        assert status == 0, f"the server has ended with status {status}: {self.log.text()}"

    def mark(self) -> int:
        """Returns a mark in the access log after all requests that the server has answered until now."""
        before = self.log.mark()
        with urllib.request.urlopen(f"{self.base}/healthz", timeout=PATIENCE_SECONDS):
            self.log.wait(before, lambda request: request.route == "/healthz")
        return self.log.mark()

    def token(self, user: str) -> str:
        """Returns an access token of a user, or of the operator."""
        return self.operator_token if user == "operator" else self.store.token(user)

    def file(self, name: str) -> str:
        """Returns the address of a file that pages load."""
        with urllib.request.urlopen(f"{self.base}/map", timeout=PATIENCE_SECONDS) as response:
            page = response.read().decode()
        folder = re.search(r"static/[0-9a-f]+/", page)
        assert folder, page
        return f"{self.base}/{folder.group()}{name}"

    def client(self, user: str) -> "Client":
        """Returns a client of the API that acts for a user."""
        return Client(self.base, self.token(user))


class Client:
    """A client of the API, whose results the pages must match."""

    def __init__(self, base: str, token: str) -> None:
        self._base = base
        self._token = token

    def send(self, method: str, path: str, body: bytes = b"", content: str = "application/json") -> bytes:
        """Sends a request and returns the body of the response, which must be a success."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": content}
        request = urllib.request.Request(self._base + path, body or None, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
            return bytes(response.read())

    def status(self, path: str) -> int:
        """Returns the status of a request."""
        try:
            self.send("GET", path)
        except urllib.error.HTTPError as error:
            return error.code
        return 200

    def get(self, path: str, **query: str | int) -> Any:
        """Returns a JSON document."""
        address = f"{path}?{urllib.parse.urlencode(query)}" if query else path
        return json.loads(self.send("GET", address))

    def features(self, collection: str, **query: str | int) -> list[dict[str, Any]]:
        """Returns the features of all pages of a list."""
        document = self.get(f"/collections/{collection}/items", **{"limit": 1000, **query})
        found: list[dict[str, Any]] = document["features"]
        while following := [link["href"] for link in document.get("links", []) if link["rel"] == "next"]:
            document = self.get(following[0].removeprefix(self._base))
            found += document["features"]
        return found
