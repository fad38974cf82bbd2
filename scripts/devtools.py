"""A page in headless chromium, driven over its DevTools WebSocket with the standard library alone."""
import base64, json, os, socket, struct, subprocess, tempfile, time, urllib.request


class Socket:
    """The client's side of a WebSocket (RFC 6455), text messages only."""

    def __init__(self, url):
        host, _, path = url[5:].partition("/")
        name, _, port = host.partition(":")
        self.link = socket.create_connection((name, int(port)), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.link.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head: head += self.link.recv(1)
        if b" 101 " not in head.split(b"\r\n")[0]: raise ConnectionError(head)

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else \
            struct.pack("!BBH", 0x81, 0xFE, size) if size < 65536 else struct.pack("!BBQ", 0x81, 0xFF, size)
        self.link.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def take(self, count):
        data = b""
        while len(data) < count:
            piece = self.link.recv(min(count - len(data), 1 << 20))
            if not piece: raise ConnectionError("the browser is gone")
            data += piece
        return data

    def receive(self):
        text = b""
        while True:
            first, second = self.take(2)
            size = second & 0x7F
            if size == 126: size, = struct.unpack("!H", self.take(2))
            elif size == 127: size, = struct.unpack("!Q", self.take(8))
            data = self.take(size)
            if first & 0x0F in (0, 1): text += data
            if first & 0x80 and first & 0x0F in (0, 1): return text.decode()


class Page:
    """One page of a browser of its own."""

    def __init__(self, browser="chromium", width=1280, height=800):
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
             "--remote-debugging-port=0", f"--window-size={width},{height}",
             f"--user-data-dir={self.folder}", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        note = os.path.join(self.folder, "DevToolsActivePort")
        deadline = time.monotonic() + 60
        while not os.path.exists(note) or not open(note).read().strip():
            if time.monotonic() > deadline: raise TimeoutError("the browser does not start")
            time.sleep(0.1)
        port = open(note).read().split()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=30) as answer:
            target = next(one for one in json.load(answer) if one["type"] == "page")
        self.socket, self.number, self.errors = Socket(target["webSocketDebuggerUrl"]), 0, []
        for domain in ("Page", "Runtime"): self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("method") == "Runtime.exceptionThrown":
                details = message["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            if message.get("id") == self.number:
                if "error" in message: raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)

    def size(self, width, height, is_phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if is_phone else 1, mobile=is_phone)

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result: raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, script, seconds=30):
        deadline = time.monotonic() + seconds
        while True:
            # What a page that is still loading does not have yet is not there yet.
            value = self.run(f"(() => {{ try {{ return Boolean({script}) }} catch {{ return false }} }})()")
            if value: return value
            if time.monotonic() > deadline: raise TimeoutError(f"never came true: {script}")
            time.sleep(0.1)

    def click(self, selector):
        self.until(f"document.querySelector({json.dumps(selector)}) && !document.querySelector({json.dumps(selector)}).disabled")
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def tap(self, selector):
        """A press with the mouse, as a person's: what a page may do only then, it may do."""
        place = f"document.querySelector({json.dumps(selector)})"
        self.until(f"{place} && !{place}.disabled")
        x, y = self.run(f"(() => {{ const box = {place}.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def fill(self, selector, text):
        place = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{place}.value = {json.dumps(text)}; {place}.dispatchEvent(new Event('input', {{ bubbles: true }}))")

    def press(self, key, code=0, name=None):
        more = {"key": name or key, "text": key, "windowsVirtualKeyCode": code or ord(key.upper())}
        self.call("Input.dispatchKeyEvent", type="keyDown", **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", **more)

    def picture(self, file):
        with open(file, "wb") as output:
            output.write(base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]))

    def close(self):
        self.process.terminate()
        self.process.wait(20)
