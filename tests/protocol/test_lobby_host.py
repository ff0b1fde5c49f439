"""What the host of a lobby orders: bots, rules, the start; and who is host once it is gone."""

import pytest

from p2p_hearts.protocol.envelope import NO_ENTRY, Tag, open_entry, seal
from p2p_hearts.protocol.events import ElectionBegan, LobbyChanged, PeerLeft, Refused
from p2p_hearts.protocol.inputs import AddBot, ChangeRules, Command, Leave, RemoveBot, Start
from p2p_hearts.protocol.messages import Succeed
from p2p_hearts.protocol.scene import Lobby, Stage
from tests.protocol.hall import NAMES, Hall, play, seated


def lobby(hall: Hall, label: str) -> Lobby:
    """The lobby as one program shows it."""
    shown = hall.sessions[label].scene().lobby
    assert shown is not None
    return shown


def refused(hall: Hall, label: str, command: Command) -> str:
    """Why a command is not carried out; nothing is sent, nothing else happens."""
    before = len(hall.frames)
    told = hall.do(label, command)
    assert len(hall.frames) == before
    (event,) = told
    assert isinstance(event, Refused)
    return event.reason


def host_of(hall: Hall, label: str) -> list[str]:
    """Who is host for one program."""
    return [line.name for line in hall.sessions[label].scene().peers if line.host]


def test_bots_come_and_go() -> None:
    """The host gives seats to bots and takes the last one back; everybody sees the same."""
    hall = seated(3)
    hall.do("Ann", AddBot("cautious"))
    assert LobbyChanged("2 seats are given to bots.") in hall.do("Ann", AddBot("uniform"))
    assert lobby(hall, "Cem").bots == ("cautious", "uniform")
    hall.do("Ann", RemoveBot())
    assert lobby(hall, "Cem").bots == lobby(hall, "Ann").bots == ("cautious",)
    hall.do("Ann", RemoveBot())
    assert refused(hall, "Ann", RemoveBot()) == "There is no bot at this table."


def test_no_more_bots_than_seats() -> None:
    """A bot needs a free seat and a level that exists."""
    hall = seated(2, bots=3)
    assert refused(hall, "Ann", AddBot("genius")) == (
        "There is no bot of level “genius”: choose uniform or cautious or clever or expert."
    )
    hall.do("Ann", AddBot("uniform"))
    assert refused(hall, "Ann", AddBot("uniform")) == "All 6 seats are taken."


@pytest.mark.parametrize("command", [AddBot("uniform"), RemoveBot(), ChangeRules("classic"), Start()])
def test_only_the_host(command: Command) -> None:
    """Nobody but the host changes the table."""
    assert refused(seated(6), "Bob", command) == "Only the host can do that."


def test_rules_are_changed() -> None:
    """The host changes preset and options; everybody sees the options themselves and how they depart from the preset."""
    hall = seated(6)
    hall.do("Ann", ChangeRules("classic", (("limit", 120), ("pass_cycle", ["R", "A"]), ("hearts_must_break", False))))
    for label in hall.sessions:
        shown = lobby(hall, label)
        assert shown.preset == "classic"
        assert (shown.options.limit, shown.options.pass_cycle) == (120, ("R", "A"))
        assert shown.options.cancel_rule == "no_live_led_card"  # of the preset
        assert not shown.options.hearts_must_break
        assert len(shown.departures) == 3


@pytest.mark.parametrize(
    ("preset", "overrides", "sentence"),
    [
        ("house", (), "preset: 'house' is unknown: choose as_written or classic."),
        ("classic", (("pass_count", 6),), "pass_count: 6 is not possible: choose a number from 0 to 5."),
        ("classic", (("colour", "red"),), None),
        ("classic", (("limit", True),), None),
        ("classic", (("pass_cycle", ["Z"]),), None),
    ],
)
def test_impossible_rules(preset: str, overrides: tuple[tuple[str, object], ...], sentence: str | None) -> None:
    """Rules that no table can have are refused with a sentence before anything is signed."""
    hall = seated(2)
    said = refused(hall, "Ann", ChangeRules(preset, overrides))
    assert said.endswith(".")
    assert sentence is None or said == sentence
    hall.do("Ann", ChangeRules("classic"))
    assert lobby(hall, "Bob").preset == "classic"


def test_the_longest_rules() -> None:
    """A passing cycle of 64 hands, the longest there is, still fits into an entry."""
    hall = seated(6)
    hall.do("Ann", ChangeRules("as_written", (("pass_cycle", ["L2", "R2"] * 32),)))
    assert lobby(hall, "Bob").options.pass_cycle == ("L2", "R2") * 32


def test_nobody_sits_across_at_seven() -> None:
    """Passing across at an odd table is refused at the start, with the reason; with one more seat it starts."""
    hall = seated(7)
    hall.sessions["Ann"].setup = None
    hall.do("Ann", ChangeRules("as_written", (("pass_cycle", ["A"]),)))
    sentence = "Nobody sits across at a table of 7: A needs an even number."
    assert lobby(hall, "Bob").problem == sentence
    assert refused(hall, "Ann", Start()) == sentence
    hall.do("Ann", ChangeRules("as_written"))
    assert ElectionBegan() in hall.do("Ann", Start())


@pytest.mark.parametrize(
    ("people", "sentence"),
    [
        (4, "2 more players are needed: invite people or add bots."),
        (5, "1 more player is needed: invite people or add bots."),
    ],
)
def test_fewer_than_six(people: int, sentence: str) -> None:
    """With fewer than six seats filled there is no game (R1), and the lobby says what is missing."""
    hall = seated(people)
    assert lobby(hall, "Bob").problem == sentence
    assert refused(hall, "Ann", Start()) == sentence
    for _ in range(people, 6):
        hall.do("Ann", AddBot("uniform"))
    assert lobby(hall, "Bob").problem is None
    play(hall)
    assert hall.sessions["Bob"].result() is not None


def test_start_twice() -> None:
    """A game begins once."""
    hall = seated(6)
    hall.do("Ann", Start())
    assert refused(hall, "Ann", Start()) == "The game has begun."
    assert refused(hall, "Ann", AddBot("uniform")) == "The game has begun."


def finish(hall: Hall, host: str, labels: tuple[str, ...]) -> None:
    """The new host fills the seats and starts; all at the table end with one result."""
    while lobby(hall, host).problem is not None:
        hall.do(host, AddBot("uniform"))
    hall.level = "uniform"
    hall.do(host, Start())
    hall.wait(3)
    results = [hall.sessions[label].result() for label in labels]
    assert results[0] is not None
    assert all(result == results[0] for result in results)


def test_the_host_leaves() -> None:
    """When the host leaves, the next in joining order is host at once, and the game can start."""
    hall = seated(5)
    hall.do("Ann", Leave())
    for label in NAMES[1:5]:
        assert host_of(hall, label) == ["Bob"]
        assert [line.name for line in hall.sessions[label].scene().peers] == ["Bob", "Cem", "Dia", "Eli"]
    finish(hall, "Bob", NAMES[1:5])


@pytest.mark.parametrize("leaver", ["Ann", "Cem"])
def test_leaving_is_told_once(leaver: str) -> None:
    """Everybody reads once, by name, that somebody has left the lobby, whether host or guest."""
    hall = seated(4)
    hall.do(leaver, Leave())
    hall.wait(2)
    for label in {"Ann", "Bob", "Cem", "Dia"} - {leaver}:
        told = [event.text for event in hall.heard[label] if isinstance(event, LobbyChanged)]
        assert told.count(f"{leaver} has left the table.") == 1, label
        assert PeerLeft(hall.key(leaver)) not in hall.heard[label]


def test_the_host_falls_silent() -> None:
    """A host without a sign of life for more than ten seconds is succeeded, not sooner; the game can start."""
    hall = seated(5)
    hall.wait(2)
    hall.kill("Ann")
    hall.wait(9)
    assert host_of(hall, "Bob") == ["Ann"]
    hall.wait(3)
    for label in NAMES[1:5]:
        assert host_of(hall, label) == ["Bob"]
    finish(hall, "Bob", NAMES[1:5])


def test_two_hosts_after_another() -> None:
    """If the next in line is gone too, the one after it takes over."""
    hall = seated(6)
    hall.wait(2)
    hall.kill("Ann")
    hall.kill("Bob")
    hall.wait(14)
    for label in NAMES[2:6]:
        assert host_of(hall, label) == ["Cem"]
        assert [line.name for line in hall.sessions[label].scene().peers] == ["Cem", "Dia", "Eli", "Fay"]
    hall.do("Cem", Leave())
    hall.wait(1)
    finish(hall, "Dia", NAMES[3:6])


def test_a_silent_guest_is_taken_off() -> None:
    """A guest without a sign of life for more than ten seconds loses its seat."""
    hall = seated(4)
    hall.wait(2)
    hall.kill("Cem")
    hall.wait(12)
    for label in ("Ann", "Bob", "Dia"):
        assert [line.name for line in hall.sessions[label].scene().peers] == ["Ann", "Bob", "Dia"]


def cut_off(hall: Hall, label: str, seconds: float) -> None:
    """For so long nothing travels to or from a program."""
    hall.meddle = lambda sender, to, frame: () if label in (sender, to) else (frame,)
    hall.wait(seconds)
    hall.meddle = None


@pytest.mark.parametrize("peers", [2, 4])
def test_a_guest_that_was_cut_off(peers: int) -> None:
    """Who hears nobody any more makes no host of itself. When the connection is back it is told that its seat is gone, and
    can ask for another; the table goes on."""
    hall = seated(peers)
    last = NAMES[peers - 1]
    hall.wait(2)
    cut_off(hall, last, 20)
    assert host_of(hall, last) == ["Ann"]
    assert last not in [line.name for line in hall.sessions["Ann"].scene().peers]
    before = len(hall.frames)
    hall.wait(3)
    scene = hall.sessions[last].scene()
    assert scene.stage is Stage.STOPPED
    assert (
        scene.problem == "The table has gone on without you, since you were not heard of. You can ask for a seat again."
    )
    told = [open_entry(frame, hall.sessions["Ann"].version) for to, frame in frames_to(hall, last, before)]
    assert {entry.author for entry in told} == {hall.sessions["Ann"].author}
    hall.kill(last)
    hall.ask("again", key=last, name=last)
    assert [line.name for line in hall.sessions["again"].scene().peers] == list(NAMES[:peers])


def test_a_guest_that_was_cut_off_for_a_moment() -> None:
    """Six seconds without a connection cost nobody anything."""
    hall = seated(4)
    hall.wait(2)
    cut_off(hall, "Cem", 6)
    hall.wait(3)
    for label in NAMES[:4]:
        assert host_of(hall, label) == ["Ann"]
        assert [line.name for line in hall.sessions[label].scene().peers] == list(NAMES[:4])


def test_only_who_was_there_is_told() -> None:
    """A heartbeat that is not signed by somebody who was at the table is answered with nothing."""
    hall = seated(4)
    hall.wait(2)
    cut_off(hall, "Cem", 14)
    beat = next(frame for frames, _ in reversed(hall.story["Cem"]) for frame in frames if frame[0] == Tag.HEARTBEAT)
    false = beat[:-1] + bytes((beat[-1] ^ 1,))
    hall.meddle = lambda sender, _, frame: () if sender == "Cem" else (frame,)
    before = len(hall.frames)
    hall.give("Ann", false, by="Cem")
    hall.calm()
    assert frames_to(hall, "Cem", before) == []
    hall.give("Ann", beat, by="Cem")
    hall.calm()
    assert frames_to(hall, "Cem", before) != []


def frames_to(hall: Hall, label: str, since: int) -> list[tuple[str, bytes]]:
    """The entries that came to a program, and from whom."""
    came = hall.frames[since:]
    return [(sender, frame) for sender, to, frame in came if to == label and frame[0] == Tag.ENTRY]


def test_the_former_host_comes_back() -> None:
    """A host that was away so long that another took over does not break the table when it is back; its own program says
    sooner or later that it is alone."""
    hall = seated(5)
    hall.wait(2)
    hall.kill("Ann")
    hall.wait(14)
    hall.gone.clear()
    hall.wait(14)
    for label in NAMES[1:5]:
        assert host_of(hall, label) == ["Bob"]
        assert [line.name for line in hall.sessions[label].scene().peers] == ["Bob", "Cem", "Dia", "Eli"]
    scene = hall.sessions["Ann"].scene()
    assert scene.stage is Stage.STOPPED or [line.name for line in scene.peers] == ["Ann"]
    finish(hall, "Bob", NAMES[1:5])


def test_the_former_host_joins_again() -> None:
    """A former host may come back as a guest, with its old key, and plays."""
    hall = seated(5)
    hall.do("Ann", Leave())
    hall.kill("Ann")
    hall.sessions["Bob"].doorway.policy = "open"
    hall.ask("Ann again", host="Bob", key="Ann", name="Ann")
    assert [line.name for line in hall.sessions["Eli"].scene().peers] == ["Bob", "Cem", "Dia", "Eli", "Ann"]
    finish(hall, "Bob", (*NAMES[1:5], "Ann again"))


def test_a_guest_that_slept() -> None:
    """Whoever did not run itself for a while holds nobody else for silent: a guest that wakes up does not take over."""
    hall = seated(4)
    hall.wait(2)
    hall.meddle = lambda sender, to, frame: () if (sender, to) == ("Ann", "Bob") else (frame,)
    hall.wait(2)
    hall.meddle = None
    hall.kill("Bob")
    hall.wait(9)  # not long enough for the others to take him off
    hall.gone.clear()
    hall.wait(5)
    for label in NAMES[:4]:
        assert host_of(hall, label) == ["Ann"], label
        assert [line.name for line in hall.sessions[label].scene().peers] == ["Ann", "Bob", "Cem", "Dia"]


def test_all_slept() -> None:
    """If the machine under all of them stood still, everybody is still there."""
    hall = seated(4)
    hall.wait(2)
    hall.now += 3_600
    hall.wait(5)
    for label in NAMES[:4]:
        assert host_of(hall, label) == ["Ann"], label
        assert [line.name for line in hall.sessions[label].scene().peers] == ["Ann", "Bob", "Cem", "Dia"]


def test_nobody_turns_the_host_out() -> None:
    """A guest that names itself host while the host is there is host for nobody, the host included."""
    hall = seated(4)
    hall.wait(2)
    bob, ann = hall.sessions["Bob"], hall.sessions["Ann"]
    head = bob.logs.log(ann.author).entries[-1]
    body = Succeed(1, ann.author.identity, head.seq, head.hash)
    entry = seal(bob.me.key, bob.version, bob.lobby_id, bob.author, 0, NO_ENTRY, body)
    for label in ("Ann", "Cem", "Dia"):
        hall.give(label, entry.frame, by="Bob")
    hall.kill("Bob")
    hall.wait(8)
    for label in ("Ann", "Cem", "Dia"):
        assert host_of(hall, label) == ["Ann"], label
    hall.wait(6)
    for label in ("Ann", "Cem", "Dia"):
        assert [line.name for line in hall.sessions[label].scene().peers] == ["Ann", "Cem", "Dia"]
