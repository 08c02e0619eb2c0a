"""Damaged files: bytes changed, cut, repeated, moved, and words of a format put where they do not belong."""

from hypothesis import strategies as st

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
    return bytes(content)
