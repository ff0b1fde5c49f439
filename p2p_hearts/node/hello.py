"""Hello: how a program learns whom it is about to dial, before there is any encryption.

The asker sends its version and a nonce; the answer holds version, table and an *identity card*: the identity, the CURVE
key of the program, a name, and the identity's signature over all of it and the nonce. The law: nothing of an answer is
believed unless that signature holds, and an answer of another version is never read further than its version. Reading
costs one signature check; making an answer costs one signature and keeps nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from p2p_hearts.crypto.errors import DecodeError, ProofError
from p2p_hearts.crypto.signature import SIGNATURE_BYTES, SigningKey, check_public, sign, verify
from p2p_hearts.entropy import Entropy
from p2p_hearts.node.addresses import Endpoint, endpoint_text
from p2p_hearts.protocol.codec import pack, unpack
from p2p_hearts.protocol.errors import MalformedError
from p2p_hearts.protocol.names import clean

NONCE_BYTES = 32
KEY_BYTES = 32
MAX_VERSION = 32  # characters
PATIENCE_S = 1.5  # for an answer on a local network

_LABEL = b"hello"

Ask: TypeAlias = Callable[[Endpoint, bytes, float], Awaitable[bytes | None]]
"""Sends a question to an endpoint and returns the answer, or None when none comes in so many seconds."""


class HelloError(Exception):
    """Nobody answered as they should; the message is the sentence to show, `version` theirs if it is another one; `silent`
    says that nobody answered at all."""

    def __init__(self, sentence: str, version: str | None = None, *, silent: bool = False) -> None:
        super().__init__(sentence)
        self.version = version
        self.silent = silent


@dataclass(frozen=True, slots=True)
class IdentityCard:
    """Who answers: `table` is the id of the table it sits at, empty when at none; `link` its CURVE key."""

    table: bytes
    identity: bytes
    link: bytes
    name: str


def encode_question(version: str, nonce: bytes) -> bytes:
    """The question, about 45 bytes."""
    return pack((version, nonce))


def answer_question(question: bytes, version: str, card: IdentityCard, me: SigningKey) -> bytes | None:
    """The answer to a question, about 250 bytes, or None when it is no question. A foreign version is answered too, so
    that both versions can be shown."""
    try:
        asked = unpack(question)
    except MalformedError:
        return None
    match asked:
        case (str() as theirs, bytes() as nonce) if len(theirs) <= MAX_VERSION and len(nonce) == NONCE_BYTES:
            fields = (version, card.table, card.identity, card.link, card.name)
            return pack((*fields, sign(me, _LABEL, pack((*fields, nonce)))))
    return None


def read_answer(answer: bytes, version: str, nonce: bytes) -> IdentityCard:
    """The card in an answer to our nonce.

    Raises:
        HelloError: it is of another version, not well formed, or not signed by the identity it names.
    """
    try:
        fields = unpack(answer)
    except MalformedError as error:
        raise HelloError("What answers there is no game of ours.") from error
    match fields:
        case (str() as theirs, *_) if theirs != version and 0 < len(theirs) <= MAX_VERSION:
            theirs = clean(theirs, MAX_VERSION)
            raise HelloError(f"That table speaks protocol {theirs}, this program {version}.", theirs)
        case (str(), bytes() as table, bytes() as identity, bytes() as link, str() as name, bytes() as signature):
            if len(table) in (0, KEY_BYTES) and len(link) == KEY_BYTES and len(signature) == SIGNATURE_BYTES:
                _check_signature(identity, pack((*fields[:-1], nonce)), signature)
                return IdentityCard(table, identity, link, clean(name))
    raise HelloError("What answers there is no game of ours.")


async def meet(
    ask: Ask, endpoints: Sequence[Endpoint], version: str, entropy: Entropy, patience_s: float = PATIENCE_S
) -> tuple[IdentityCard, Endpoint]:
    """Ask at all endpoints at once; the first card that is in order, and where it was found.

    Raises:
        HelloError: no endpoint gave a good answer; a foreign version counts as more telling than silence.
    """
    asking = [asyncio.ensure_future(_meet_one(ask, endpoint, version, entropy, patience_s)) for endpoint in endpoints]
    problem = HelloError(f"Nobody answers at {', '.join(map(endpoint_text, endpoints)) or 'no address'}.", silent=True)
    try:
        for answered in asyncio.as_completed(asking):
            try:
                return await answered
            except HelloError as error:
                if error.version is not None or (problem.version is None and not error.silent):
                    problem = error
    finally:
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
    raise problem


async def _meet_one(
    ask: Ask, endpoint: Endpoint, version: str, entropy: Entropy, patience_s: float
) -> tuple[IdentityCard, Endpoint]:
    nonce = entropy(NONCE_BYTES)
    answer = await ask(endpoint, encode_question(version, nonce), patience_s)
    if answer is None:
        raise HelloError(f"Nobody answers at {endpoint_text(endpoint)}.", silent=True)
    return read_answer(answer, version, nonce), endpoint


def _check_signature(identity: bytes, data: bytes, signature: bytes) -> None:
    try:
        verify(check_public(identity), _LABEL, data, signature)
    except (DecodeError, ProofError) as error:
        raise HelloError("What answers there has not signed its answer.") from error
