"""Coming in by invitation: both sides prove that they know it, and nobody else gets more than one guess a run."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.crypto.signature import make_signing_key
from p2p_hearts.crypto.stream import seeded
from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.hello import HelloError, IdentityCard
from p2p_hearts.node.invitations import Invitation, invite_in_text, invite_in_words, password
from p2p_hearts.node.invited import (
    Guest,
    Refused,
    Show,
    Start,
    encode_answer,
    encode_show,
    encode_start,
    guest_card,
    host_card,
    prove,
    read_answer,
    read_question,
)
from p2p_hearts.node.pake import PakeError, begin_as_guest, begin_as_host, finish, prove_key, shows_key
from p2p_hearts.node.reception import Desk, receive, renew
from p2p_hearts.protocol.codec import pack

ANN, BEA, EVE = (make_signing_key(seeded(name * 32)) for name in (b"a", b"b", b"e"))
CARD = IdentityCard(b"t" * 32, ANN.public, b"l" * 32, "Ann")
GUEST = Guest(BEA.public, b"g" * 32, "Bea")
HERE = Endpoint("192.168.1.20", 47104)


def words(secret: bytes = b"right secret") -> Invitation:
    """An invitation in four words."""
    made = invite_in_words([HERE.host], HERE.port, seeded(secret))
    assert made is not None
    return made


RIGHT, WRONG = words(), words(b"another secret")
TEXT = invite_in_text(ANN.public, [HERE.host], HERE.port, seeded(b"text"))


@dataclass
class Host:
    """A host whose desk is asked over a wire that may meddle; time stands still unless it is moved."""

    desk: Desk = field(default_factory=lambda: Desk((RIGHT, TEXT)))
    card: IdentityCard = CARD
    now: float = 1000.0
    proved: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    questions: list[bytes] = field(default_factory=list)
    answers: list[bytes | None] = field(default_factory=list)
    meddle: Callable[[bytes], bytes] = lambda question: question

    async def ask(self, endpoint: Endpoint, question: bytes, patience_s: float) -> bytes | None:
        """The answer to a question."""
        del endpoint, patience_s
        return self.answer(question)

    def answer(self, question: bytes) -> bytes | None:
        """The same at once."""
        question = self.meddle(question)
        reply = receive(self.desk, question, "1", self.card, self.now, seeded(b"host" + question))
        self.desk = reply.desk
        self.questions.append(question)
        self.answers.append(reply.answer)
        self.proved += [] if reply.proved is None else [reply.proved.name]
        self.failed += [] if reply.failed is None else [reply.failed.name]
        return reply.answer


def come_in(host: Host, invitation: Invitation, card: IdentityCard = CARD, entropy: bytes = b"guest") -> str:
    """What Bea is told, or nothing when she is in."""
    try:
        asyncio.run(prove(host.ask, HERE, invitation, card, BEA, GUEST, "1", seeded(entropy), 0.01))
    except HelloError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("invitation", [RIGHT, TEXT])
def test_who_has_the_invitation_comes_in(invitation: Invitation) -> None:
    """Two questions of at most 512 bytes, and host and guest know of each other that they have it."""
    host = Host()
    assert come_in(host, invitation) == ""
    assert (host.proved, host.failed, len(host.questions)) == (["Bea"], [], 2)
    assert all(len(message or b"") <= 512 for message in (*host.questions, *host.answers))


def test_the_longest_names_fit() -> None:
    """Agreement 6: at most 512 bytes each way, with names of sixteen letters of four bytes and a long version."""
    guest = Guest(BEA.public, b"g" * 32, "\U0001f0d1" * 16)
    start = encode_start("p2p-hearts/1/ristretto255 " + "x" * 6, Start(guest, 8, bytes(33)), bytes(32), BEA)
    assert len(start) <= 340


def test_wrong_words_are_said() -> None:
    """Wrong words are refused in one sentence, the host hears who tried, and the right ones still work."""
    host = Host()
    assert (
        come_in(host, WRONG) == "That is not the invitation that is open there: ask the host to read it to you again."
    )
    assert (host.proved, host.failed) == ([], ["Bea"])
    assert come_in(host, RIGHT) == ""


def test_a_form_that_is_not_open_is_wrong() -> None:
    """Only the forms that the host shows count: a secret of 22 bits is none where six words are shown."""
    host = Host(Desk((TEXT,)))
    assert "not the invitation that is open" in come_in(host, RIGHT)
    assert host.failed == ["Bea"]


def test_a_renewed_or_closed_invitation_is_worth_nothing() -> None:
    """After renewing, the old words are wrong; after closing, it is said that none is open."""
    host = Host()
    host.desk = renew(host.desk, (WRONG,))
    assert "not the invitation" in come_in(host, RIGHT)
    assert come_in(host, WRONG) == ""
    host.desk = renew(host.desk, ())
    assert come_in(host, WRONG) == "No invitation is open there any more: ask the host for a new one."


def test_a_run_begun_before_renewing_is_worth_nothing() -> None:
    """What was begun with the old invitation cannot be finished after it was renewed."""
    host = Host()
    begun = begun_run(host)
    host.desk = renew(host.desk, (RIGHT, TEXT))
    assert host.answer(begun) == encode_answer("1", Refused.AGAIN)
    assert host.proved == []


def begun_run(host: Host, seed: bytes = b"x") -> bytes:
    """Bea's second question, right, after her first one was answered."""
    exchange = begin_as_guest(password(RIGHT), guest_card("1", GUEST), host_card("1", CARD), seeded(seed))
    theirs = read_answer(host.answer(encode_start("1", Start(GUEST, 4, exchange.message), CARD.table, BEA)), "1", 33)
    return encode_show("1", Show(theirs, prove_key("guest", finish(exchange, theirs))))


def test_ten_runs_a_minute() -> None:
    """Ten runs a minute from everybody together, then it is said to wait; after a minute the right words work: nobody is
    locked out."""
    host = Host()
    for number in range(10):
        assert "not the invitation" in come_in(host, WRONG, entropy=bytes([number]))
        host.now += 1.0
    assert come_in(host, RIGHT) == "Too many invitations are tried there at the moment: try again in a minute."
    host.desk = renew(host.desk, (RIGHT,))  # a new invitation brings no new tries
    assert "try again in a minute" in come_in(host, RIGHT)
    host.now += 50.0
    assert come_in(host, RIGHT) == ""


def test_one_run_at_a_time() -> None:
    """A new run takes the place of the one under way, whose guest begins again; nobody holds the door by standing in it."""
    host = Host()
    first = begun_run(host, b"first")
    second = begun_run(host, b"second")
    assert host.answer(first) == encode_answer("1", Refused.AGAIN)
    host.answer(second)
    assert host.proved == ["Bea"]


def test_a_displaced_guest_tries_again() -> None:
    """A run that another one has displaced is begun anew by itself."""
    host = Host()
    displaced = 0

    async def ask(endpoint: Endpoint, question: bytes, patience_s: float) -> bytes | None:
        nonlocal displaced
        if isinstance(read_question(question, "1", CARD.table), Show) and displaced == 0:
            displaced += 1
            begun_run(host)
        return await host.ask(endpoint, question, patience_s)

    asyncio.run(prove(ask, HERE, RIGHT, CARD, BEA, GUEST, "1", seeded(b"guest"), 0.01))
    assert (host.proved, displaced) == (["Bea"], 1)


def test_a_run_gives_one_guess() -> None:
    """Whoever has shown a wrong proof cannot show another in the same run, not even the right one."""
    host = Host()
    right = begun_run(host)
    run = right[:-32]
    assert host.answer(run + bytes(32)) == encode_answer("1", Refused.WRONG)
    assert host.answer(right) == encode_answer("1", Refused.WRONG)
    assert host.proved == []


def test_a_run_ends_after_ten_seconds() -> None:
    """A run that is not finished in time is worth nothing."""
    host = Host()
    right = begun_run(host)
    host.now += 10.5
    assert host.answer(right) == encode_answer("1", Refused.AGAIN)


def test_lost_answers_cost_nothing() -> None:
    """A question asked again gets the same answer, and counts as one run and one guest."""
    host = Host()
    right = begun_run(host)
    assert host.answer(host.questions[0]) == host.answers[0]
    assert host.answer(right) == host.answer(right)
    assert (host.proved, len(host.desk.runs)) == (["Bea"], 1)


def test_a_silent_host_is_asked_three_times() -> None:
    """Who gets no answer is told so."""
    asked = []

    async def ask(endpoint: Endpoint, question: bytes, patience_s: float) -> None:
        asked.append((endpoint, question, patience_s))

    with pytest.raises(HelloError, match="does not answer to an invitation"):
        asyncio.run(prove(ask, HERE, RIGHT, CARD, BEA, GUEST, "1", seeded(b"guest"), 0.01))
    assert len(asked) == 3
    assert len(set(asked)) == 1


# Somebody in the middle.


def test_another_card_of_the_host_fails() -> None:
    """Eve answers hello with a card of her own and passes the rest on: the keys differ, and neither side believes."""
    host = Host()
    eve = IdentityCard(CARD.table, EVE.public, b"e" * 32, "Ann")
    assert "not the invitation" in come_in(host, RIGHT, card=eve)
    assert (host.proved, host.failed) == ([], ["Bea"])
    for other in (IdentityCard(CARD.table, ANN.public, b"e" * 32, "Ann"), IdentityCard(CARD.table, ANN.public, b"l" * 32, "Eve")):  # fmt: skip
        assert "not the invitation" in come_in(Host(), RIGHT, card=other)
    assert come_in(Host(), RIGHT, card=IdentityCard(b"x" * 32, ANN.public, b"l" * 32, "Ann")) != ""


@pytest.mark.parametrize(
    "guest",
    [Guest(EVE.public, b"g" * 32, "Bea"), Guest(EVE.public, b"e" * 32, "Eve")],
)
def test_another_card_of_the_guest_fails(guest: Guest) -> None:
    """Eve puts her own card, rightly signed, into Bea's question: the proof of the key does not fit, and Eve is not in."""

    def meddle(question: bytes) -> bytes:
        read = read_question(question, "1", CARD.table)
        if isinstance(read, Start):
            return encode_start("1", Start(guest, read.form, read.message), CARD.table, EVE)
        return question

    host = Host(meddle=meddle)
    assert "not the invitation" in come_in(host, RIGHT)
    assert host.proved == []
    assert host.failed == [guest.name]


def test_a_card_must_be_signed_by_its_identity() -> None:
    """Bea's card in Eve's question, or for another table, is no question at all."""
    exchange = begin_as_guest(b"x", b"", b"", seeded(b"g"))
    start = Start(GUEST, 4, exchange.message)
    assert isinstance(read_question(encode_start("1", start, CARD.table, BEA), "1", CARD.table), Start)
    assert read_question(encode_start("1", start, CARD.table, EVE), "1", CARD.table) is None
    assert read_question(encode_start("1", start, b"x" * 32, BEA), "1", CARD.table) is None


def test_who_only_pretends_to_be_the_host_is_found_out() -> None:
    """A host that does not know the secret cannot show the key, whatever it answers."""

    async def ask(endpoint: Endpoint, question: bytes, patience_s: float) -> bytes | None:
        del endpoint, patience_s
        if isinstance(read_question(question, "1", CARD.table), Start):
            return encode_answer("1", begin_as_host(b"a guess", b"", b"", seeded(b"h")).message)
        return encode_answer("1", bytes(32))

    with pytest.raises(HelloError, match="does not know this invitation"):
        asyncio.run(prove(ask, HERE, RIGHT, CARD, BEA, GUEST, "1", seeded(b"guest"), 0.01))


def test_the_text_names_its_host() -> None:
    """Whoever comes by text or code asks nobody but the key that it names."""
    host = Host()
    other = IdentityCard(CARD.table, EVE.public, b"e" * 32, "Ann")
    assert "not the host that this invitation names" in come_in(host, TEXT, card=other)
    assert host.questions == []


# The exchange.


def test_keys_agree_only_with_password_and_cards() -> None:
    """One secret and the same two cards give one key; anything else two."""

    def key(password: bytes, guest: bytes, host: bytes) -> tuple[bytes, bytes]:
        one = begin_as_guest(b"secret", b"guest", b"host", seeded(b"1"))
        two = begin_as_host(password, guest, host, seeded(b"2"))
        return finish(one, two.message), finish(two, one.message)

    mine, theirs = key(b"secret", b"guest", b"host")
    assert mine == theirs
    assert shows_key("guest", mine, prove_key("guest", theirs))
    assert not shows_key("host", mine, prove_key("guest", theirs))
    for arguments in ((b"Secret", b"guest", b"host"), (b"secret", b"Guest", b"host"), (b"secret", b"guest", b"Host")):
        mine, theirs = key(*arguments)
        assert mine != theirs


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"B" + bytes(31),
        b"A" + bytes(32),
        b"C" + bytes(32),
        b"B\x01" + bytes(31),  # the identity
        b"B" + bytes(32),  # of order 4
        b"B" + b"\xec" + b"\xff" * 30 + b"\x7f",  # of order 2
        b"B" + b"\x02" + bytes(31),  # not on the curve
        b"B" + b"\xff" * 32,
    ],
)
def test_other_messages_are_refused(message: bytes) -> None:
    """What is no point of prime order, or comes from the same side, is refused without another error."""
    with pytest.raises(PakeError):
        finish(begin_as_guest(b"secret", b"", b"", seeded(b"1")), message)


def test_a_message_sent_back_is_refused() -> None:
    """Our own point under the other side's letter is refused."""
    mine = begin_as_guest(b"secret", b"", b"", seeded(b"1"))
    with pytest.raises(PakeError):
        finish(mine, b"B" + mine.message[1:])


@given(st.binary(min_size=33, max_size=33))
def test_any_message_ends_in_a_key_or_an_error(message: bytes) -> None:
    """Whatever 33 bytes arrive, nothing else comes of it."""
    exchange = begin_as_host(b"secret", b"", b"", seeded(b"1"))
    try:
        assert len(finish(exchange, message)) == 32
    except PakeError:
        return


@given(st.one_of(
    st.binary(max_size=512),
    st.tuples(st.text(max_size=33), st.integers(0, 9), st.binary(max_size=33), st.binary(max_size=33), st.text(max_size=17), st.binary(max_size=34), st.binary(max_size=65)).map(pack),
    st.tuples(st.just("1"), st.binary(min_size=32, max_size=34), st.binary(min_size=31, max_size=33)).map(pack),
))  # fmt: skip
def test_any_question_is_answered_or_not(question: bytes) -> None:
    """Whatever arrives at the host's desk, nothing is raised, nobody is let in, and no run is spent on nonsense."""
    reply = receive(Desk((RIGHT,)), question, "1", CARD, 0.0, seeded(b"h"))
    assert reply.proved is None
    assert reply.desk.runs == ()
