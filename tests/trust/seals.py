"""Checksums as the program makes them, so that a test can forge what looks right: of chunks, of results.h5 and of summary.json."""
import json
import struct
from decimal import Decimal

MASK = (1 << 64) - 1


def checksum(data, value=0xCBF29CE484222325):
    """As support/hash.hpp has it."""
    def mix(value, word):
        value = (value ^ word) * 0x9E3779B97F4A7C15 & MASK
        return value ^ value >> 32

    value = mix(value, len(data))
    whole = len(data) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", data[:whole]):
        value = mix(value, word)
    return mix(value, int.from_bytes(data[whole:], "little"))


def seal(data, identity):
    """The last 512 bytes of results.h5 (io/seal.cpp), of all before them."""
    value = checksum(identity.encode())
    for at in range(0, len(data), 1 << 20):
        value = checksum(data[at:at + (1 << 20)], value)
    text = f"conesweep results\nidentity {identity}\nbytes {len(data) + 512}\nchecksum {value:016x}\n".encode()
    return text + bytes(512 - len(text))


def number_text(number):
    """A double with the fewest digits, as summary.json has it."""
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text = "".join(map(str, digits))
    if set(text) == {"0"}:
        return "-0.0" if sign else "0.0"
    point = len(text) + exponent
    if len(text) <= point <= 15:
        body = text + "0" * exponent + ".0"
    elif 0 < point <= 15:
        body = text[:point] + "." + text[point:]
    elif -4 < point <= 0:
        body = "0." + "0" * -point + text
    else:
        body = text[0] + ("." + text[1:] if len(text) > 1 else "") + f"e{point - 1:+03d}"
    return "-" * sign + body


def format_json(value, indent=""):
    """As io/json_text.cpp writes it, without the end of the line."""
    if isinstance(value, float):
        return number_text(value)
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list) and all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in value):
        return "[" + ", ".join(format_json(one) for one in value) + "]"
    children = list(value.values()) if isinstance(value, dict) else value
    one_line = not any(isinstance(child, (dict, list)) for child in children)
    heads = [json.dumps(key, ensure_ascii=False) + ": " for key in value] if isinstance(value, dict) else [""] * len(value)
    items = [head + format_json(child, indent + "  ") for head, child in zip(heads, children)]
    first, last = ("{", "}") if isinstance(value, dict) else ("[", "]")
    if one_line:
        return first + ", ".join(items) + last
    return first + ",".join("\n" + indent + "  " + item for item in items) + "\n" + indent + last


def summary_text(summary):
    """summary.json with a checksum that fits."""
    run = summary.get("run")
    if isinstance(run, dict):
        run.pop("checksum", None)
        run["checksum"] = f"{checksum((format_json({k: v for k, v in summary.items() if k != 'timing'}) + chr(10)).encode()):016x}"
    return format_json(summary) + "\n"
