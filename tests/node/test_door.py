"""The door: how many strangers, for how long, and who has to go."""

from p2p_hearts.node.transport.door import Allowance, Door, Visitor, arrive, depart, take, turn_away


def test_strangers_may_stay_ten_seconds() -> None:
    """Section 6 of joining: an unadmitted connection is cut after 10 s; one that showed a known key is not."""
    door = arrive(arrive(Door(), Visitor(5, ("10.0.0.5", 1000), 0.0)), Visitor(6, ("10.0.0.6", 1000), 0.0))
    door, away = turn_away(door, {6}, 10.0)
    assert away == ()
    door, away = turn_away(door, {6}, 10.1)
    assert [v.descriptor for v in away] == [5]
    assert [v.descriptor for v in door.visitors] == [6]


def test_a_flood_cuts_only_the_flooder() -> None:
    """Of more than 64 strangers the address with the most loses its oldest, so an honest newcomer keeps its place."""
    door = arrive(Door(), Visitor(1, ("10.0.0.5", 1000), 0.0))
    for descriptor in range(2, 102):
        door = arrive(door, Visitor(descriptor, ("10.0.0.66", descriptor), 0.1))
    door, away = turn_away(door, (), 1.0)
    assert len(door.visitors) == 64
    assert door.visitors[0].descriptor == 1
    assert [v.descriptor for v in away] == list(range(2, 39))


def test_a_descriptor_is_one_connection() -> None:
    """A descriptor that comes again replaces the connection that had it before, and one that closes is gone."""
    door = arrive(arrive(Door(), Visitor(5, ("10.0.0.5", 1000), 0.0)), Visitor(5, ("10.0.0.6", 2000), 9.0))
    assert door.visitors == (Visitor(5, ("10.0.0.6", 2000), 9.0),)
    assert depart(door, 5).visitors == ()


def test_allowance_refills() -> None:
    """Ten at once, then ten a second, never more than ten saved up."""
    allowance = Allowance(10.0, 10.0, 10.0, 0.0)
    granted = []
    for now in [0.0] * 12 + [0.1] * 2 + [100.0] * 11:
        allowance, yes = take(allowance, 1, now)
        granted.append(yes)
    assert granted == [True] * 10 + [False] * 2 + [True, False] + [True] * 10 + [False]
