"""A phone of the ECG relay, played by python-socketio (4.x or 5.x, whichever is installed), or by hand for Engine.IO 2.

usage: socketio_phone.py ADDRESS KEY WAY COUNT
WAY: polling, websocket, upgrade (polling first), or eio2 (a raw WebSocket hand-shake, as the phone app's client makes it).
Sends COUNT amplitudes, waits for as many answers, sends /BLEDisconnect, waits for its answer and leaves. KEY - : no key.
Prints one line of JSON.
"""

import inspect
import json
import sys
import threading

address, key, way, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
headers = {} if key == "-" else {"Authorization": "Bearer " + key}
WAVE = ["4.400", "4.580", "4.350", "4.000", "7.000", "3.000", "4.300", "4.560", "4.500", "4.350"]
LONGEST_WAIT = 60


def sample(index):
    milliseconds = index * 50
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    return {
        "amplitude": WAVE[index % len(WAVE)],
        "time": "2015-01-16T15:%02d:%02d.%03dZ" % (30 + minutes, seconds, rest),
    }


def told(**result):
    print(json.dumps(result))
    sys.exit(0)


def by_hand():
    import websocket

    url = address.replace("http", "ws") + "/socket.io/?EIO=2&transport=websocket"
    lines = ["%s: %s" % pair for pair in headers.items()]
    try:
        phone = websocket.create_connection(url, timeout=LONGEST_WAIT, header=lines)
    except websocket.WebSocketBadStatusException as refusal:
        told(refused=refusal.status_code)
    greeting = [phone.recv(), phone.recv()]
    phone.send("2")
    pong = phone.recv()
    answers = []
    for index in range(count):
        phone.send("42" + json.dumps(["message", sample(index)], separators=(",", ":")))
        answers.append(json.loads(phone.recv()[2:]))
    phone.send('42["/BLEDisconnect"]')
    gone = phone.recv()
    phone.send("1")
    phone.close()
    told(
        version="eio2", handshake=json.loads(greeting[0][1:]), joined=greeting[1] == "40", pong=pong,
        answers=len([a for a in answers if a[0] == "node.js"]), last=answers[-1][1] if answers else None,
        gone=gone == '42["disconnected"]', problems=[],
    )


def by_client():
    import socketio

    phone = socketio.Client(reconnection=False)
    answers, problems = [], []
    enough, gone, acknowledged = (threading.Event() for _ in range(3))

    @phone.on("node.js")
    def answer(data):
        answers.append(data)
        if len(answers) >= count + 1:
            enough.set()

    @phone.on("problem")
    def problem(data):
        problems.append(data)

    @phone.on("disconnected")
    def disconnected(*_):
        gone.set()

    transports = {"polling": ["polling"], "websocket": ["websocket"], "upgrade": None}[way]
    # Release 4 waits by itself, release 5 for a second.
    patience = {"wait_timeout": LONGEST_WAIT} if "wait_timeout" in inspect.signature(phone.connect).parameters else {}
    try:
        phone.connect(address, headers=headers, transports=transports, **patience)
    except socketio.exceptions.ConnectionError as refusal:
        told(refused=str(refusal))
    for index in range(count):
        phone.emit("message", sample(index))
    phone.emit("message", sample(count), callback=lambda *_: acknowledged.set())
    all_came = enough.wait(LONGEST_WAIT)
    was_acknowledged = acknowledged.wait(LONGEST_WAIT)
    phone.emit("message", {"amplitude": "none", "time": "now"})
    phone.emit("/BLEDisconnect")
    said_gone = gone.wait(LONGEST_WAIT)
    transport = phone.eio.transport()
    phone.disconnect()
    told(
        version=sys.modules["socketio"].__version__ if hasattr(socketio, "__version__") else "", came=all_came,
        acknowledged=was_acknowledged, answers=len(answers), last=answers[-1] if answers else None, gone=said_gone,
        problems=problems, transport=transport,
    )


by_hand() if way == "eio2" else by_client()
