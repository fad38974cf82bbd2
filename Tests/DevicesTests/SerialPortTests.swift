import Devices
import Testing

/// What is called after a serial port, and what leads elsewhere.
struct SerialPortTests {
    @Test(
        "ports are told by their names, whether or not they are plugged in",
        arguments: ["/dev/ttyUSB97", "/dev/ttyACM97", "/dev/ttyAMA97", "/dev/ttyS997", "/dev/rfcomm97"])
    func ports(path: String) {
        #expect(SerialPort.isPort(path))
    }

    @Test(
        "terminals, files and what is written otherwise are no ports",
        arguments: [
            "", "ttyUSB0", "/dev/tty", "/dev/tty0", "/dev/pts/0", "/dev/ptmx", "/dev/null", "/dev/fd/0", "/dev/ttyUSB",
            "/dev/ttyUSB0/", "/dev/ttyUSB0/../tty", "/dev//ttyUSB0", "/dev/serial/by-id/", "/dev/serial/by-id/..",
            "/dev/serial/by-id/missing", "/dev/serial/by-id/../../tty", "/tmp/dev/ttyUSB0", "/dev/ttyUSB0\n",
        ])
    func others(path: String) {
        #expect(!SerialPort.isPort(path))
    }
}
