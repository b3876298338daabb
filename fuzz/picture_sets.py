"""Small data sets of pictures in each format: the first inputs of their fuzzers (scripts/fuzz)."""

import gzip
import io
import struct
import tarfile


def tar_of(members, layout):
    """A tar file in one of Python's layouts."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=layout) as tar:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def masked_sum(content):
    """The CRC-32C of a TFRecord."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF)


def proto(number, content):
    return bytes([number << 3 | 2, len(content)]) + content


def picture_sets():
    """Small data sets of each format of pictures."""
    members = [("a/x.jpg", b"p" * 600), ("a/x.cls", b"3"), ("b" * 120 + ".png", b"p"), ("b" * 120 + ".cls", b"0\n")]
    tars = [tar_of(members, tarfile.GNU_FORMAT), tar_of(members, tarfile.PAX_FORMAT), tar_of(members[:2], tarfile.USTAR_FORMAT)]
    example = proto(1, proto(1, proto(1, b"image/encoded") + proto(2, proto(1, proto(1, b"p")))) +
                    proto(1, proto(1, b"image/class/label") + proto(2, proto(3, proto(1, b"\x05")))) +
                    proto(1, proto(1, b"label") + proto(2, proto(3, b"\x08\x02"))))
    length = struct.pack("<Q", len(example))
    record = length + masked_sum(length) + example + masked_sum(example)

    def part(kind, content):
        return struct.pack("<II", 0xCED7230A, kind << 29 | len(content)) + content + bytes(-len(content) % 4)

    def labelled(labels, content):
        many = len(labels) if len(labels) > 1 else 0
        return struct.pack("<IfQQ", many, labels[0], 0, 0) + (struct.pack(f"<{many}f", *labels) if many else b"") + content

    whole = part(0, labelled([3], b"picture"))
    faces = part(0, labelled([3, 4], b"")) + part(0, labelled([0], b"a")) + part(0, labelled([1, 1], b"b")) + part(0, labelled([1, 3], b""))
    parts = part(1, labelled([2], b"four")) + part(2, b"") + part(3, b"end")
    index = f"0\t0\n1\t{len(whole)}\n".encode()
    images = bytes([0, 0, 8, 3]) + struct.pack(">III", 2, 2, 3) + bytes(12)
    labels = bytes([0, 0, 8, 1]) + struct.pack(">I", 2) + bytes([1, 9])
    packed = gzip.compress(labels)
    return {"tar_index": tars, "tfrecord": [example, record + record],
            "recordio": [b"\0" + whole, b"\0" + faces, b"\0" + parts + whole, bytes([len(index)]) + index + whole + parts],
            "idx": [bytes([len(labels)]) + labels + images, bytes([len(packed)]) + packed + gzip.compress(images)]}
