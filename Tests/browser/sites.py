"""A site that is not the server's."""

import http.server
import threading
from enum import Enum


class Relation(Enum):
    """The relation of a site to the server, as `Sec-Fetch-Site` names it."""

    CROSS_SITE = "cross-site"
    SAME_SITE = "same-site"


class _Handler(http.server.BaseHTTPRequestHandler):
    # A worker that takes a script or a document from the server with the cookie of the browser.
    WORKER = b"""
      onmessage = async ({ data: [way, url] }) => {
        try {
          if (way === 'import') importScripts(url);
          else await fetch(url, { credentials: 'include' });
          postMessage('loaded');
        } catch { postMessage('refused'); }
      };
    """

    def do_GET(self) -> None:
        is_worker = self.path == "/worker.js"
        body = (
            self.WORKER if is_worker else b"<!DOCTYPE html><html lang=en><title>Another site</title><link rel=icon href='data:,'>"
        )
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if is_worker else "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


class OtherSite:
    """A server of empty pages on a free port of the loopback interface.

    At `127.0.0.1` it is another site than `localhost`. At `localhost` it is another origin of the same site.
    """

    def __init__(self) -> None:
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def address(self, relation: Relation) -> str:
        """Returns the address of a page with a relation to the server."""
        host = "127.0.0.1" if relation is Relation.CROSS_SITE else "localhost"
        return f"http://{host}:{self._server.server_port}/"

    def stop(self) -> None:
        """Ends the server."""
        self._server.shutdown()
        self._server.server_close()
