"""Any threshold of pieces is the key, fewer are nothing, and every receiver can tell whether its piece is one."""

from dataclasses import dataclass
from itertools import combinations

import pytest

from p2p_hearts.crypto.box import disclose, open_disclosed, open_sealed, seal, verify_sealed
from p2p_hearts.crypto.errors import DecodeError, ProofError
from p2p_hearts.crypto.escrow import decode_commitments, encode_commitments, piece_fits, rebuild, split
from p2p_hearts.crypto.group import Group
from p2p_hearts.crypto.keys import MAIL, HandKey, make_key, prove_key, verify_key
from p2p_hearts.crypto.masking import remask, start_deck
from p2p_hearts.crypto.reveal import make_shares, open_card, verify_shares
from p2p_hearts.entropy import Entropy

TABLES = [(n, n // 2 + 1) for n in range(2, 12)]


def _drawing(*scalars: int) -> Entropy:
    """A random source that makes `random_scalar` return these."""
    coming = iter(scalars)
    return lambda size: (next(coming) - 1).to_bytes(size, "little")


@dataclass(frozen=True, slots=True)
class Case:
    """The key 5 in pieces by f(x) = 5 + 7x + 11x²: 23, 63, 125, 209 and 315."""

    group: Group
    key: HandKey
    commitments: tuple[bytes, ...]
    pieces: tuple[int, ...]

    def fits(self, index: int, piece: int) -> bool:
        """What its receiver finds."""
        return piece_fits(self.group, self.commitments, index, piece)

    def rebuild(self, *indices: int) -> HandKey:
        """What these pieces give."""
        return rebuild(self.group, self.commitments, {index: self.pieces[index - 1] for index in indices})


@pytest.fixture
def case(group: Group) -> Case:
    """A polynomial small enough to be reckoned by hand."""
    key = HandKey(5, group.base(5))
    return Case(group, key, *split(group, key, 3, 5, _drawing(7, 11)))


def test_pieces_are_values_of_the_polynomial(case: Case) -> None:
    """Piece i is f(i), and commitment k is coefficient k times the generator, the key first."""
    assert case.pieces == (23, 63, 125, 209, 315)
    assert case.commitments == tuple(map(case.group.base, (5, 7, 11)))


def test_a_piece_fits_its_number_alone(case: Case) -> None:
    """Of the five pieces each fits one number; a piece one too large or too small, its negative and zero fit none."""
    right = (23, 63, 125, 209, 315)
    for index in range(1, 6):
        assert [case.fits(index, piece) for piece in right] == [number == index for number in range(1, 6)]
        piece = right[index - 1]
        assert not any(case.fits(index, wrong) for wrong in (piece - 1, piece + 1, -piece, 0, 5))


def test_there_is_no_piece_but_those_numbered_from_one(case: Case) -> None:
    """f(0) is the secret: neither 0, nor the order, which is the same, nor a negative number is that of a piece."""
    for index, piece in ((0, 5), (case.group.order, 5), (case.group.order + 1, 23), (-1, 9)):
        assert not case.fits(index, piece)


def test_a_piece_may_be_zero(group: Group) -> None:
    """With f(x) = 6 + (order − 6)x the first piece is 0, and fits like any other."""
    key = HandKey(6, group.base(6))
    commitments, pieces = split(group, key, 2, 3, _drawing(group.order - 6))
    assert pieces == (0, group.order - 6, group.order - 12)
    assert all(piece_fits(group, commitments, index, piece) for index, piece in enumerate(pieces, 1))
    assert rebuild(group, commitments, {1: 0, 3: pieces[2]}) == key


def test_three_pieces_of_five_are_the_key(case: Case) -> None:
    """Whichever three remain, and more, in any order, they give the secret 5."""
    for chosen in combinations(range(1, 6), 3):
        assert case.rebuild(*chosen).secret == 5
        assert case.rebuild(*reversed(chosen)) == case.key
    assert case.rebuild(1, 2, 3, 4, 5) == case.rebuild(5, 4, 2, 1) == case.key


def test_too_few_pieces(case: Case) -> None:
    """Two pieces, one and none are refused, and it is said how many there are and have to be."""
    for indices in ((1, 2), (5,), ()):
        with pytest.raises(ProofError, match=f"{len(indices)} pieces where 3 are needed"):
            case.rebuild(*indices)


def test_too_few_pieces_say_nothing(case: Case) -> None:
    """f(1) = 23 and f(2) = 63 are also values of 7 + 4x + 12x²: two pieces of three go with any secret."""
    other = HandKey(7, case.group.base(7))
    commitments, pieces = split(case.group, other, 3, 5, _drawing(4, 12))
    assert pieces == (23, 63, 127, 215, 327)
    assert pieces[:2] == case.pieces[:2]
    assert rebuild(case.group, commitments, {1: 23, 2: 63, 3: 127}).secret == 7


def test_a_wrong_piece_rebuilds_nothing(case: Case) -> None:
    """A piece that does not fit, two exchanged and pieces of two keys give no key at all."""
    for pieces in ({1: 23, 2: 63, 3: 126}, {1: 63, 2: 23, 3: 125}, {1: 23, 2: 63, 3: 127}, {1: 0, 2: 0, 3: 0}):
        with pytest.raises(ProofError):
            rebuild(case.group, case.commitments, pieces)


def test_a_piece_too_many_does_no_harm(case: Case) -> None:
    """Of more pieces than are needed those of the lowest numbers count."""
    assert rebuild(case.group, case.commitments, {5: 0, 1: 23, 3: 125, 2: 63}) == case.key


def test_pieces_of_another_threshold(case: Case) -> None:
    """Commitments to one coefficient fewer or more than the pieces were made with fit no piece."""
    for commitments in (case.commitments[:2], (*case.commitments, case.group.generator)):
        assert not any(piece_fits(case.group, commitments, index, piece) for index, piece in enumerate(case.pieces, 1))
    with pytest.raises(ProofError):
        rebuild(case.group, case.commitments[:2], {1: 23, 2: 63})


@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_commitment_counts(case: Case, place: int) -> None:
    """With one commitment changed no piece fits."""
    changed = list(case.commitments)
    changed[place] = case.group.add(changed[place], case.group.generator)
    assert not any(piece_fits(case.group, changed, index, piece) for index, piece in enumerate(case.pieces, 1))


@pytest.mark.parametrize(("n", "q"), TABLES)
def test_every_size_of_table(group: Group, entropy: Entropy, n: int, q: int) -> None:
    """With ⌊n/2⌋ + 1 of n every piece fits, the first q rebuild the key, the last q too, and q − 1 do not."""
    key = make_key(group, entropy)
    commitments, pieces = split(group, key, q, n, entropy)
    assert (len(commitments), len(pieces), commitments[0]) == (q, n, key.public)
    numbered = dict(enumerate(pieces, 1))
    assert all(piece_fits(group, commitments, index, piece) for index, piece in numbered.items())
    for chosen in (range(1, q + 1), range(n - q + 1, n + 1)):
        assert rebuild(group, commitments, {index: numbered[index] for index in chosen}) == key
    with pytest.raises(ProofError):
        rebuild(group, commitments, dict(list(numbered.items())[: q - 1]))


def test_any_six_of_eleven(group: Group, entropy: Entropy) -> None:
    """All 462 choices of six members rebuild the key."""
    key = make_key(group, entropy)
    commitments, pieces = split(group, key, 6, 11, entropy)
    numbered = list(enumerate(pieces, 1))
    rebuilt = [rebuild(group, commitments, dict(chosen)) for chosen in combinations(numbered, 6)]
    assert rebuilt == [key] * 462


@pytest.mark.parametrize(("threshold", "pieces"), [(1, 5), (0, 5), (-1, 5), (6, 5), (2, 1)])
def test_no_other_thresholds(group: Group, entropy: Entropy, threshold: int, pieces: int) -> None:
    """With a threshold of one every piece is the key; one above the number of pieces is never reached."""
    with pytest.raises(ValueError, match="pieces"):
        split(group, make_key(group, entropy), threshold, pieces, entropy)


def test_commitments_travel_without_the_key(case: Case) -> None:
    """What travels are the commitments after the first; the first cannot be another than the key."""
    data = encode_commitments(case.commitments)
    assert data == case.group.base(7) + case.group.base(11)
    assert decode_commitments(case.group, case.key.public, data, 3) == case.commitments


def test_commitments_are_exactly_as_many_as_the_threshold(case: Case) -> None:
    """One more, which would make the pieces of the members too few, or one less, and cut or long bytes are refused."""
    size, data = case.group.element_bytes, encode_commitments(case.commitments)
    for spoilt in (data + data[:size], data[:size], data[:-1], data + b"\0", b""):
        with pytest.raises(DecodeError):
            decode_commitments(case.group, case.key.public, spoilt, 3)


def test_no_commitment_is_the_identity(case: Case) -> None:
    """A coefficient of 0 is drawn by nobody honest: with all of them 0 every piece would be the key."""
    size, data = case.group.element_bytes, encode_commitments(case.commitments)
    for spoilt in (case.group.identity + data[size:], data[:size] + case.group.identity, b"\xff" * size + data[size:]):
        with pytest.raises(DecodeError):
            decode_commitments(case.group, case.key.public, spoilt, 3)


def test_coefficients_are_never_zero(group: Group) -> None:
    """The random source that gives only zeros gives coefficients of one."""
    key = HandKey(5, group.base(5))
    assert split(group, key, 3, 3, bytes) == ((key.public, group.generator, group.generator), (7, 11, 17))


def test_pieces_are_fresh(group: Group, entropy: Entropy) -> None:
    """The same key split twice has no piece and no commitment in common with itself but the key."""
    key = make_key(group, entropy)
    (first, pieces), (second, others) = (split(group, key, 4, 7, entropy) for _ in range(2))
    assert set(first) & set(second) == {key.public}
    assert not set(pieces) & set(others)


def test_a_rebuilt_key_plays(group: Group, entropy: Entropy, context: bytes) -> None:
    """What is rebuilt reads the cards of the lost hand and makes shares that all accept under the lost key."""
    key = make_key(group, entropy)
    commitments, pieces = split(group, key, 4, 6, entropy)
    rebuilt = rebuild(group, commitments, {index: pieces[index - 1] for index in (1, 3, 4, 6)})
    card = remask(group, key.public, start_deck(group)[49], group.random_scalar(entropy))
    assert open_card(group, rebuilt, card) == 49
    verify_shares(group, context, key.public, [card], *make_shares(group, context, rebuilt, [card], entropy))
    assert "secret" not in repr(rebuilt)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a table in the opening: its two keys, and what it gave away."""

    number: int
    hand: HandKey
    mail: HandKey
    commitments: tuple[bytes, ...]
    pieces: tuple[int, ...]


def _table(group: Group, entropy: Entropy, n: int) -> list[Member]:
    members = []
    for number in range(1, n + 1):
        hand, mail = make_key(group, entropy), make_key(group, entropy)
        members.append(Member(number, hand, mail, *split(group, hand, n // 2 + 1, n, entropy)))
    return members


def _context(sender: Member, receiver: Member, purpose: bytes) -> bytes:
    return purpose.ljust(30, b".") + bytes((sender.number, receiver.number))


def test_a_lost_hand_goes_on(group: Group, entropy: Entropy) -> None:
    """Six open a hand and seal pieces to each other; two are lost, and the delegate gets the pieces of the four left and
    both keys."""
    members = _table(group, entropy, 6)
    held: dict[tuple[int, int], int] = {}  # sender, receiver: piece
    for sender in members:
        verify_key(group, bytes(32), sender.mail.public, prove_key(group, bytes(32), sender.mail, entropy, MAIL), MAIL)
        for receiver in members:
            where, piece = _context(sender, receiver, b"piece"), sender.pieces[receiver.number - 1]
            sealed = seal(group, where, receiver.mail.public, piece, entropy)
            held[sender.number, receiver.number] = open_sealed(group, where, receiver.mail, sealed)
            assert piece_fits(group, sender.commitments, receiver.number, held[sender.number, receiver.number])
    lost, staying = members[:2], members[2:]
    delegate = staying[1]
    for owner in lost:
        pieces = {}
        for sender in staying:
            where = _context(sender, delegate, b"piece of the lost")
            sealed = seal(group, where, delegate.mail.public, held[owner.number, sender.number], entropy)
            pieces[sender.number] = open_sealed(group, where, delegate.mail, sealed)
            assert piece_fits(group, owner.commitments, sender.number, pieces[sender.number])
        assert rebuild(group, owner.commitments, pieces) == owner.hand


def test_who_is_at_fault(group: Group, entropy: Entropy) -> None:
    """A sealed piece that does not fit shows it to all and convicts its sender; one that fits convicts the complainer."""
    sender, receiver, *_ = _table(group, entropy, 6)
    where, right = _context(sender, receiver, b"piece"), sender.pieces[1]
    for piece, fits in ((right, True), (right + 1, False), (sender.pieces[0], False), (0, False)):
        sealed = seal(group, where, receiver.mail.public, piece, entropy)
        verify_sealed(group, where, receiver.mail.public, sealed)  # a lie in a box cannot be told at the door
        shown = disclose(group, where, receiver.mail, sealed, entropy)
        seen = open_disclosed(group, where, receiver.mail.public, sealed, *shown)
        assert seen == open_sealed(group, where, receiver.mail, sealed) == piece % group.order
        assert piece_fits(group, sender.commitments, receiver.number, seen) is fits


def test_a_rebuilt_hand_key_opens_no_mail(group: Group, entropy: Entropy) -> None:
    """Boxes are sealed to mail keys: a delegate who holds the hand key of a lost member opens nothing sent to it."""
    sender, lost, *_ = _table(group, entropy, 6)
    where = _context(sender, lost, b"piece")
    sealed = seal(group, where, lost.mail.public, sender.pieces[1], entropy)
    with pytest.raises(ProofError):
        open_sealed(group, where, lost.hand, sealed)
    assert open_sealed(group, where, HandKey(lost.hand.secret, lost.mail.public), sealed) != sender.pieces[1]


def test_commitments_have_an_order(case: Case) -> None:
    """Commitments in another order are others: with 5, 11, 7 only piece 1 is the same sum."""
    swapped = (case.commitments[0], case.commitments[2], case.commitments[1])
    fitting = [piece_fits(case.group, swapped, index, piece) for index, piece in enumerate(case.pieces, 1)]
    assert fitting == [True, False, False, False, False]
