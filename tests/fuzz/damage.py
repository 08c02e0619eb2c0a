"""Damaged files: bytes changed, cut, repeated, moved, and words of a format put where they do not belong."""

import copy
import json

from hypothesis import strategies as st

from tests.persistence.helpers import checksum

WORDS = {
    "votable": [
        b"<STREAM href='file:///etc/hostname'/>",
        b"<FITS>",
        b"<!ENTITY a 'b'>",
        b"<TABLE>",
        b"</TR>",
        b'datatype="long"',
        b'arraysize="999999999"',
        b"&a;",
    ],
    "fits": [
        b"NAXIS2  = 999999999999",
        b"TFORM1  = '9999D'",
        b"PCOUNT  = -1",
        b"END",
        b"TFIELDS = 999",
    ],
    "ecsv": [
        b"!!python/object:os.system",
        b"!astropy.time.Time",
        b"# - {name: u, datatype: int64}\n",
    ],
    "csv": [b'"', b",", b"\n", b"\xff", b"=1+1", b"1e999"],
    "model": [b"NaN", b"1e999", b"[" * 50, b'"inf"', b"null", b'"recipe"', b"-1"],
}
COMMON = [b"", b"\0", b"\xff" * 4, b"\xff\xff\xff\x7f", b"\n", b"nan", b"-", b"9" * 30]


@st.composite
def damaged(draw, seeds, form):
    """One of the seeds, with up to four places damaged."""
    content = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(0, len(content) - 1)))
        length = draw(st.integers(0, 16))
        match draw(st.sampled_from(["change", "bit", "word", "cut", "remove", "repeat"])):
            case "change":
                content[place : place + length] = draw(st.binary(max_size=16))
            case "bit" if content:
                content[place] ^= 1 << draw(st.integers(0, 7))
            case "word":
                content[place : place + length] = draw(
                    st.sampled_from(COMMON + WORDS.get(form, []))
                )
            case "cut":
                del content[place:]
            case "remove":
                del content[place : place + 8 * length]
            case _:
                content[place:place] = content[place : place + 8 * length]
    return sealed(bytes(content)) if form == "model" and draw(st.booleans()) else bytes(content)


def sealed(content):
    """A damaged model with a checksum that is right: else none would get past it to what reads the model."""
    try:
        document = json.loads(content)
        document["sha256"] = checksum(document["content"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return content
    return json.dumps(document).encode()


WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "inf", "-inf", "nan", "exact", "u - ", "\0", "x" * 3000]),
    st.sampled_from([[], {}, [[]], [[1.0], []], {"name": "exact", "settings": {}}]),
)


@st.composite
def misfilled(draw, seeds):
    """A model that is JSON as it should be, with a right checksum, and up to three values in it that are wrong."""
    document = json.loads(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(1, 3))):
        holder, key = None, None
        inner = document["content"]
        while isinstance(inner, dict | list) and inner:
            keys = sorted(inner) if isinstance(inner, dict) else list(range(len(inner)))
            holder, key = inner, draw(st.sampled_from(keys))
            inner = inner[key]
            if draw(st.integers(0, 3)) == 0:
                break
        if holder is None:
            break
        match draw(st.sampled_from(["change", "change", "remove", "repeat"])):
            case "remove":
                del holder[key]
            case "repeat" if isinstance(holder, list):
                holder.append(holder[key])
            case _:
                holder[key] = copy.deepcopy(draw(WRONG))  # it may be filled further
    return sealed(json.dumps(document).encode())
