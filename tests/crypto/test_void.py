"""A void proof is one of all cards together: it exists when all are allowed, and cannot be made when one is not."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import pytest

from p2p_hearts.bench.proofs import CountingGroup
from p2p_hearts.cards import cards_in, mask_of, parse_card
from p2p_hearts.crypto import void
from p2p_hearts.crypto.disjunction import Known, prove_choices
from p2p_hearts.crypto.errors import CryptoError, DecodeError, ProofError
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.keys import HandKey, make_key
from p2p_hearts.crypto.masking import Masked, card_point, remask
from p2p_hearts.crypto.void import proof_bytes, prove_void, verify_void
from p2p_hearts.entropy import Entropy
from p2p_hearts.hearts.hand import begin
from p2p_hearts.hearts.options import resolve
from p2p_hearts.hearts.play import implied_voids
from p2p_hearts.simulation.tiny_group import TINY

Spoil = Callable[[bytes], Iterator[bytes]]

ALL = 2**52 - 1
CLUBS, DIAMONDS, HEARTS, SPADES = (0x1FFF << 13 * suit for suit in range(4))
QUEEN = 1 << 49
CLAIMS = {  # what the rules can make a player claim to hold nothing but, and the scalars of a proof about n cards
    "no clubs": (DIAMONDS | HEARTS | SPADES, (11, 0)),
    "no diamonds": (CLUBS | HEARTS | SPADES, (11, 0)),
    "no hearts": (CLUBS | DIAMONDS | SPADES, (11, 0)),
    "no spades": (CLUBS | DIAMONDS | HEARTS, (11, 0)),
    "hearts": (HEARTS, (9, 0)),
    "the queen": (QUEEN, (3, 0)),
    "points": (HEARTS | QUEEN, (1, 11)),
    "no spade but the queen": (CLUBS | DIAMONDS | HEARTS | QUEEN, (1, 13)),
}
OTHERS = {  # what voids known before make of them, and what no rule asks for
    "two suits": (HEARTS | SPADES, (10, 0)),
    "diamonds and the queen": (DIAMONDS | QUEEN, (1, 11)),
    "two suits and two kinds": (CLUBS | HEARTS | QUEEN | 1 << 50, (1, 15)),
    "three kinds": (mask_of(map(parse_card, ("2C", "AD", "QS"))), (1, 8)),
}
SETS = CLAIMS | OTHERS
ONE_SPAN = "no spades"
SEVERAL = "points"


@dataclass(frozen=True, slots=True)
class Case:
    """Masked cards, what they are, and a proof of what they are among."""

    group: Group
    context: bytes
    key: HandKey
    plain: tuple[int, ...]
    cards: tuple[Masked, ...]
    allowed: int
    proof: bytes = b""

    def verify(self) -> None:
        """Verifies the proof."""
        verify_void(self.group, self.context, self.key.public, self.cards, self.allowed, self.proof)

    def refused(self) -> None:
        """The proof does not verify."""
        with pytest.raises(ProofError):
            self.verify()


def _mask(group: Group, public: bytes, plain: Sequence[int], entropy: Entropy) -> tuple[Masked, ...]:
    bare = (Masked(group.identity, card_point(group, card)) for card in plain)
    return tuple(remask(group, public, card, group.random_scalar(entropy)) for card in bare)


def _case(group: Group, context: bytes, allowed: int, plain: Sequence[int], entropy: Entropy) -> Case:
    """Cards, and the real proof if it can be made."""
    key = make_key(group, entropy)
    case = Case(group, context, key, tuple(plain), _mask(group, key.public, plain, entropy), allowed)
    return _proved(case, entropy) if all(allowed >> card & 1 for card in plain) else case


def _proved(case: Case, entropy: Entropy) -> Case:
    proof = prove_void(case.group, case.context, case.key, case.cards, case.plain, case.allowed, entropy)
    return replace(case, proof=proof)


def _forged(case: Case, pretended: Sequence[int], entropy: Entropy, *, secret: int | None = None) -> Case:
    """The proof of a prover who answers as if his cards were `pretended`, and his key's secret another."""
    group, key, cards, allowed = case.group, case.key, case.cards, case.allowed
    x = key.secret if secret is None else secret
    spans = void.spans_of(group, allowed)
    transcript, weights = void._statement(group, case.context, key.public, cards, allowed)
    choices = void._choices(group, key.public, cards, spans, weights)
    places = [next(at for at, span in enumerate(spans) if span.kinds >> card & 1) for card in pretended]
    parts = [void._coordinates(spans[at], card) for at, card in zip(places, pretended, strict=True)]
    if len(spans) == 1:
        places, parts = [0], [void._weighted_sum(weights, parts)]
    known = [Known(at, (x, *part)) for at, part in zip(places, parts, strict=True)]
    return replace(case, proof=prove_choices(transcript, choices, known, entropy))


def _some(allowed: int, count: int) -> list[int]:
    """So many cards, of as many of the allowed kinds as there are, spread over all of them."""
    kinds = cards_in(allowed)
    return [kinds[number * 7 % len(kinds)] for number in range(count)]


@pytest.fixture(params=[ONE_SPAN, SEVERAL])
def case(request: pytest.FixtureRequest, group: Group, entropy: Entropy, context: bytes) -> Case:
    """Four cards and their proof, once for each way to compose it."""
    allowed, _ = SETS[request.param]
    return _case(group, context, allowed, (26, 38, 30, 49 if request.param == SEVERAL else 5), entropy)


def test_the_claims_are_those_of_the_rules() -> None:
    """What the rules let nobody hold beside a card played, at all options and in all positions, is what is tested here."""
    claimed = set()
    for name in ("first_trick_points", "hearts_must_break", "lead_hearts_over_queen"):
        for value in (False, True):
            for other in (False, True):
                options = resolve("as_written", {"first_trick_points": other, name: value}, 6)
                start = begin(options, 6, 0, 1)
                for trick in (1, 2):
                    for broken in (False, True):
                        for table in ((), (0,), (13,), (26,), (39,)):
                            hand = replace(start, trick=trick, broken=broken, table=table)
                            claimed |= {implied_voids(hand, card) for card in range(52)}
    assert {ALL & ~claim for claim in claimed if claim} == {allowed for allowed, _ in CLAIMS.values()}


@pytest.mark.parametrize("name", SETS)
def test_every_claim_about_every_hand(group: Group, entropy: Entropy, context: bytes, name: str) -> None:
    """One to seventeen allowed cards are proved to be allowed, in a proof of one length."""
    allowed, (fixed, each) = SETS[name]
    for count in range(1, 18):
        case = _case(group, context, allowed, _some(allowed, count), entropy)
        case.verify()
        assert len(case.proof) == (fixed + each * count) * group.scalar_bytes
        assert len(case.proof) == proof_bytes(group, count, allowed)


@pytest.mark.parametrize("name", SETS)
def test_every_card(entropy: Entropy, context: bytes, name: str) -> None:
    """A card that is allowed is proved; one that is not is neither proved nor forged, as whichever card it is shown."""
    allowed, _ = SETS[name]
    shown = [cards_in(span.kinds)[0] for span in void.spans_of(TINY, allowed)]
    for card in range(52):
        case = _case(TINY, context, allowed, [card], entropy)
        if allowed >> card & 1:
            case.verify()
            continue
        with pytest.raises(ProofError):
            _proved(case, entropy)
        for pretended in shown:
            _forged(case, [pretended], entropy).refused()


def test_the_first_kind_alone(group: Group, entropy: Entropy, context: bytes) -> None:
    """A claim can allow one kind, also the 2 of clubs, whose mask is 1; to allow none or all is no claim."""
    _case(group, context, 1, [0, 0], entropy).verify()
    for allowed in (0, ALL):
        with pytest.raises(ProofError, match="no claim"):
            void.spans_of(group, allowed)


@pytest.mark.parametrize("name", CLAIMS)
def test_one_card_among_many(group: Group, entropy: Entropy, context: bytes, name: str) -> None:
    """A card that is not allowed spoils the proof wherever it is among nine, first and last included."""
    allowed, _ = CLAIMS[name]
    right = _some(allowed, 9)
    forbidden = next(card for card in (48, 12, 20, 26) if not allowed >> card & 1)  # JS, AC, 9D, 2H
    for place in (0, 4, 8):
        plain = [*right[:place], forbidden, *right[place + 1 :]]
        case = _case(group, context, allowed, plain, entropy)
        _forged(case, right, entropy).refused()


def test_the_nearest_cards(group: Group, entropy: Entropy, context: bytes) -> None:
    """A card that shares two of its three points with the queen of spades, or its rank, is not the queen."""
    for near in map(parse_card, ("JS", "KS", "8S", "4S", "QH")):
        for allowed, pretended in ((QUEEN, [49, 49]), (CLUBS | QUEEN, [49, 49]), (CLUBS | QUEEN, [10, 49])):
            case = _case(group, context, allowed, [near, 49], entropy)
            _forged(case, pretended, entropy).refused()


def test_forbidden_cards_do_not_cancel(group: Group, entropy: Entropy, context: bytes) -> None:
    """Two cards moved apart by one point, whose plain sum is allowed, are found by their weights."""
    honest = _case(group, context, HEARTS, [26, 27, 28, 29], entropy)
    for first, second in ((0, 1), (2, 3)):
        cards = list(honest.cards)
        spade = group.sub(card_point(group, 39), card_point(group, 26))
        cards[first] = Masked(cards[first].a, group.add(cards[first].b, spade))
        cards[second] = Masked(cards[second].a, group.sub(cards[second].b, spade))
        assert group.sum([card.b for card in cards]) == group.sum([card.b for card in honest.cards])
        _forged(replace(honest, cards=tuple(cards)), honest.plain, entropy).refused()


def test_a_wrong_branch(group: Group, entropy: Entropy, context: bytes) -> None:
    """A heart shown as the queen, the queen as a heart, is allowed and yet not proved: the branch has to be the true one."""
    case = _case(group, context, HEARTS | QUEEN, [26, 49, 38], entropy)
    case.verify()
    for pretended in ([49, 49, 38], [26, 36, 38], [49, 26, 38]):
        _forged(case, pretended, entropy).refused()


@pytest.mark.parametrize("name", [ONE_SPAN, SEVERAL])
def test_a_wrong_key(group: Group, entropy: Entropy, context: bytes, name: str) -> None:
    """Cards that another key masks are not proved, neither with its secret nor with one's own."""
    allowed, _ = SETS[name]
    case, other = _case(group, context, allowed, [26, 30], entropy), make_key(group, entropy)
    strange = replace(case, cards=_mask(group, other.public, case.plain, entropy))
    _forged(strange, case.plain, entropy).refused()
    _forged(strange, case.plain, entropy, secret=other.secret).refused()
    _forged(case, case.plain, entropy, secret=other.secret).refused()
    _forged(replace(case, key=HandKey(case.key.secret, other.public)), case.plain, entropy).refused()
    _forged(case, case.plain, entropy).verify()


def test_cards_not_looked_at(case: Case, entropy: Entropy) -> None:
    """A card unmasked with a multiple of another, or with no secret at all, is not shown to be allowed."""
    group = case.group
    cards = (Masked(case.cards[0].a, group.add(case.cards[0].b, case.cards[1].a)), *case.cards[1:])
    _forged(replace(case, cards=cards), case.plain, entropy).refused()
    _forged(case, case.plain, entropy, secret=0).refused()


def test_a_proof_belongs_to_one_statement(case: Case, entropy: Entropy) -> None:
    """In another context, for another key, another set, cards in another order, one more, less or other, a proof fails."""
    group, cards, allowed = case.group, case.cards, case.allowed
    again = remask(group, case.key.public, cards[0], 5)
    of_equal_length = CLUBS | HEARTS | SPADES if allowed == SETS[ONE_SPAN][0] else HEARTS | 1 << 50
    for other in (
        replace(case, context=case.context[::-1]),
        replace(case, key=make_key(group, entropy)),
        replace(case, cards=cards[::-1]),
        replace(case, cards=(cards[1], cards[0], *cards[2:])),
        replace(case, cards=(again, *cards[1:])),
        replace(case, cards=(cards[1], *cards[1:])),
        replace(case, cards=(Masked(cards[0].b, cards[0].a), *cards[1:])),
        replace(case, allowed=of_equal_length),
    ):
        other.refused()
    for cut in (cards[:3], (*cards, again)):
        with pytest.raises(CryptoError):
            replace(case, cards=cut).verify()


def test_no_claim_follows_from_another(group: Group, entropy: Entropy, context: bytes) -> None:
    """A proof of a set is none of a larger set, nor of one whose proofs are as long."""
    for proved, claimed in ((HEARTS, HEARTS | CLUBS), (CLUBS, HEARTS), (QUEEN, 1 << 50), (HEARTS | QUEEN, HEARTS | 1)):
        case = _case(group, context, proved, [cards_in(proved)[0]], entropy)
        with pytest.raises(CryptoError):
            replace(case, allowed=claimed).verify()


def test_spoilt_proofs(case: Case, spoil: Spoil, second_encodings: Spoil) -> None:
    """No field can be changed, left out, added or written in a second way."""
    for spoilt in (*spoil(case.proof), *second_encodings(case.proof)):
        with pytest.raises(CryptoError):
            replace(case, proof=spoilt).verify()


def test_exchanged_fields(case: Case) -> None:
    """No two neighbouring fields of a proof can change places."""
    size, proof = case.group.scalar_bytes, case.proof
    fields = [proof[at : at + size] for at in range(0, len(proof), size)]
    for at in range(len(fields) - 1):
        exchanged = [*fields[:at], fields[at + 1], fields[at], *fields[at + 2 :]]
        with pytest.raises(ProofError):
            replace(case, proof=b"".join(exchanged)).verify()


def test_challenges_moved_between_branches(group: Group, entropy: Entropy, context: bytes) -> None:
    """What is taken from the challenge of one branch and given to the other, of its own or another card, is missed."""
    case = _case(group, context, HEARTS | QUEEN, [26, 49], entropy)
    size = group.scalar_bytes
    scalars = [int.from_bytes(case.proof[at : at + size], "little") for at in range(0, len(case.proof), size)]
    first, second = (
        1,
        12,
    )  # c; then for each card: the challenge of its hearts branch, 8 answers of it, 2 of the queen's
    assert len(scalars) == 23
    for changes in ({first: 1}, {second: -1}, {first: 1, second: -1}, {0: 1}, {0: 1, first: 1}):
        changed = [scalar + changes.get(at, 0) for at, scalar in enumerate(scalars)]
        replace(case, proof=b"".join(map(group.encode_scalar, changed))).refused()


def test_the_whole_statement_is_hashed(case: Case) -> None:
    """The challenge depends on context, key, set, and both points of each card, and so do the weights."""
    group, context, public, cards, allowed = case.group, case.context, case.key.public, case.cards, case.allowed
    g = group.generator
    statements = [
        (context, public, cards, allowed),
        (context[::-1], public, cards, allowed),
        (context, g, cards, allowed),
        (context, public, cards, allowed ^ 1),
        (context, public, cards, allowed ^ 1 << 51),
        *((context, public, (*cards[:at], Masked(g, cards[at].b), *cards[at + 1 :]), allowed) for at in range(4)),
        *((context, public, (*cards[:at], Masked(cards[at].a, g), *cards[at + 1 :]), allowed) for at in range(4)),
    ]
    drawn = [void._statement(group, *statement) for statement in statements]
    assert len({transcript.challenge() for transcript, _ in drawn}) == len(statements)
    weights = [weight for _, three in drawn for weight in three]
    assert len(set(weights)) == 3 * len(statements)
    assert all(0 < weight < 2**128 for weight in weights)


def test_nothing_to_prove(group: Group, entropy: Entropy, context: bytes) -> None:
    """No cards, no kinds, all kinds or kinds that do not exist make no statement, for the prover or the verifier."""
    key = make_key(group, entropy)
    card = _mask(group, key.public, [30], entropy)
    for cards, plain, allowed in (
        ((), (), HEARTS),
        (card, (30,), 0),
        (card, (30,), ALL),
        (card, (30,), -1),
        (card, (30,), HEARTS | 1 << 52),
    ):
        with pytest.raises(ProofError):
            prove_void(group, context, key, cards, plain, allowed, entropy)
        for size in (0, 1, 9, 11):
            with pytest.raises(ProofError):
                verify_void(group, context, key.public, cards, allowed, bytes(size * group.scalar_bytes))
    for fewer_or_more in ((), (30, 30)):
        with pytest.raises(ProofError):
            prove_void(group, context, key, card, fewer_or_more, HEARTS, entropy)


def test_bytes_that_are_no_points(case: Case) -> None:
    """Cards of bytes that encode no point are a decode error, whichever of them."""
    no_point = b"\xff" * case.group.element_bytes
    for bad in (no_point, b"", no_point[1:]):
        for at in (0, 3):
            for card in (Masked(bad, case.cards[at].b), Masked(case.cards[at].a, bad)):
                with pytest.raises(DecodeError):
                    replace(case, cards=(*case.cards[:at], card, *case.cards[at + 1 :])).verify()


def test_proofs_are_fresh(case: Case, entropy: Entropy) -> None:
    """Two proofs of one statement share no scalar; with a broken random source those of two statements do not."""
    size = case.group.scalar_bytes

    def scalars(proof: bytes) -> list[bytes]:
        return [proof[at : at + size] for at in range(0, len(proof), size)]

    again, other = _proved(case, entropy), _proved(case, bytes)
    same, elsewhere = _proved(case, bytes), _proved(replace(case, context=case.context[::-1]), bytes)
    again.verify()
    every = [*scalars(case.proof), *scalars(again.proof), *scalars(other.proof), *scalars(elsewhere.proof)]
    assert len(set(every)) == len(every)
    assert same.proof == other.proof


def test_the_same_work_whatever_the_cards(entropy: Entropy, context: bytes) -> None:
    """Hands of hearts, of queens and of both cost the prover the same operations, and give proofs of one length."""
    seen = set()
    for plain in ([26, 27, 38], [49, 49, 26], [30, 49, 30]):
        case, group = _case(RISTRETTO255, context, HEARTS | QUEEN, plain, entropy), CountingGroup(RISTRETTO255)
        prove_void(group, context, case.key, case.cards, plain, HEARTS | QUEEN, entropy)
        group.counts.clear()
        proof = prove_void(group, context, case.key, case.cards, plain, HEARTS | QUEEN, entropy)
        seen.add((group.counts["mult"], group.counts["base"], group.counts["add"], len(proof)))
    assert seen == {(3 * 14, 3 * 2, 3 * 12, 34 * 32)}


def test_what_the_proof_rests_on(group: Group, entropy: Entropy, context: bytes) -> None:
    """The law of the module: of points that are no cards, which no proved mix lets in, the proof says only that they lie in
    the span."""
    key = make_key(group, entropy)
    two, three = (card_point(group, card) for card in (26, 27))
    no_card = group.sub(group.add(two, two), three)
    (masked,) = (remask(group, key.public, Masked(group.identity, no_card), 7),)
    transcript, weights = void._statement(group, context, key.public, [masked], HEARTS)
    choices = void._choices(group, key.public, [masked], void.spans_of(group, HEARTS), weights)
    proof = prove_choices(transcript, choices, [Known(0, (key.secret, 1, 0, 0, 0, -1, 0, 0))], entropy)
    verify_void(group, context, key.public, [masked], HEARTS, proof)
    with pytest.raises(ProofError):
        verify_void(group, context, key.public, [masked], CLUBS, proof)


def test_many_threads(entropy: Entropy, context: bytes) -> None:
    """Proofs made and checked in several threads at once are right."""
    cases = [_case(RISTRETTO255, context, HEARTS | QUEEN, _some(HEARTS | QUEEN, 4), entropy) for _ in range(6)]
    with ThreadPoolExecutor(3) as pool:
        proved = list(pool.map(lambda case: _proved(case, bytes), cases))
        assert list(pool.map(Case.verify, proved)) == [None] * 6
