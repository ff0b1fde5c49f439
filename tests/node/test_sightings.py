"""The list of tables: what is announced, what answers, and what is shown of it."""

from dataclasses import replace

from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.adverts import Advert
from p2p_hearts.node.sightings import Sighting, answered, due, endpoints_of, part, sight, table_rows, tidy

ADVERT = Advert("1", "0" * 32, "1" * 32, "Tuesday", "Ann", 8, 3, "lobby", "standard", "00c0ffee")
HOME = (Endpoint("10.0.0.5", 47104), Endpoint("2001:db8::5", 47104))


def alive(instance: str = "a", advert: Advert = ADVERT, now: float = 0.0) -> dict[str, Sighting]:
    """One table whose host has just answered."""
    seen = sight({}, instance, advert, HOME, now)
    return {instance: answered(seen[instance], HOME[0], None, now)}


def test_a_table_is_shown_when_it_answers() -> None:
    """An announcement alone is not shown at once; an answer is."""
    seen = sight({}, "a", ADVERT, HOME, 0.0)
    assert table_rows(seen, "1", 0.1) == ()
    (row,) = table_rows({"a": answered(seen["a"], HOME[0], None, 0.1)}, "1", 0.6)
    assert (row.name, row.host, row.address, row.taken, row.seats) == ("Tuesday", "Ann", "10.0.0.5:47104", 3, 8)
    assert (row.state, row.joinable, row.reason, row.age_s) == ("lobby", True, "", 0.5)


def test_a_killed_host_is_marked_and_then_gone() -> None:
    """FD4: a host that was killed is marked as not answering in a few seconds, and gone soon after."""
    seen = alive()
    (row,) = table_rows(seen, "1", 4.1)
    assert (row.state, row.joinable, row.reason) == ("silent", False, "It does not answer any more.")
    assert table_rows(seen, "1", 10.0) == ()


def test_a_host_that_never_answered_is_shown_with_the_likely_reason() -> None:
    """A table that is announced but cannot be reached is shown after two seconds, with the firewall as suspect."""
    (row,) = table_rows(sight({}, "a", ADVERT, HOME, 0.0), "1", 2.0)
    assert (row.state, row.joinable) == ("silent", False)
    assert "firewall" in row.reason


def test_a_goodbye_is_checked() -> None:
    """A goodbye, which anybody could forge, removes a table only if its host does not answer either."""
    seen = part(alive(), "a")
    assert [s.instance for s in due(seen, 0.0)] == ["a"]
    asked = {"a": replace(seen["a"], asked_at=0.0)}
    assert tidy(asked, 2.5) == {}
    assert list(tidy({"a": answered(asked["a"], HOME[0], None, 2.4)}, 2.5)) == ["a"]


def test_a_restarted_host_is_refreshed() -> None:
    """FD5: a restart under the same instance, with another port, replaces what was known, and is asked at once."""
    moved = (Endpoint("10.0.0.5", 47106),)
    seen = sight({"a": replace(alive()["a"], asked_at=1.0)}, "a", replace(ADVERT, taken=1), moved, 1.5)
    assert seen["a"].endpoints == moved
    assert [s.instance for s in due(seen, 1.5)] == ["a"]


def test_equal_names_are_two_tables() -> None:
    """FD1: two tables of one name are both listed, told apart by their ids."""
    both = {**alive("a"), **alive("b", replace(ADVERT, table="2" * 32, host="Bea"))}
    assert [(row.name, row.host) for row in table_rows(both, "1", 0.1)] == [("Tuesday", "Ann"), ("Tuesday", "Bea")]


def test_one_table_is_one_row() -> None:
    """Two announcements of one table, for instance before and after a restart, are one row: the one that answered last."""
    both = {**alive("a", now=0.0), **alive("b", replace(ADVERT, taken=5), now=1.0)}
    assert [row.taken for row in table_rows(both, "1", 2.0)] == [5]


def test_the_table_with_the_people_is_meant() -> None:
    """A host that was cut off and comes back alone does not hide the table that went on without it, nor does a dead one."""
    there = (Endpoint("10.0.0.7", 47104),)
    alone = replace(ADVERT, host="Bob", host_mark="2" * 32, taken=1)
    seen = alive() | {"b": answered(sight({}, "b", alone, there, 0.0)["b"], there[0], None, 1.0)}
    (row,) = table_rows(seen, "1", 1.5)
    assert (row.host, row.taken) == ("Ann", 3)
    assert endpoints_of(seen, ADVERT.table, 1.5) == HOME
    (row,) = table_rows(seen, "1", 4.5)  # Ann does not answer any more
    assert (row.host, row.taken, row.joinable) == ("Bob", 1, True)
    assert endpoints_of(seen, ADVERT.table, 4.5) == there
    assert endpoints_of(seen, "f" * 32, 4.5) == ()


def test_why_a_table_cannot_be_joined() -> None:
    """FD15: another protocol is named together with ours; a full, running or finished table says so."""
    reasons = {
        table_rows(alive(advert=advert), "1", 0.1)[0].reason
        for advert in (
            replace(ADVERT, protocol="2"),
            replace(ADVERT, taken=8),
            replace(ADVERT, state="playing", taken=8),
            replace(ADVERT, state="playing", private=True),
            replace(ADVERT, state="over"),
        )
    }
    assert reasons == {
        "It speaks protocol 2, this program 1.",
        "All seats are taken.",
        "The game has begun.",
        "The game is over.",
    }


def test_a_running_game_with_bots_can_be_joined() -> None:
    """A running game in which bots have seats that people may take over can be joined, and stands after those to begin."""
    both = {
        **alive("a", replace(ADVERT, name="Attic", state="playing", taken=2)),
        **alive("b", replace(ADVERT, table="2" * 32)),
    }
    assert [(row.name, row.state, row.joinable) for row in table_rows(both, "1", 0.1)] == [
        ("Tuesday", "lobby", True),
        ("Attic", "playing", True),
    ]


def test_a_flood_does_not_push_out_what_answers() -> None:
    """However many tables are announced, at most 64 are remembered, and those that answer stay."""
    seen = alive()
    for number in range(200):
        seen = sight(seen, f"fake{number}", replace(ADVERT, table=f"{number:032x}"), HOME, 1.0)
    assert len(seen) == 64
    assert "a" in seen
    assert "fake199" in seen
