"""Reads data sets of an R package without R: the lazy-load database and the XDR serialization of R.

The formats are described in 'R Internals', sections 1.8 (serialization) and 1.9 (lazy-load databases).
"""

import bz2
import gzip
import lzma
import struct
import zlib

NULLS = (254, 242, 241, 253, 251, 252)
HAS_ATTRIBUTES, HAS_TAG = 0x200, 0x400


class Value:
    """A value of R with its attributes; the slots of an S4 object are its attributes."""

    def __init__(self, content, attributes):
        self.content, self.attributes = content, attributes

    def named(self):
        """The elements of a list by name."""
        return dict(zip(self.attributes["names"].content, self.content))


class Reader:
    def __init__(self, data):
        self.data, self.references = data, []
        self.offset = 2  # after the mark "X\n" of the XDR format
        version = self.integer()
        self.offset += 8  # the versions of R that wrote the data and that can read it
        if version == 3:
            self.text()  # the name of the encoding

    def integer(self):
        return self.numbers("i", 1)[0]

    def numbers(self, form, count):
        form = f">{count}{form}"
        values = struct.unpack_from(form, self.data, self.offset)
        self.offset += struct.calcsize(form)
        return list(values)

    def text(self):
        size = self.integer()
        if size < 0:
            return None
        self.offset += size
        return self.data[self.offset - size : self.offset].decode(errors="replace")

    def pairs(self, flags):
        pairs = {}
        while flags & 0xFF not in NULLS:
            if flags & HAS_ATTRIBUTES:
                self.value()
            name = self.value() if flags & HAS_TAG else None
            pairs[name] = self.value()
            flags = self.integer()
        return pairs

    def value(self):
        flags = self.integer()
        kind = flags & 0xFF
        if kind in NULLS:
            return None
        if kind == 255:
            return self.references[(flags >> 8) - 1]
        if kind == 1:
            self.references.append(self.value())
            return self.references[-1]
        if kind == 2:
            return self.pairs(flags)
        if kind == 9:
            return self.text()
        if kind in (10, 13):
            content = self.numbers("i", self.integer())
        elif kind == 14:
            content = self.numbers("d", self.integer())
        elif kind in (16, 19, 20):
            content = [self.value() for _ in range(self.integer())]
        elif kind == 25:
            content = None
        else:
            raise ValueError(f"type {kind} of R is not supported")
        attributes = self.value() if flags & HAS_ATTRIBUTES else None
        return Value(content, attributes or {})


def decompressed(chunk):
    if chunk[4:5] == b"2":
        return bz2.decompress(chunk[5:])
    if chunk[4:5] == b"Z":
        return lzma.decompress(chunk[5:], format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2}])
    return zlib.decompress(chunk[4:])


def read(database, name):
    """Returns a data set. `database` is the path of the database without the endings .rdx and .rdb."""
    with gzip.open(f"{database}.rdx") as file:
        index = Reader(file.read()).value().named()
    offset, size = index["variables"].named()[name].content
    with open(f"{database}.rdb", "rb") as file:
        file.seek(offset)
        return Reader(decompressed(file.read(size))).value()
