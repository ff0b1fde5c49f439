"""The fake table at each of its screens, for tests that look at all of them."""

from collections.abc import Iterator
from dataclasses import replace

from p2p_hearts.bots import choose_play
from p2p_hearts.console.ahead import can_plan
from p2p_hearts.console.facts import duty, my_cards
from p2p_hearts.console.screen import home_news, press, update
from p2p_hearts.console.state import Action, Screen
from p2p_hearts.console.tutorial import begin, go_on
from p2p_hearts.console.tutorial_cards import cards
from p2p_hearts.node.driver import Invite, Update
from p2p_hearts.protocol import events, inputs
from p2p_hearts.protocol.events import Duty
from p2p_hearts.protocol.scene import Asking, Stage
from tests.console.fake import ME, FakeTable
from tests.console.fake_home import GAMES, OPEN, PLAYING, PRIVATE


def after(screen: Screen, updates: Iterator[Update] | tuple[Update, ...]) -> Screen:
    """The screen after these updates."""
    for news in updates:
        screen = update(screen, news.events, news.scene, news.notices, news.aside)
    return screen


def typed(screen: Screen, *keys: str) -> Screen:
    """The screen after keys that lead to no action."""
    for key in keys:
        screen, action = press(screen, key)
        assert action is None, f"{key} led to {action}"
    return screen


def acted(screen: Screen, key: str) -> tuple[Screen, Action]:
    """The screen after a key that leads to an action, and the action."""
    screen, action = press(screen, key)
    assert action is not None, f"{key} led to nothing: {screen.note}"
    return screen, action


def dealt(table: FakeTable) -> Screen:
    """The person must choose cards to pass."""
    return after(Screen(), table.command(inputs.Start()))


def passed(table: FakeTable) -> Screen:
    """The cards are passed, the first trick has begun."""
    screen = typed(dealt(table), "1", " ", "2", " ", "3", " ")
    screen, action = acted(screen, "enter")
    assert isinstance(action, inputs.Pass)
    return after(screen, table.command(action))


def lifted(screen: Screen, table: FakeTable) -> Screen:
    """The person has chosen the card a careful bot would play."""
    assert screen.scene is not None
    card = choose_play("cautious", table.view(ME), table.rng)
    place = my_cards(screen.scene).index(card)
    return typed(screen, *str(place + 1))


def chosen_ahead(screen: Screen) -> Screen:
    """The first card that may be played is chosen before it is one's turn."""
    return typed(replace(screen, cursor=None), "tab", "enter")


def one_play(screen: Screen, table: FakeTable) -> Iterator[Screen]:
    """Every screen from the person's card to the person's next decision."""
    screen, action = acted(lifted(screen, table), "enter")
    assert isinstance(action, inputs.Play)
    for news in table.command(action):
        screen = after(screen, (news,))
        yield screen


def whole_hand(screen: Screen, table: FakeTable) -> Iterator[Screen]:
    """Every screen until the next hand is dealt, or the game is over."""
    number = table.number
    while table.number == number and table.stage is Stage.PLAYING:
        for step in one_play(screen, table):
            screen = step
            yield step


def every_screen(seats: int = 11) -> dict[str, Screen]:
    """Each screen by its name, with so many seats, long names and long chat among them."""
    table = FakeTable(seats=seats, hands=2, bots=(3,))
    rows = home_news(Screen(), (OPEN, PLAYING, replace(OPEN, name="王小明 " * 9, table="cc")), ("Nothing found.",))
    screens = {"empty lobby": Screen(notes=("This program is at 192.168.1.12:5340.",)), "lobby": rows}
    screens["host form"], screens["solo form"] = typed(rows, "h"), typed(rows, "s")
    screens["address"] = typed(rows, "a", *"192.168.1.20:5340")
    screens["private row"] = home_news(Screen(), (PRIVATE,), ())
    screens["invited"] = typed(screens["private row"], "enter", *"bahi patu rumu tunu")
    screens["playing row"] = home_news(Screen(), (PLAYING,), ())
    screens["late row"] = home_news(Screen(), (replace(PLAYING, joinable=True, taken=9, reason=""),), ())
    screens["games"] = typed(replace(rows, games=GAMES), "c", "down")
    table.asking = (Asking(b"x" * 32, "Somebody with quite a long name indeed", "otter-lamp"),)
    said = events.Said(table.key(0), "a long line of chat " * 9)
    screens["waiting"] = after(Screen(), (table.tell(said),))
    screens["no invitation"] = acted(screens["waiting"], "i")[0]
    screens["invitation"] = after(screens["no invitation"], table.command(Invite()))
    screens["joining"] = after(
        Screen(), (replace(table.tell(), scene=replace(table.scene(), stage=Stage.JOINING, lobby=None)),)
    )
    steps = []
    screen = Screen()
    for news in table.command(inputs.Start()):
        screen = after(screen, (news,))
        steps.append(screen)
    screens |= {
        "election": steps[0],
        "seated": steps[1],
        "keys": steps[5],
        "mixing": steps[len(steps) // 2],
        "passing": screen,
    }
    screens["chosen"] = typed(screen, "1", " ", "2", " ", "3", " ")
    screen, action = acted(screens["chosen"], "enter")
    assert isinstance(action, inputs.Pass)
    screens["received"] = screen = after(screen, table.command(action))
    screens |= {"help": typed(screen, "?"), "sheet": typed(screen, "s"), "passed cards": typed(screen, "p")}
    screens |= {"trust": typed(screen, "y"), "people": typed(screen, "w", "down")}
    screens |= {
        "settings": typed(screen, ",", "down"),
        "log": typed(screen, "l"),
        "quit": typed(screen, "q"),
        "chat": typed(screen, "c", *"hello " * 30),
    }
    for step in whole_hand(screen, table):
        screens |= {"lifted": lifted(step, table)} if duty(table.scene()) is Duty.PLAY and step.ended is None else {}
        if duty(table.scene()) is None and can_plan(table.scene()) and step.overlay is None:
            screens["ahead"] = chosen_ahead(step)
        if step.scene is not None and step.scene.hand is not None and step.scene.hand.tricks:
            screens["last trick"] = typed(replace(step, overlay=None), "t")
        screens |= {"result": step} if step.ended is not None and step.overlay is None else {}
        screens |= {"score sheet": step} if step.overlay is not None else {}
    shot = FakeTable(seats=seats, bots=(3,))
    begun = passed(shot)
    screens["moon"], screens["their moon"] = after(begun, (shot.shoot(ME),)), after(begun, (shot.shoot(0),))
    table.stage, table.winners = Stage.OVER, (0, 2)
    screens["over"] = after(step, (table.tell(events.GameEnded((0, 2)), events.ResultSigned()),))
    table.stage, table.problem = Stage.STOPPED, "Dace did not prove its shuffle. The table cannot go on with it."
    screens["stopped"] = after(step, (table.tell(),))
    course, told = begin()
    screens["lesson"] = after(Screen(), told)
    for wish in (inputs.Pass(0, cards("QS KS AS")), inputs.Play(0, cards("KD")[0])):
        course, more = go_on(course, wish)
        told = (*told, *more)
    screens["lesson to read"] = after(Screen(), told)
    return screens
