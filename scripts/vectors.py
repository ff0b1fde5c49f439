"""Writes the vectors in `protocol/vectors` that are our own, from fixed seeds; with `--check` only compares.

`ristretto255.json` is not among them: its values are those of RFC 9496. Every file is a list of tests, each with an `id`,
a `comment`, `flags` that say what it is about, and the `result` a right implementation comes to; bytes are hex."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from p2p_hearts.crypto.commitment import commit, joint_value, permutation
from p2p_hearts.crypto.group import RISTRETTO255 as GROUP
from p2p_hearts.crypto.keys import HandKey, make_key, prove_key
from p2p_hearts.crypto.masking import Masked, card_point, encode_masked, remask, start_deck
from p2p_hearts.crypto.reveal import make_shares
from p2p_hearts.crypto.shuffle import generators, mix
from p2p_hearts.crypto.signature import make_signing_key, sign
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.crypto.transfer import transfer

FOLDER = Path(__file__).resolve().parent.parent / "protocol" / "vectors"
CONTEXT = bytes(range(32))
Test: TypeAlias = dict[str, Any]
Field: TypeAlias = tuple[str, bytes, str]  # which field to replace, by what, and the comment


def main() -> int:
    """Writes or compares every file; 1 if one differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say which file differs")
    check = parser.parse_args().check
    stale = 0
    for name, text in documents().items():
        if not check:
            (FOLDER / name).write_text(text, "utf-8", newline="\n")
        elif (FOLDER / name).read_text("utf-8") != text:
            print(f"{name} differs")
            stale = 1
    return stale


def documents() -> dict[str, str]:
    """Every file by its name."""
    makers: dict[str, Callable[[], Iterator[Test]]] = {
        "points.json": points,
        "transcript.json": transcripts,
        "commitments.json": commitments,
        "signatures.json": signatures,
        "proofs.json": proofs,
        "shuffle.json": shuffles,
    }
    return {
        name: json.dumps(
            {
                "source": "scripts/vectors.py",
                "group": GROUP.name,
                "tests": [{"id": number} | test for number, test in enumerate(make(), 1)],
            },
            indent=1,
        )
        + "\n"
        for name, make in makers.items()
    }


def points() -> Iterator[Test]:
    """The points of the cards and the generators of the shuffle."""
    for card in range(52):
        yield _valid("the point of a card", "card", card=card, element=card_point(GROUP, card))
    h, hs, _ = generators(GROUP, 104)
    for index in (0, 1, 2, 104):
        yield _valid("a generator of the shuffle", "generator", index=index, element=(h, *hs)[index])


def transcripts() -> Iterator[Test]:
    """Streams and challenges."""
    for seed in (b"", bytes(32)):
        stream = seeded(seed)
        yield _valid(
            "three calls of 4, 40 and 4 bytes", "stream", seed=seed, calls=[stream(size) for size in (4, 40, 4)]
        )
    items: list[list[bytes]] = [[], [b"public", b"\1\2"], [b"deck", b"\1", b"\2"]]
    transcript = Transcript(GROUP, b"label", CONTEXT)
    for item in items[1:]:
        transcript.append(*item)
    yield _valid(
        "items appended, then one challenge of 64 bytes, then two of 16",
        "challenge",
        label=b"label",
        context=CONTEXT,
        items=items[1:],
        challenge=GROUP.encode_scalar(transcript.challenge()),
        weights=[weight.to_bytes(16, "little") for weight in transcript.challenges(2, 16)],
    )


def commitments() -> Iterator[Test]:
    """Commitments, joint values and permutations."""
    fields: Test = {"label": b"key", "context": CONTEXT, "value": b"value", "salt": CONTEXT[::-1]}
    fields["commitment"] = commit(**fields)
    yield _valid("an opening", "commitment", **fields)
    yield from _spoilt(
        "commitment",
        fields,
        ("label", b"cut", "opened under another label"),
        ("context", CONTEXT[::-1], "opened in another context"),
        ("value", b"Value", "another value"),
        ("salt", CONTEXT, "another salt"),
        ("salt", CONTEXT[:31], "a salt of 31 bytes"),
        ("commitment", fields["commitment"][:31], "31 bytes"),
    )
    for nonces in ([b"one"], [b"one", b"two"], [b"two", b"one"]):
        value = joint_value(b"cut", CONTEXT, nonces)
        yield _valid(
            "all nonces in roster order", "joint value", label=b"cut", context=CONTEXT, nonces=nonces, value=value
        )
    for size in (1, 2, 11, 104):
        yield _valid("the permutation of a seed", "permutation", seed=CONTEXT, order=list(permutation(CONTEXT, size)))


def signatures() -> Iterator[Test]:
    """Labelled Ed25519 signatures, and keys that are none."""
    key, other = (make_signing_key(seeded(seed)) for seed in (b"signer", b"other"))
    fields: Test = {"public": key.public, "label": b"entry", "data": b"data", "signature": sign(key, b"entry", b"data")}
    yield _valid("a signature", "signature", seed=key.seed, **fields)
    yield from _spoilt(
        "signature",
        fields,
        ("label", b"chat", "under another label"),
        ("data", b"Data", "other data"),
        ("public", other.public, "another key"),
        ("signature", _add_order(fields["signature"]), "s + L in the place of s"),
        ("signature", _flip(fields["signature"]), "a flipped bit"),
        ("signature", fields["signature"][:-1], "63 bytes"),
    )
    yield _valid("a key of prime order", "identity", public=key.public)
    y, sign_of_x = int.from_bytes(key.public, "little") % 2**255, key.public[31] >> 7
    mixed = (2**255 - 19 - y + ((1 - sign_of_x) << 255)).to_bytes(32, "little")
    yield _invalid("a key of order 2L, P + (0, -1)", "identity", public=mixed)
    for comment, encoding in (
        ("order 1", (1).to_bytes(32, "little")),
        ("order 2", (2**255 - 20).to_bytes(32, "little")),
        ("order 4", bytes(32)),
        ("y = p, a second encoding of 0", (2**255 - 19).to_bytes(32, "little")),
        ("no point", (2).to_bytes(32, "little")),
    ):
        yield _invalid(comment, "identity", public=encoding)


def proofs() -> Iterator[Test]:
    """Keys, shares and passed cards."""
    entropy = seeded(b"proofs")
    key, other = make_key(GROUP, entropy), make_key(GROUP, entropy)
    fields: Test = {"context": CONTEXT, "public": key.public, "proof": prove_key(GROUP, CONTEXT, key, entropy)}
    zero = HandKey(0, GROUP.identity)
    yield _valid("a key and its proof", "key", secret=GROUP.encode_scalar(key.secret), **fields)
    yield from _spoilt("key", fields, ("public", other.public, "another key"), *_any_proof(fields))
    yield _invalid(
        "the identity, rightly proved",
        "key",
        context=CONTEXT,
        public=zero.public,
        proof=prove_key(GROUP, CONTEXT, zero, entropy),
    )
    cards = [remask(GROUP, key.public, card, GROUP.random_scalar(entropy)) for card in start_deck(GROUP)[47:50]]
    for count in (1, 3):
        shares, proof = make_shares(GROUP, CONTEXT, key, cards[:count], entropy)
        data = encode_masked(GROUP, cards[:count])
        fields = {"context": CONTEXT, "public": key.public, "cards": data, "shares": b"".join(shares), "proof": proof}
        yield _valid(f"shares of {count}", "shares", secret=GROUP.encode_scalar(key.secret), **fields)
        shifted = GROUP.add(shares[0], GROUP.generator)
        yield from _spoilt(
            "shares",
            fields,
            ("public", other.public, "of another key"),
            ("shares", b"".join((shifted, *shares[1:])), "another share"),
            ("shares", b"".join((GROUP.identity, *shares[1:])), "the identity as share"),
            ("shares", b"".join(shares[1:]), "a share missing"),
            *_any_proof(fields),
        )
    plain_sum = (GROUP.add(shares[0], GROUP.generator), GROUP.sub(shares[1], GROUP.generator), shares[2])
    yield from _spoilt("shares", fields, ("shares", b"".join(plain_sum), "two false shares with the right sum"))
    passed, proof = transfer(GROUP, CONTEXT, key, other.public, cards[2], entropy)
    card = encode_masked(GROUP, cards[2:])
    fields = {"context": CONTEXT, "public": key.public, "receiver": other.public, "card": card}
    fields |= {"passed": encode_masked(GROUP, [passed]), "proof": proof}
    yield _valid("a passed card", "transfer", secret=GROUP.encode_scalar(key.secret), **fields)
    yield from _spoilt(
        "transfer",
        fields,
        ("receiver", key.public, "for another receiver"),
        ("passed", encode_masked(GROUP, [remask(GROUP, other.public, passed, 1)]), "remasked after the proof"),
        ("passed", GROUP.identity + passed.b, "the identity in it"),
        *_any_proof(fields),
    )


def shuffles() -> Iterator[Test]:
    """Mixes of one, three and nine cards."""
    entropy = seeded(b"shuffle")
    key = make_key(GROUP, entropy)
    for size in (1, 3, 9):
        deck = [remask(GROUP, key.public, card, GROUP.random_scalar(entropy)) for card in start_deck(GROUP)[:size]]
        mixed, proof = mix(GROUP, CONTEXT, key.public, deck, entropy)
        fields: Test = {"context": CONTEXT, "public": key.public, "deck": encode_masked(GROUP, deck)}
        fields |= {"mixed": encode_masked(GROUP, mixed), "proof": proof}
        yield _valid(f"a mix of {size}", "shuffle", **fields)
    first, second, *rest = mixed
    yield from _spoilt(
        "shuffle",
        fields,
        ("public", GROUP.generator, "under another key"),
        ("deck", fields["mixed"], "from another deck"),
        ("mixed", encode_masked(GROUP, (second, first, *rest)), "two cards swapped"),
        ("mixed", encode_masked(GROUP, (first, first, *rest)), "a card twice"),
        ("mixed", encode_masked(GROUP, (Masked(GROUP.identity, first.b), second, *rest)), "the identity in a card"),
        ("mixed", encode_masked(GROUP, rest), "two cards missing"),
        *_any_proof(fields),
    )


def _valid(comment: str, flag: str, **fields: Any) -> Test:
    return _test("valid", comment, flag, fields)


def _invalid(comment: str, flag: str, **fields: Any) -> Test:
    return _test("invalid", comment, flag, fields)


def _test(result: str, comment: str, flag: str, fields: Test) -> Test:
    return {"comment": comment, "flags": [flag], "result": result} | {
        name: _plain(field) for name, field in fields.items()
    }


def _spoilt(flag: str, fields: Test, *spoils: Field) -> Iterator[Test]:
    """One invalid test for each field spoilt."""
    for name, value, comment in spoils:
        yield _invalid(comment, flag, **(fields | {name: value}))


def _any_proof(fields: Test) -> tuple[Field, ...]:
    proof: bytes = fields["proof"]
    return (
        ("context", CONTEXT[::-1], "in another context"),
        ("proof", _flip(proof), "a flipped bit at its head"),
        ("proof", _flip(proof[::-1])[::-1], "a flipped bit at its end"),
        ("proof", _add_order(proof), "s + L in the place of the last scalar"),
        ("proof", proof[:-32], "a scalar missing"),
        ("proof", proof + bytes(32), "a scalar too many"),
    )


def _flip(data: bytes) -> bytes:
    return bytes((data[0] ^ 1,)) + data[1:]


def _add_order(data: bytes) -> bytes:
    last = int.from_bytes(data[-32:], "little") + GROUP.order
    return data[:-32] + last.to_bytes(32, "little")


def _plain(field: Any) -> Any:
    if isinstance(field, bytes):
        return field.hex()
    return [_plain(each) for each in field] if isinstance(field, list) else field


if __name__ == "__main__":
    sys.exit(main())
