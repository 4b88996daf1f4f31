"""Receives webhooks of the platform, and verifies them as Standard Webhooks demands.

Needs Python 3.9 and nothing else: INLAY_WEBHOOK_SECRET=whsec_… python3 webhooks.py
"""

import base64
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ["INLAY_WEBHOOK_SECRET"].removeprefix("whsec_"))


def verify_webhook(body, headers):
    """Returns the event; None if the signature is not valid, or more than five minutes old."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return None
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(SECRET, signed, "sha256"))
    # There are two while a secret is being replaced.
    signatures = headers.get("webhook-signature", "").encode().split()
    if not any(hmac.compare_digest(signature, expected) for signature in signatures):
        return None
    return json.loads(body)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        event = verify_webhook(body, self.headers)
        if event:
            print(event["type"], event["data"], flush=True)
        self.send_response(204 if event else 400)
        self.send_header("Content-Length", "0")
        self.end_headers()


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "3000"))
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
