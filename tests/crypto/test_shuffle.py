"""The shuffle: an honest mix verifies, and every way to cheat that we know of does not."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from p2p_hearts.crypto import shuffle, sigma
from p2p_hearts.crypto.errors import CryptoError, DecodeError, ProofError
from p2p_hearts.crypto.group import RISTRETTO255, Group
from p2p_hearts.crypto.keys import HandKey, make_key
from p2p_hearts.crypto.masking import Masked, card_of, remask, start_deck, unmask
from p2p_hearts.crypto.shuffle import Mixing, apply_mixing, draw_mixing, mix, proof_bytes, prove_mix, verify_mix
from p2p_hearts.entropy import Entropy

Spoil = Callable[[bytes], Iterator[bytes]]
SIZE = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A small mix with all that its mixer knows."""

    group: Group
    context: bytes
    key: HandKey
    deck: tuple[Masked, ...]
    mixing: Mixing
    mixed: tuple[Masked, ...]
    proof: bytes

    def verify(self, *, mixed: Sequence[Masked] | None = None, proof: bytes | None = None) -> None:
        """Verifies the mix, with some part of it replaced."""
        shown = self.mixed if mixed is None else mixed
        verify_mix(self.group, self.context, self.key.public, self.deck, shown, self.proof if proof is None else proof)

    def prove(self, mixed: Sequence[Masked], mixing: Mixing, entropy: Entropy) -> bytes:
        """What the real prover makes of a false statement."""
        return prove_mix(self.group, self.context, self.key.public, self.deck, mixed, mixing, entropy)


@dataclass(frozen=True, slots=True)
class Lie:
    """A matrix with one entry a row where a permutation belongs: where it is in the commitments, in the rest, its size."""

    committed: tuple[int, ...]
    used: tuple[int, ...]
    scale: tuple[int, ...] = (1,) * SIZE


@pytest.fixture
def case(group: Group, entropy: Entropy, context: bytes) -> Case:
    """Five cards under one key, mixed and proved."""
    key = make_key(group, entropy)
    deck = tuple(remask(group, key.public, card, group.random_scalar(entropy)) for card in start_deck(group)[:SIZE])
    mixing = draw_mixing(group, context, key.public, deck, entropy)
    mixed = apply_mixing(group, key.public, deck, mixing)
    proof = prove_mix(group, context, key.public, deck, mixed, mixing, entropy)
    return Case(group, context, key, deck, mixing, mixed, proof)


def test_a_whole_deck(group: Group, entropy: Entropy, context: bytes) -> None:
    """Three mixers in a row: each proof verifies and has its one length, and all 104 cards are still there."""
    keys = [make_key(group, entropy) for _ in range(3)]
    joint = group.sum([key.public for key in keys])
    deck = start_deck(group)
    for _ in keys:
        mixed, proof = mix(group, context, joint, deck, entropy)
        verify_mix(group, context, joint, deck, mixed, proof)
        assert len(proof) == proof_bytes(group, 104) == (4 * 104 + 5) * group.scalar_bytes
        assert not {point for card in deck for point in card} & {point for card in mixed for point in card}
        deck = mixed
    secret = sum(key.secret for key in keys)
    opened = [card_of(group, unmask(group, secret, card)) for card in deck]
    assert Counter(opened) == Counter(dict.fromkeys(range(52), 2))
    assert opened != [*range(52), *range(52)]


@pytest.mark.parametrize("size", [1, 2, 9, 17])
def test_a_hand(group: Group, entropy: Entropy, context: bytes, size: int) -> None:
    """Hands of every size are mixed under their owner's key."""
    key = make_key(group, entropy)
    hand = start_deck(group)[:size]
    mixed, proof = mix(group, context, key.public, hand, entropy)
    verify_mix(group, context, key.public, hand, mixed, proof)
    assert sorted(card_of(group, unmask(group, key.secret, card)) or 0 for card in mixed) == list(range(size))


def test_the_order_is_the_one_drawn(case: Case) -> None:
    """Output i is input order[i]."""
    opened = [card_of(case.group, unmask(case.group, case.key.secret, card)) for card in case.mixed]
    assert tuple(opened) == case.mixing.order


def test_spoilt_proofs(case: Case, spoil: Spoil) -> None:
    """None of the 4N + 5 fields can be changed, left out or added."""
    case.verify()
    for spoilt in spoil(case.proof):
        with pytest.raises(CryptoError):
            case.verify(proof=spoilt)


def test_second_encodings(case: Case, second_encodings: Spoil) -> None:
    """None of the scalars can be written as s + order."""
    cut = 2 * SIZE * case.group.element_bytes
    for spoilt in second_encodings(case.proof[cut:]):
        with pytest.raises(DecodeError):
            case.verify(proof=case.proof[:cut] + spoilt)


def test_other_points_in_the_proof(case: Case) -> None:
    """A commitment replaced by another point of the group does not verify either."""
    size = case.group.element_bytes
    for at in range(0, 2 * SIZE * size, size):
        other = case.group.add(case.proof[at : at + size], case.group.generator)
        with pytest.raises(ProofError):
            case.verify(proof=case.proof[:at] + other + case.proof[at + size :])


def test_a_proof_belongs_to_one_statement(case: Case, entropy: Entropy) -> None:
    """Replayed in another context, for another key, from another deck or the other way round a proof fails."""
    group, context, key, deck, mixed = case.group, case.context, case.key.public, case.deck, case.mixed
    other = make_key(group, entropy).public
    for statement in (
        (context[::-1], key, deck, mixed),
        (context, other, deck, mixed),
        (context, key, deck[::-1], mixed),
        (context, key, mixed, deck),
        (context, key, mixed, mixed),
    ):
        with pytest.raises(ProofError):
            verify_mix(group, *statement, case.proof)


def test_the_whole_statement_is_hashed(case: Case) -> None:
    """Whatever is left out of the challenge can be chosen after it: context, key, every card before and after."""
    group, context, key, deck, mixed = case.group, case.context, case.key.public, case.deck, case.mixed
    other = Masked(group.generator, group.generator)
    statements = (
        (context, key, deck, mixed),
        (context[::-1], key, deck, mixed),
        (context, group.generator, deck, mixed),
        (context, key, (*deck[:-1], other), mixed),
        (context, key, deck, (*mixed[:-1], other)),
        (context, key, (*deck, mixed[0]), mixed[1:]),
    )
    challenges = {shuffle._statement(group, *statement).challenge() for statement in statements}
    assert len(challenges) == len(statements)


def test_spoilt_outputs(case: Case) -> None:
    """Outputs changed, swapped, doubled, removed, added or with an identity in them do not verify."""
    group, (first, second, *rest) = case.group, case.mixed
    for mixed in (
        (Masked(group.add(first.a, group.generator), first.b), second, *rest),
        (Masked(first.a, group.add(first.b, group.generator)), second, *rest),
        (Masked(first.b, first.a), second, *rest),
        (second, first, *rest),
        (second, second, *rest),
        (second, *rest),
        (first, first, second, *rest),
        (),
        (Masked(group.identity, first.b), second, *rest),
        (Masked(first.a, group.identity), second, *rest),
    ):
        with pytest.raises(ProofError):
            case.verify(mixed=mixed)


def test_bytes_that_are_no_points(case: Case) -> None:
    """Even cards that never went through the parser do no harm."""
    for junk in (b"", b"\xff" * case.group.element_bytes, case.mixed[0].a[:-1]):
        for mixed in (
            (Masked(junk, case.mixed[0].b), *case.mixed[1:]),
            (Masked(case.mixed[0].a, junk), *case.mixed[1:]),
        ):
            with pytest.raises(CryptoError):
                case.verify(mixed=mixed)


def test_an_empty_deck(case: Case) -> None:
    """Nothing cannot be mixed."""
    with pytest.raises(CryptoError):
        verify_mix(case.group, case.context, case.key.public, (), (), case.proof)


def test_a_mixer_who_replaces_a_card(case: Case, entropy: Entropy) -> None:
    """A mixer who puts a card of his choice in the place of another cannot prove it."""
    group, key = case.group, case.key.public
    queen = remask(group, key, start_deck(group)[49], group.random_scalar(entropy))
    mixed = (*case.mixed[:3], queen, *case.mixed[4:])
    with pytest.raises(ProofError):
        case.verify(mixed=mixed, proof=case.prove(mixed, case.mixing, entropy))


@pytest.mark.parametrize("half", ["a", "b"])
def test_a_mixer_who_shifts_two_cards(case: Case, entropy: Entropy, half: str) -> None:
    """Adding to one card what is taken from another, which a check of sums would miss, cannot be proved."""
    group = case.group
    first, second, *rest = case.mixed
    shift = group.hash_to_point(b"test", b"shift")
    added, taken = group.add(getattr(first, half), shift), group.sub(getattr(second, half), shift)
    mixed = (first._replace(**{half: added}), second._replace(**{half: taken}), *rest)
    with pytest.raises(ProofError):
        case.verify(mixed=mixed, proof=case.prove(mixed, case.mixing, entropy))


def test_a_mixer_who_leaves_a_card_open(group: Group, entropy: Entropy, context: bytes) -> None:
    """A first mixer who adds no mask, so that all can read a card, is refused though the relation holds."""
    key, deck = make_key(group, entropy).public, start_deck(group)[:SIZE]
    open_one = draw_mixing(group, context, key, deck, entropy)._replace(masks=(0, 1, 2, 3, 4))
    mixed = apply_mixing(group, key, deck, open_one)
    proof = prove_mix(group, context, key, deck, mixed, open_one, entropy)
    with pytest.raises(ProofError):
        verify_mix(group, context, key, deck, mixed, proof)


def test_a_mixer_who_uses_a_card_twice(case: Case, entropy: Entropy) -> None:
    """An input used twice cannot be proved: not with its own false order, not with the true one."""
    order = case.mixing.order
    twice = Mixing((*order[:4], order[3]), case.mixing.masks)
    mixed = apply_mixing(case.group, case.key.public, case.deck, twice)
    for mixing in (twice, case.mixing):
        with pytest.raises(CryptoError):
            case.verify(mixed=mixed, proof=case.prove(mixed, mixing, entropy))


def test_a_mixer_who_commits_to_one_order_and_uses_another(case: Case, entropy: Entropy) -> None:
    """Commitments to a true permutation, chain and cards of another order: only Σuc gives it away."""
    honest = Lie(case.mixing.order, case.mixing.order)
    case.verify(proof=_prove_lie(case, case.mixed, honest, entropy))
    other = honest.used[::-1]
    mixed = apply_mixing(case.group, case.key.public, case.deck, Mixing(other, case.mixing.masks))
    with pytest.raises(ProofError):
        case.verify(mixed=mixed, proof=_prove_lie(case, mixed, Lie(honest.used, other), entropy))


def test_a_mixer_who_commits_to_using_a_card_twice(case: Case, entropy: Entropy) -> None:
    """Commitments, chain and cards that all agree on one input used twice: only the product Πu gives it away."""
    order = case.mixing.order
    twice = (*order[:4], order[3])
    mixed = apply_mixing(case.group, case.key.public, case.deck, Mixing(twice, case.mixing.masks))
    with pytest.raises(ProofError):
        case.verify(mixed=mixed, proof=_prove_lie(case, mixed, Lie(twice, twice), entropy))


def test_a_mixer_who_commits_to_a_stretched_permutation(case: Case, entropy: Entropy) -> None:
    """One card doubled, another halved, and commitments to 2 and ½ where 1 belongs: only the sum Σc gives it away."""
    group, order, half = case.group, case.mixing.order, pow(2, -1, case.group.order)
    scale = (2, half, 1, 1, 1)
    mixed = tuple(
        remask(group, case.key.public, Masked(*(group.mult(pow(x, -1, group.order), part) for part in card)), mask)
        for x, card, mask in zip(scale, (case.deck[source] for source in order), case.mixing.masks, strict=True)
    )
    with pytest.raises(ProofError):
        case.verify(mixed=mixed, proof=_prove_lie(case, mixed, Lie(order, order, scale), entropy))


def test_proofs_and_orders_are_fresh(case: Case, entropy: Entropy, stuck: Entropy) -> None:
    """Two proofs and two mixes of one deck differ; with a stuck source, orders in other contexts, of other decks and under
    other keys still do."""
    assert case.prove(case.mixed, case.mixing, entropy) != case.prove(case.mixed, case.mixing, entropy)
    deck = start_deck(case.group)
    drawn = [draw_mixing(case.group, case.context, case.key.public, deck, entropy) for _ in range(2)]
    drawn += [draw_mixing(case.group, context, case.key.public, deck, stuck) for context in (b"one", b"two")]
    drawn.append(draw_mixing(case.group, b"one", case.group.generator, deck, stuck))
    drawn.append(draw_mixing(case.group, b"one", case.key.public, deck[::-1], stuck))
    assert len({mixing.order for mixing in drawn}) == len({mixing.masks for mixing in drawn}) == 6


def test_generators_are_hashed(group: Group) -> None:
    """Generators come from their number alone, a longer deck uses the same ones, and none repeats."""
    h, hs, total = shuffle.generators(group, 104)
    assert h == group.hash_to_point(b"shuffle", bytes(4))
    assert hs[103] == group.hash_to_point(b"shuffle", bytes((0, 0, 0, 104)))
    assert shuffle.generators(group, 9)[1] == hs[:9]
    assert len({h, *hs, group.generator}) == 106
    assert total == group.sum(hs)


def test_threads_do_not_meet(entropy: Entropy, context: bytes) -> None:
    """Proofs made and checked in several threads at once are right."""
    key = make_key(RISTRETTO255, entropy).public
    hand = start_deck(RISTRETTO255)[:9]

    def work(_: int) -> None:
        mixed, proof = mix(RISTRETTO255, context, key, hand, entropy)
        verify_mix(RISTRETTO255, context, key, hand, mixed, proof)

    with ThreadPoolExecutor(4) as pool:
        assert len(list(pool.map(work, range(12)))) == 12


def _prove_lie(case: Case, mixed: Sequence[Masked], lie: Lie, entropy: Entropy) -> bytes:
    """The prover of `shuffle`, but for any matrix."""
    group, q, g = case.group, case.group.order, case.group.generator
    h, hs, _ = shuffle.generators(group, SIZE)
    transcript = shuffle._statement(group, case.context, case.key.public, case.deck, mixed)
    r, r_hat = ([group.random_scalar(entropy) for _ in range(SIZE)] for _ in range(2))
    c = [group.base(blinding) for blinding in r]
    for source, entry, generator in zip(lie.committed, lie.scale, hs, strict=True):
        c[source] = group.add(c[source], group.mult(entry, generator))
    transcript.append(b"permutation", *c)
    u = transcript.challenges(SIZE)
    u_prime = [u[source] * entry % q for source, entry in zip(lie.used, lie.scale, strict=True)]
    chain, end = [h], 0
    for blinding, factor in zip(r_hat, u_prime, strict=True):
        chain.append(group.multi((blinding, factor), (g, chain[-1])))
        end = (blinding + factor * end) % q
    transcript.append(b"chain", *chain[1:])
    r_tilde = sum(x * y for x, y in zip(r, u, strict=True)) % q
    r_prime = sum(x * y for x, y in zip(case.mixing.masks, u_prime, strict=True)) % q
    rows = shuffle._rows(group, case.key.public, mixed, hs, chain[:-1])
    secrets = (sum(r) % q, end, r_tilde, -r_prime % q, *r_hat, *u_prime)
    return b"".join((*c, *chain[1:])) + sigma.prove(transcript, rows, secrets, entropy)
