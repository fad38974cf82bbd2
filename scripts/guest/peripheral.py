"""peripheral.py PTY SENT: a Bluetooth peripheral on the radio link of a virtual controller.

Heart Rate (a measurement a second, one to two intervals each), Battery and Device Information; and a virtual serial port
whose other end is the terminal PTY. What was sent is written to SENT when SIGINT comes."""
import asyncio
import json
import os
import random
import signal
import struct
import sys
import tty

from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport

Properties = Characteristic.Properties
SERIAL_PORT = "569A1101-B87F-490C-92CB-11BA5EA5167C"


class Link(LocalLink):
    """A radio link on which data come from the address of the connection, not from that of scanning."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        receiver = self.find_le_controller(destination_address)
        connections = sender_controller.le_connections.values()
        source = next((c.self_address for c in connections if c.peer_address == destination_address),
                      sender_controller.random_address)
        if receiver:
            asyncio.get_running_loop().call_soon(lambda: receiver.on_link_acl_data(source, transport, data))


class Peripheral:
    def __init__(self, link, terminal):
        self.sent = {"intervals": [], "written": 0, "energyResets": 0}
        self.terminal = terminal
        controller = Controller("peripheral", link=link)
        host = Host()
        host.controller = controller
        self.device = Device(name="Strap", address=Address("F0:F1:F2:F3:F4:F5"), host=host)
        self.measurement = Characteristic(UUID.from_16_bits(0x2A37), Properties.NOTIFY, Characteristic.READABLE, bytes(2))
        self.output = Characteristic(
            UUID("569A2000-B87F-490C-92CB-11BA5EA5167C"), Properties.NOTIFY, Characteristic.READABLE, bytes(1))
        self.device.add_services([
            Service(UUID.from_16_bits(0x180D), [
                self.measurement, self.readable(0x2A38, bytes([1])),
                Characteristic(UUID.from_16_bits(0x2A39), Properties.WRITE, Characteristic.WRITEABLE,
                               CharacteristicValue(write=self.reset_energy))]),
            Service(UUID.from_16_bits(0x180F), [self.readable(0x2A19, bytes([87]))]),
            Service(UUID.from_16_bits(0x180A), [self.readable(0x2A29, b"Simulated"), self.readable(0x2A24, b"Strap 1")]),
            Service(UUID(SERIAL_PORT), [
                self.output,
                Characteristic(UUID("569A2001-B87F-490C-92CB-11BA5EA5167C"),
                               Properties.WRITE | Properties.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE,
                               CharacteristicValue(write=self.write_serial))])])
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([6])),
            (AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, struct.pack("<H", 0x180D)),
            (AdvertisingData.COMPLETE_LOCAL_NAME, b"Strap")]))
        self.device.scan_response_data = bytes(AdvertisingData([
            (AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(UUID(SERIAL_PORT)))]))

    @staticmethod
    def readable(number, value):
        return Characteristic(UUID.from_16_bits(number), Properties.READ, Characteristic.READABLE, value)

    def reset_energy(self, connection, value):
        self.sent["energyResets"] += value == b"\x01"

    def write_serial(self, connection, value):
        self.sent["written"] += len(value)
        os.write(self.terminal, value)

    async def beat(self):
        """A measurement a second, whether somebody listens or not."""
        randomness = random.Random(1)
        while True:
            await asyncio.sleep(1)
            intervals = [randomness.randint(800, 1000) for _ in range(randomness.choice([1, 1, 1, 2]))]
            self.sent["intervals"] += intervals
            await self.device.notify_subscribers(
                self.measurement, struct.pack(f"<BB{len(intervals)}H", 0x16, 68, *intervals))

    async def serve_terminal(self):
        loop = asyncio.get_running_loop()
        pieces = asyncio.Queue()
        loop.add_reader(self.terminal, lambda: pieces.put_nowait(os.read(self.terminal, 20)))
        while True:
            await self.device.notify_subscribers(self.output, await pieces.get())


async def main(terminal_path, sent_path):
    terminal = os.open(terminal_path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(terminal)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
    async with await open_transport("vhci") as adapter:
        link = Link()
        # bluetoothd takes no notice of an adapter without an address of its own.
        controller = Controller("adapter", host_source=adapter.source, host_sink=adapter.sink, link=link,
                                public_address="C0:C1:C2:C3:C4:C5")
        # The kernel would wait for an event about connections that this controller does not send.
        controller.le_features &= ~(LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING)
        peripheral = Peripheral(link, terminal)
        await peripheral.device.power_on()
        await peripheral.device.start_advertising(auto_restart=True)
        tasks = [asyncio.create_task(peripheral.beat()), asyncio.create_task(peripheral.serve_terminal())]
        await stop.wait()
        for task in tasks:
            task.cancel()
        with open(sent_path, "w") as file:
            json.dump(peripheral.sent, file)


asyncio.run(main(*sys.argv[1:]))
