"""Writes the vectors in `protocol/vectors` that are our own, from fixed seeds; with `--check` only compares.

`ristretto255.json` is not among them: its values are those of RFC 9496. Every file is a list of tests, each with an `id`,
a `comment`, `flags` that say what it is about, and the `result` a right implementation comes to; bytes are hex."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from escrow_vectors import escrows
from spoils import CONTEXT, Test, add_order, any_proof, flip, invalid, moved, spoilt, valid

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
from p2p_hearts.crypto.void import MASK_BYTES, prove_void
from p2p_hearts.entropy import Entropy

FOLDER = Path(__file__).resolve().parent.parent / "protocol" / "vectors"


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
        "void.json": voids,
        "escrow.json": escrows,
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
        yield valid("the point of a card", "card", card=card, element=card_point(GROUP, card))
    h, hs, _ = generators(GROUP, 104)
    for index in (0, 1, 2, 104):
        yield valid("a generator of the shuffle", "generator", index=index, element=(h, *hs)[index])


def transcripts() -> Iterator[Test]:
    """Streams and challenges."""
    for seed in (b"", bytes(32)):
        stream = seeded(seed)
        yield valid(
            "three calls of 4, 40 and 4 bytes", "stream", seed=seed, calls=[stream(size) for size in (4, 40, 4)]
        )
    items: list[list[bytes]] = [[], [b"public", b"\1\2"], [b"deck", b"\1", b"\2"]]
    transcript = Transcript(GROUP, b"label", CONTEXT)
    for item in items[1:]:
        transcript.append(*item)
    yield valid(
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
    yield valid("an opening", "commitment", **fields)
    yield from spoilt(
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
        yield valid(
            "all nonces in roster order", "joint value", label=b"cut", context=CONTEXT, nonces=nonces, value=value
        )
    for size in (1, 2, 11, 104):
        yield valid("the permutation of a seed", "permutation", seed=CONTEXT, order=list(permutation(CONTEXT, size)))


def signatures() -> Iterator[Test]:
    """Labelled Ed25519 signatures, and keys that are none."""
    key, other = (make_signing_key(seeded(seed)) for seed in (b"signer", b"other"))
    fields: Test = {"public": key.public, "label": b"entry", "data": b"data", "signature": sign(key, b"entry", b"data")}
    yield valid("a signature", "signature", seed=key.seed, **fields)
    yield from spoilt(
        "signature",
        fields,
        ("label", b"chat", "under another label"),
        ("data", b"Data", "other data"),
        ("public", other.public, "another key"),
        ("signature", add_order(fields["signature"]), "s + L in the place of s"),
        ("signature", flip(fields["signature"]), "a flipped bit"),
        ("signature", fields["signature"][:-1], "63 bytes"),
    )
    yield valid("a key of prime order", "identity", public=key.public)
    y, sign_of_x = int.from_bytes(key.public, "little") % 2**255, key.public[31] >> 7
    mixed = (2**255 - 19 - y + ((1 - sign_of_x) << 255)).to_bytes(32, "little")
    yield invalid("a key of order 2L, P + (0, -1)", "identity", public=mixed)
    for comment, encoding in (
        ("order 1", (1).to_bytes(32, "little")),
        ("order 2", (2**255 - 20).to_bytes(32, "little")),
        ("order 4", bytes(32)),
        ("y = p, a second encoding of 0", (2**255 - 19).to_bytes(32, "little")),
        ("no point", (2).to_bytes(32, "little")),
    ):
        yield invalid(comment, "identity", public=encoding)


def proofs() -> Iterator[Test]:
    """Keys, shares and passed cards."""
    entropy = seeded(b"proofs")
    key, other = make_key(GROUP, entropy), make_key(GROUP, entropy)
    fields: Test = {"context": CONTEXT, "public": key.public, "proof": prove_key(GROUP, CONTEXT, key, entropy)}
    zero = HandKey(0, GROUP.identity)
    yield valid("a key and its proof", "key", secret=GROUP.encode_scalar(key.secret), **fields)
    yield from spoilt("key", fields, ("public", other.public, "another key"), *any_proof(fields))
    yield invalid(
        "the identity, rightly proved",
        "key",
        context=CONTEXT,
        public=zero.public,
        proof=prove_key(GROUP, CONTEXT, zero, entropy),
    )
    again = HandKey(0, GROUP.identity[:-1] + b"\x80")
    yield invalid(
        "the identity with its unused bit set, rightly proved",
        "key",
        context=CONTEXT,
        public=again.public,
        proof=prove_key(GROUP, CONTEXT, again, seeded(b"identity")),
    )
    cards = [remask(GROUP, key.public, card, GROUP.random_scalar(entropy)) for card in start_deck(GROUP)[47:50]]
    for count in (1, 3):
        shares, proof = make_shares(GROUP, CONTEXT, key, cards[:count], entropy)
        data = encode_masked(GROUP, cards[:count])
        fields = {"context": CONTEXT, "public": key.public, "cards": data, "shares": b"".join(shares), "proof": proof}
        yield valid(f"shares of {count}", "shares", secret=GROUP.encode_scalar(key.secret), **fields)
        shifted = GROUP.add(shares[0], GROUP.generator)
        yield from spoilt(
            "shares",
            fields,
            ("public", other.public, "of another key"),
            ("shares", b"".join((shifted, *shares[1:])), "another share"),
            ("shares", b"".join((GROUP.identity, *shares[1:])), "the identity as share"),
            ("shares", b"".join(shares[1:]), "a share missing"),
            *any_proof(fields),
        )
    plain_sum = (GROUP.add(shares[0], GROUP.generator), GROUP.sub(shares[1], GROUP.generator), shares[2])
    yield from spoilt("shares", fields, ("shares", b"".join(plain_sum), "two false shares with the right sum"))
    passed, proof = transfer(GROUP, CONTEXT, key, other.public, cards[2], entropy)
    card = encode_masked(GROUP, cards[2:])
    fields = {"context": CONTEXT, "public": key.public, "receiver": other.public, "card": card}
    fields |= {"passed": encode_masked(GROUP, [passed]), "proof": proof}
    yield valid("a passed card", "transfer", secret=GROUP.encode_scalar(key.secret), **fields)
    yield from spoilt(
        "transfer",
        fields,
        ("receiver", key.public, "for another receiver"),
        ("passed", encode_masked(GROUP, [remask(GROUP, other.public, passed, 1)]), "remasked after the proof"),
        ("passed", GROUP.identity + passed.b, "the identity in it"),
        *any_proof(fields),
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
        yield valid(f"a mix of {size}", "shuffle", **fields)
    first, second, *rest = mixed
    yield from spoilt(
        "shuffle",
        fields,
        ("public", GROUP.generator, "under another key"),
        ("deck", fields["mixed"], "from another deck"),
        ("mixed", encode_masked(GROUP, (second, first, *rest)), "two cards swapped"),
        ("mixed", encode_masked(GROUP, (first, first, *rest)), "a card twice"),
        ("mixed", encode_masked(GROUP, (Masked(GROUP.identity, first.b), second, *rest)), "the identity in a card"),
        ("mixed", encode_masked(GROUP, rest), "two cards missing"),
        *any_proof(fields),
    )


def voids() -> Iterator[Test]:
    """Void proofs, over one span and over several."""
    entropy = seeded(b"void")
    key, other = make_key(GROUP, entropy), make_key(GROUP, entropy)
    clubs, diamonds, hearts, spades = (0x1FFF << 13 * suit for suit in range(4))
    jack, queen, king = (1 << card for card in (48, 49, 50))
    for comment, plain, forbidden, allowed, another in (
        ("no diamonds, one card", [12], [20], clubs | hearts | spades, diamonds | hearts | spades),
        ("no diamonds, three cards", [12, 49, 30], [12, 20, 30], clubs | hearts | spades, diamonds | hearts | spades),
        ("hearts only", [26, 38], [26, 48], hearts, spades),
        ("queens of spades only", [49, 49], [49, 48], queen, king),
        ("hearts and the queen", [38, 49], [48, 49], hearts | queen, hearts | king),
        (
            "no spade but the queen",
            [13, 49],
            [13, 48],
            clubs | diamonds | hearts | queen,
            clubs | diamonds | hearts | jack,
        ),
        ("two kinds", [12, 49], [12, 48], 1 << 12 | queen, 1 << 12 | king),
    ):
        fields: Test = {"context": CONTEXT, "public": key.public, "allowed": allowed.to_bytes(MASK_BYTES, "big")}
        honest, lying = (_masked(key, kinds, entropy) for kinds in (plain, forbidden))
        # the prover believes what it is told of the cards
        lie = fields | {"cards": encode_masked(GROUP, lying)}
        lie["proof"] = prove_void(GROUP, CONTEXT, key, lying, plain, allowed, entropy)
        fields["cards"] = encode_masked(GROUP, honest)
        fields["proof"] = prove_void(GROUP, CONTEXT, key, honest, plain, allowed, entropy)
        yield valid(comment, "void", secret=GROUP.encode_scalar(key.secret), plain=plain, **fields)
        yield invalid("a forbidden card, proved as if it were an allowed one", "void", **lie)
        again = [remask(GROUP, key.public, honest[0], 1), *honest[1:]]
        yield from spoilt(
            "void",
            fields,
            ("public", other.public, "of another key"),
            ("allowed", another.to_bytes(MASK_BYTES, "big"), "of another set, whose proofs are as long"),
            ("cards", encode_masked(GROUP, again), "a card remasked"),
            (
                "cards",
                encode_masked(GROUP, [*honest[1:], *honest[:1]]) if honest[1:] else b"",
                "in another order, or none",
            ),
            ("proof", moved(fields["proof"]), "1 taken from the second scalar and given to one in the middle"),
            *any_proof(fields),
        )
    for comment, mask in (("nothing is allowed", 0), ("everything is allowed", 2**52 - 1), ("a kind 52", 1 << 52)):
        yield from spoilt("void", fields, ("allowed", mask.to_bytes(MASK_BYTES, "big"), comment))


def _masked(key: HandKey, kinds: list[int], entropy: Entropy) -> list[Masked]:
    bare = (Masked(GROUP.identity, card_point(GROUP, kind)) for kind in kinds)
    return [remask(GROUP, key.public, card, GROUP.random_scalar(entropy)) for card in bare]


if __name__ == "__main__":
    sys.exit(main())
