# python3 receiver.py: WEBHOOK_SECRET=svc_whsec_... PORT=4000
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
SECRET = os.environ["WEBHOOK_SECRET"].encode()
handled = set()


def is_authentic(raw_body: bytes, header: str, secret: bytes) -> bool:
    """Whether these bytes were signed with the secret within the tolerance."""
    fields = [field.partition("=")[::2] for field in header.split(",")]
    sent_at = next((value for name, value in fields if name == "t"), "")
    if not re.fullmatch(r"[0-9]{1,12}", sent_at) or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    own = hmac.new(secret, sent_at.encode() + b"." + raw_body, hashlib.sha256).hexdigest().encode()
    # there are two while the previous secret is still valid; one match is enough
    return any(name == "v1" and hmac.compare_digest(value.encode(), own) for name, value in fields)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self) -> None:
        raw_body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_authentic(raw_body, self.headers.get("Svc-Signature", ""), SECRET):
            return self.respond(400)
        event = json.loads(raw_body)
        # an event may be delivered twice: keep the ids in your database, and store the event before you respond
        if event["id"] not in handled:
            handled.add(event["id"])
            print(event["type"], event["id"], flush=True)
        self.respond(204)

    def respond(self, status: int) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
