"""A TaskChampion server for tests: keeps everything in memory, prints its port.

GET /forget drops all versions up to the snapshot; GET /fail?n=N answers N requests with 500 after the work."""
import http.server, sys, uuid

NIL = str(uuid.UUID(int=0))
versions = {}   # parent -> (version, data)
latest, snapshot, failures = NIL, None, 0

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_): pass

    def answer(self, status, headers={}, body=b""):
        global failures
        if failures > 0 and not self.path.startswith("/fail"):
            failures, status, headers, body = failures - 1, 500, {}, b"<html>broken</html>"
        self.send_response(status)
        for name, value in headers.items(): self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        global versions, failures
        name = self.path.split("?")[0].split("/")[-1]
        if self.path.startswith("/forget"):
            kept, at = {}, snapshot[0]
            while at in versions:
                kept[at] = versions[at]
                at = versions[at][0]
            versions = kept
            self.answer(200)
        elif self.path.startswith("/fail"):
            failures = int(self.path.split("=")[1])
            self.answer(200)
        elif "/get-child-version/" in self.path:
            if name in versions:
                version, data = versions[name]
                self.answer(200, {"X-Version-Id": version, "X-Parent-Version-Id": name,
                    "Content-Type": "application/vnd.taskchampion.history-segment"}, data)
            else:
                known = name == latest or (name == NIL and not snapshot)
                self.answer(404 if known else 410)
        elif self.path.endswith("/snapshot"):
            if snapshot is None: return self.answer(404)
            self.answer(200, {"X-Version-Id": snapshot[0],
                "Content-Type": "application/vnd.taskchampion.snapshot"}, snapshot[1])
        else: self.answer(404)

    def do_POST(self):
        global latest, snapshot
        data = self.rfile.read(int(self.headers["Content-Length"]))
        name = self.path.split("/")[-1]
        if "/add-version/" in self.path:
            if latest not in (name, NIL): return self.answer(409, {"X-Parent-Version-Id": latest})
            version = str(uuid.uuid4())
            versions[name] = (version, data)
            latest = version
            wanted = {"X-Snapshot-Request": "urgency=high"} if len(versions) % 5 == 0 else {}
            self.answer(200, {"X-Version-Id": version, **wanted})
        else:
            snapshot = (name, data)
            self.answer(200)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
