"""One WebSocket connection from the server's side (RFC 6455): text messages only.

The standard library has no WebSocket. The stand-in for OGS needs a small part of it, for which a
dependency would be longer than this module.
"""

import base64
import hashlib
import socket
import struct

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # fixed by the RFC, section 1.3
_TEXT, _PONG = 1, 10
_MAX_BYTES = 1 << 20  # of a message; the clients here send a few hundred bytes
_MAX_HEADER_BYTES = 1 << 16


class WebSocket:
    """An accepted connection. Raises ConnectionError when the other side breaks the protocol.

    connection  a connected stream socket; reading from it should time out
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._pending = b""
        header = self._header()
        key = header.get(b"sec-websocket-key")
        if key is None:
            raise ConnectionError("not a WebSocket request")
        token = base64.b64encode(hashlib.sha1(key + _GUID).digest())
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + token + b"\r\n\r\n"
        )

    def _header(self) -> dict[bytes, bytes]:
        while b"\r\n\r\n" not in self._pending:
            if len(self._pending) > _MAX_HEADER_BYTES:
                raise ConnectionError("the header is too long")
            self._more()
        head, _, self._pending = self._pending.partition(b"\r\n\r\n")
        pairs = [line.partition(b":") for line in head.split(b"\r\n")[1:]]
        return {name.strip().lower(): value.strip() for name, _, value in pairs}

    def _more(self) -> None:
        chunk = self._connection.recv(1 << 16)
        if not chunk:
            raise ConnectionError("the connection was closed")
        self._pending += chunk

    def _take(self, count: int) -> bytes:
        while len(self._pending) < count:
            self._more()
        taken, self._pending = self._pending[:count], self._pending[count:]
        return taken

    def receive(self) -> str | None:
        """Return the next text message; None when the other side closes the connection."""
        message = b""
        while True:
            first, second = self._take(2)
            length = second & 0x7F
            if length > 125:
                length = int.from_bytes(self._take(2 if length == 126 else 8), "big")
            if not second & 0x80 or len(message) + length > _MAX_BYTES:
                raise ConnectionError("a frame is not masked or too long")
            mask, data = self._take(4), self._take(length)
            data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
            match first & 0x0F:
                case 8:  # close
                    return None
                case 9:  # ping
                    self._send(_PONG, data)
                case 10:  # pong
                    pass
                case _:
                    message += data
                    if first & 0x80:
                        return message.decode("utf-8")

    def send(self, text: str) -> None:
        """Send a text message."""
        self._send(_TEXT, text.encode("utf-8"))

    def _send(self, kind: int, data: bytes) -> None:
        size = len(data)
        if size < 126:
            length = bytes([size])
        elif size < 1 << 16:
            length = b"\x7e" + struct.pack(">H", size)
        else:
            length = b"\x7f" + struct.pack(">Q", size)
        self._connection.sendall(bytes([0x80 | kind]) + length + data)
