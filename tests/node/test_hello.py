"""Hello: who answers, proven, in one question and one answer."""

import asyncio

import pytest

from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.hello import HelloError, IdentityCard, answer_question, encode_question, meet, read_answer
from p2p_hearts.protocol.codec import pack

ME = make_signing_key(seeded(b"m" * 32))
OTHER = make_signing_key(seeded(b"o" * 32))
CARD = IdentityCard(b"t" * 32, ME.public, b"l" * 32, "Ann")
NONCE = b"n" * 32


def answer(card: IdentityCard = CARD, version: str = "1", nonce: bytes = NONCE) -> bytes:
    """What a program of `version` answers to a question of version 1."""
    made = answer_question(encode_question("1", nonce), version, card, ME)
    assert made is not None
    return made


def test_the_card_arrives() -> None:
    """A question of 37 bytes is answered with the card in at most 512 bytes, also with the longest names."""
    assert len(encode_question("1", NONCE)) == 37
    assert read_answer(answer(), "1", NONCE) == CARD
    long = IdentityCard(b"t" * 32, ME.public, b"l" * 32, "\U0001f0d1" * 16)
    assert len(answer(long, "p2p-hearts/1 ristretto255")) <= 512


def test_an_answer_is_signed_for_one_question() -> None:
    """An answer to another nonce, with another identity, key, table or name, is refused."""
    with pytest.raises(HelloError, match="has not signed"):
        read_answer(answer(nonce=b"x" * 32), "1", NONCE)
    for forged in (
        IdentityCard(CARD.table, OTHER.public, CARD.link, CARD.name),
        IdentityCard(CARD.table, CARD.identity, b"k" * 32, CARD.name),
        IdentityCard(b"", CARD.identity, CARD.link, CARD.name),
        IdentityCard(CARD.table, CARD.identity, CARD.link, "Bea"),
    ):
        stolen = answer()[-66:]
        fields = (forged.table, forged.identity, forged.link, forged.name)
        with pytest.raises(HelloError, match="has not signed"):
            read_answer(pack(("1", *fields, stolen[-64:])), "1", NONCE)


def test_identities_of_small_order_are_refused() -> None:
    """Section 6 of joining: an identity is refused unless it lies in the prime-order subgroup."""
    with pytest.raises(HelloError, match="has not signed"):
        read_answer(pack(("1", b"", b"\x01" + bytes(31), b"l" * 32, "Ann", bytes(64))), "1", NONCE)


def test_other_versions_are_answered_and_named() -> None:
    """FD15: a question of another version is answered, and whoever reads the answer sees both versions."""
    with pytest.raises(HelloError, match=r"^That table speaks protocol 2, this program 1\.$") as caught:
        read_answer(answer(version="2"), "1", NONCE)
    assert caught.value.version == "2"
    with pytest.raises(HelloError, match=r"protocol future, this program 1"):
        read_answer(pack(("fut\u202eure", ("anything", 7))), "1", NONCE)


@pytest.mark.parametrize(
    "junk", [b"", b"\xc1", pack(7), pack(("1", b"n")), pack(("1" * 33, NONCE)), pack(("1", NONCE, 0))]
)
def test_other_questions_stay_without_answer(junk: bytes) -> None:
    """What is no question is not answered."""
    assert answer_question(junk, "1", CARD, ME) is None


@pytest.mark.parametrize(
    "junk", [b"", b"HTTP/1.1 400", pack(7), pack(()), pack(("1",)), pack(("1", b"", b"", b"", "", b""))]
)
def test_other_answers_are_refused_in_words(junk: bytes) -> None:
    """What is no answer is refused with a sentence, never with another error."""
    with pytest.raises(HelloError, match=r"^What answers there is no game of ours\.$"):
        read_answer(junk, "1", NONCE)


def test_all_addresses_are_asked_at_once() -> None:
    """FD8: the first good card wins; dead addresses and other answers before it cost no time."""
    dead, strange, live = Endpoint("127.0.0.1", 1), Endpoint("127.0.0.1", 2), Endpoint("127.0.0.1", 3)
    cancelled: list[Endpoint] = []

    async def ask(endpoint: Endpoint, question: bytes, patience_s: float) -> bytes | None:
        if endpoint == dead:
            try:
                await asyncio.sleep(patience_s)
            except asyncio.CancelledError:
                cancelled.append(endpoint)
                raise
            return None
        return answer_question(question, "1" if endpoint == live else "9", CARD, ME)

    async def main() -> None:
        assert await meet(ask, [dead, strange, live], "1", seeded(b"e" * 32), 60.0) == (CARD, live)
        assert cancelled == [dead]
        with pytest.raises(HelloError, match="protocol 9"):
            await meet(ask, [dead, strange], "1", seeded(b"e" * 32), 0.01)
        with pytest.raises(HelloError, match=r"Nobody answers at 127\.0\.0\.1:1\."):
            await meet(ask, [dead], "1", seeded(b"e" * 32), 0.01)
        with pytest.raises(HelloError, match=r"Nobody answers at no address\."):
            await meet(ask, [], "1", seeded(b"e" * 32), 0.01)

    asyncio.run(main())
