#!/usr/bin/env python3
"""Writes the folding table of the CText module from Python's own Unicode data.

    python3 Tools/foldtable.py > Sources/C/CText/FoldTable.h

The table gives, for each scalar, four forms in UTF-8 (see Sources/C/CText/Fold.c for their use):

    n   canonical decomposition
    c   n with the case folded (full folding: the sharp s becomes ss)
    d   n without the diacritics
    cd  d with the case folded

and its canonical combining class. Hangul syllables are composed by rule and have no entries.
Diacritics are the marks of the general ranges below. Marks that belong to one script (kana voicing,
Indic signs, Hebrew and Arabic points) make other letters there and stay.
"""
import sys
import unicodedata

DIACRITICS = [(0x300, 0x36F), (0x483, 0x489), (0x1AB0, 0x1ACE), (0x1DC0, 0x1DFF),
              (0x20D0, 0x20F0), (0xFE20, 0xFE2F)]
LIMIT, BLOCK = 0x30000, 64
IOTA_SUBSCRIPT = 0x345
DROPPED, ATTACHED, MARKS_INSIDE = 1, 2, 4


def is_diacritic(scalar):
    return any(low <= scalar <= high for low, high in DIACRITICS)


def decompose(text):
    return unicodedata.normalize("NFD", text)


def fold_case(text):
    """Folds a decomposed text; the iota subscript stays a mark, Fold.c turns it into a letter."""
    folded = ""
    for char in text:
        form = char if ord(char) == IOTA_SUBSCRIPT else decompose(char.casefold())
        if unicodedata.combining(char):
            assert form == char, f"U+{ord(char):04X} is a mark that folds"
        else:
            assert not any(map(unicodedata.combining, form)), f"U+{ord(char):04X} folds to marks"
        folded += form
    return folded


def has_marks(text):
    return any(unicodedata.combining(char) for char in text)


def record(scalar, pool):
    char = chr(scalar)
    canonical = decompose(char)
    dropped = all(is_diacritic(ord(part)) for part in canonical)
    plain = canonical if dropped else "".join(
        part for part in canonical if not is_diacritic(ord(part)))
    forms = [canonical, fold_case(canonical), plain, fold_case(plain)]
    first = canonical[0]
    jamo = 0x1161 <= scalar <= 0x1175 or 0x11A8 <= scalar <= 0x11C2
    attached = dropped or jamo or unicodedata.combining(first) != 0
    flags = DROPPED * dropped | ATTACHED * attached
    offsets = []
    for index, form in enumerate(forms):
        assert len(form.encode()) <= 3 * len(char.encode()), f"U+{scalar:04X} grows too much"
        if form == char:
            offsets.append(0)
            continue
        if has_marks(form):
            flags |= MARKS_INSIDE << index
        data = form.encode()
        data = bytes([len(data)]) + data
        at = pool.find(data, 1)
        if at < 0:
            at = len(pool)
            pool.extend(data)
        offsets.append(at)
    return tuple(offsets) + (unicodedata.combining(char), flags)


def rows(values, width=100):
    line = "    "
    for value in values:
        piece = f"{value},"
        if len(line) + len(piece) > width:
            yield line
            line = "    "
        line += piece
    yield line


def main():
    pool = bytearray(1)
    unchanged = (0, 0, 0, 0, 0, 0)
    records = {unchanged: 0}
    blocks, index, leaves = {}, [], []
    for start in range(0, LIMIT, BLOCK):
        block = []
        for scalar in range(start, start + BLOCK):
            surrogate = 0xD800 <= scalar < 0xE000
            hangul = 0xAC00 <= scalar <= 0xD7A3
            found = unchanged if surrogate or hangul else record(scalar, pool)
            block.append(records.setdefault(found, len(records)))
        block = tuple(block)
        if block not in blocks:
            blocks[block] = len(blocks)
            leaves.extend(block)
        index.append(blocks[block])
    pool.extend(bytes(3))  # Fold.c reads four bytes of a form, however short
    assert len(pool) < 65536 and len(records) < 65536 and len(blocks) < 65536
    print(f"// Written by Tools/foldtable.py from Unicode {unicodedata.unidata_version};"
          " change the script, not this file.")
    print(f"enum {{ FOLD_LIMIT = {LIMIT}, FOLD_BLOCK_BITS = {BLOCK.bit_length() - 1} }};")
    print("enum { FOLD_DROPPED = 1, FOLD_ATTACHED = 2, FOLD_MARKS_INSIDE = 4 };")
    print("typedef struct { uint16_t forms[4]; uint8_t combining_class, flags; } fold_record;")
    for kind, name, values in [("uint16_t", "fold_index", index),
                               ("uint16_t", "fold_leaves", leaves),
                               ("uint8_t", "fold_pool", pool)]:
        print(f"static const {kind} {name}[] = {{")
        print("\n".join(rows(values, 320)))
        print("};")
    print("static const fold_record fold_records[] = {")
    print("\n".join(rows(["{{%d,%d,%d,%d},%d,%d}" % found for found in records], 320)))
    print("};")
    size = 2 * len(index) + 2 * len(leaves) + len(pool) + 10 * len(records)
    print(f"{len(records)} records, {len(blocks)} blocks, {size} bytes", file=sys.stderr)


main()
