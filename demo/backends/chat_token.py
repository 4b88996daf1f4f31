"""The backend of a site: sign-in, sign-out, and the token endpoint of the chat.

Needs Python 3.9 and nothing else: INLAY_API_KEY=sk-service-… python3 chat_token.py
"""

import json
import os
import secrets
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

PLATFORM = os.environ.get("INLAY_URL", "http://localhost:8787")
API_KEY = os.environ.get("INLAY_API_KEY", "")
AGENT = "demo"

# Users by session id, in place of your own sessions.
sessions = {}


class PlatformError(Exception):
    def __init__(self, status, code, retry_after=None):
        super().__init__(f"{status} {code}")
        self.status, self.code, self.retry_after = status, code, retry_after


def call_platform(path, body, seconds=9):
    """Sends a POST request. Retries it for at most `seconds` after 429 and 503, with which it had no effect."""
    deadline = time.monotonic() + seconds
    while True:
        request = Request(
            f"{PLATFORM}/agent/v1{path}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"},
            method="POST",
        )
        try:
            with urlopen(request, timeout=max(deadline - time.monotonic(), 0.1)) as response:
                return json.load(response)
        except HTTPError as error:
            failure = failure_of(error)
        except (OSError, ValueError) as error:  # no connection, timeout, or not JSON
            raise PlatformError(502, "UNREACHABLE") from error
        wait = failure.retry_after
        if failure.status not in (429, 503) or time.monotonic() + wait >= deadline:
            raise failure
        time.sleep(wait)


def failure_of(error):
    try:
        code = json.load(error).get("code", "UNKNOWN")
    except (OSError, ValueError, AttributeError):
        code = "UNKNOWN"
    retry_after = error.headers.get("Retry-After", "1")
    return PlatformError(error.code, code, int(retry_after) if retry_after.isdigit() else 1)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        if not self.is_same_origin():
            return self.respond(403, {"code": "ORIGIN_NOT_ALLOWED"})
        routes = {
            "/api/chat-token": self.chat_token,
            "/sign-in": self.sign_in,
            "/sign-out": self.sign_out,
        }
        route = routes.get(urlsplit(self.path).path)
        return route() if route else self.respond(404, {"code": "NOT_FOUND"})

    def chat_token(self):
        user = sessions.get(self.session_id())
        if user is None or user["signed_out"]:
            return self.respond(401, {"code": "SIGNED_OUT"})
        facts = [{"type": "text", "text": f"The user's name is {user['name']}."}]
        identity = {
            "external_user_id": user["id"],
            "system_message": facts,
            "metadata": {"plan": user["plan"]},
        }
        try:
            issued = call_platform("/embed_tokens", {"agent": AGENT, **identity})
        except PlatformError as error:
            return self.respond_to_failure(error)
        return self.respond(200, {"token": issued["token"], "expires_at": issued["expires_at"]})

    def respond_to_failure(self, error):
        if error.code == "EMBED_USER_BLOCKED":
            return self.respond(403, {"code": error.code})
        self.log_error("The platform answered: %s", error)
        if error.status in (429, 503):
            wait = {"Retry-After": str(error.retry_after)}
            return self.respond(503, {"code": "TOKEN_UNAVAILABLE"}, wait)
        if error.status >= 500:
            return self.respond(502, {"code": "TOKEN_UNAVAILABLE"})
        return self.respond(500, {"code": "MISCONFIGURED"})  # a retry can't help

    def sign_in(self):
        session = secrets.token_urlsafe()
        sessions[session] = {"id": "ada", "name": "Ada", "plan": "first", "signed_out": False}
        self.respond(200, {}, {"Set-Cookie": f"session={session}; HttpOnly; SameSite=Lax; Path=/"})

    def sign_out(self):
        session = self.session_id()
        user = sessions.get(session)
        if user is None:
            return self.respond(200, {})
        # Ends the session first, because otherwise the chat could get another token. Keeps the user until
        # the tokens are revoked, so that the call can be repeated.
        user["signed_out"] = True
        try:
            call_platform(f"/agents/{AGENT}/end_users/{quote(user['id'], safe='')}/revoke_tokens", {})
        except PlatformError as error:
            self.log_error("The tokens of %s are still valid: %s", user["id"], error)
            return self.respond(502, {"code": "NOT_REVOKED"})  # retry later
        sessions.pop(session, None)
        return self.respond(200, {})

    def is_same_origin(self):
        site = self.headers.get("Sec-Fetch-Site")
        if site is not None:
            return site == "same-origin"
        origin = self.headers.get("Origin")
        return origin is None or urlsplit(origin).netloc == self.headers.get("Host")

    def session_id(self):
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("session")
        return cookie.value if cookie else None

    def respond(self, status, body, headers=None):
        data = json.dumps(body).encode()
        self.send_response(status)
        all_headers = {"Content-Type": "application/json", "Cache-Control": "no-store", **(headers or {})}
        for name, value in {**all_headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "3000"))
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
