"""`stats`: your games so far, what they add up to, and whom you played with.

The law: it reads and writes nothing new; games in which a bot played in your place are listed and not counted.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from p2p_hearts.cli.commands import Stats
from p2p_hearts.cli.files import UnreadableError
from p2p_hearts.console.fragments import clean, fit, right
from p2p_hearts.console.language import _, n_
from p2p_hearts.node.history import Acquaintance, History, HistoryError
from p2p_hearts.node.keystore import default_directory, history_file
from p2p_hearts.node.results import GameResult, Kept

LAST_GAMES = 12
MOST_PEOPLE = 20


@dataclass(frozen=True, slots=True)
class Summary:
    """What the games add up to. Averages are None without a game or a hand."""

    games: int
    with_people: int  # with somebody else at the table
    hands: int
    points: float | None  # a hand, on average, after the moon
    best: int | None  # hand
    worst: int | None
    moons: int
    kitties: int
    places: tuple[int, int, int]  # how often first, second, third
    won: int
    place: float | None  # on average
    players: float | None  # at the table, on average


def print_stats(stats: Stats) -> None:
    """Print the history kept in a state directory.

    Raises UnreadableError when it is damaged.
    """
    games, people = _read(stats.state or default_directory())
    summary = summed(games)
    if stats.json:
        print(json.dumps(_fields(games, people, summary), ensure_ascii=False))
    else:
        print("\n".join(lines(games, people, summary)))


def summed(games: Sequence[Kept]) -> Summary:
    """What the games add up to, those left out that a bot played."""
    own = [game.result for game in games if not game.result.bot]
    hands = [hand for result in own for hand in result.hands]
    points = [hand.points for hand in hands]
    return Summary(
        games=len(own),
        with_people=sum(result.people > 1 for result in own),
        hands=len(hands),
        points=_mean(points),
        best=min(points, default=None),
        worst=max(points, default=None),
        moons=sum(hand.moon for hand in hands),
        kitties=sum(hand.kitty for hand in hands),
        places=(_placed(own, 1), _placed(own, 2), _placed(own, 3)),
        won=sum(result.won for result in own),
        place=_mean([result.place for result in own]),
        players=_mean([result.seats for result in own]),
    )


def lines(games: Sequence[Kept], people: Sequence[Acquaintance], summary: Summary) -> tuple[str, ...]:
    """The history for a person."""
    if not games:
        return (_("No game has been finished here yet."),)
    told = [*_counted(summary), "", _("Last games:")]
    told += [_game_line(game) for game in reversed(games[-LAST_GAMES:])]
    if people:
        told += ["", n_("You have played with {n} other:", "You have played with {n} others:", len(people))]
        told += [_person_line(one) for one in people[:MOST_PEOPLE]]
    return tuple(told)


def _read(state: Path) -> tuple[tuple[Kept, ...], tuple[Acquaintance, ...]]:
    path = history_file(state)
    if not path.exists():
        return (), ()
    try:
        history = History(path)
        try:
            return history.results(), history.people()
        finally:
            history.close()
    except HistoryError as error:
        raise UnreadableError(str(error)) from error


def _counted(summary: Summary) -> list[str]:
    if summary.points is None or summary.place is None or summary.players is None:
        return [_("No game counts yet: a bot played in your place.")]
    first, second, third = summary.places
    games = n_("{n} game finished, {people} with other people.", "{n} games finished, {people} with other people.",
               summary.games, people=summary.with_people)  # fmt: skip
    hands = n_("{n} hand, {points} points on average; the best {best}, the worst {worst}.",
               "{n} hands, {points} points on average; the best {best}, the worst {worst}.",
               summary.hands, points=_decimal(summary.points), best=_number(summary.best or 0),
               worst=_number(summary.worst or 0))  # fmt: skip
    moons = _("Moons shot: {moons}. Kitties taken: {kitties}.", moons=summary.moons, kitties=summary.kitties)
    places = _("Placed first {first}, second {second}, third {third} times; on average {place} of {players}. Games won: {won}.",
               first=first, second=second, third=third, place=_decimal(summary.place),
               players=_decimal(summary.players), won=summary.won)  # fmt: skip
    return [games, hands, moons, places]


def _game_line(game: Kept) -> str:
    result = game.result
    place = _("place {place} of {seats}", place=result.place, seats=result.seats)
    points = n_("{n} point", "{n} points", result.total).replace("-", "−")
    hands = n_("{n} hand", "{n} hands", len(result.hands))
    bot = f"  {_('a bot played for you')}" if result.bot else ""
    return f"  {game.ended.isoformat()}  {fit(clean(result.title), 16)}  {fit(place, 16)} {right(points, 12)}  {hands}{bot}".rstrip()


def _person_line(known: Acquaintance) -> str:
    games = n_("{n} game", "{n} games", known.games)
    return f"  {fit(clean(known.name), 16)}  {fit(games, 12)}  {_('last on {day}', day=known.last.isoformat())}"


def _fields(games: Sequence[Kept], people: Sequence[Acquaintance], summary: Summary) -> dict[str, object]:
    return {
        "summary": asdict(summary),
        "games": [{"ended": game.ended.isoformat(), **asdict(game.result)} for game in games],
        "people": [
            {"name": one.name, "games": one.games, "first": one.first.isoformat(), "last": one.last.isoformat()}
            for one in people
        ],
    }


def _placed(results: Sequence[GameResult], place: int) -> int:
    return sum(result.place == place for result in results)


def _mean(values: Sequence[int]) -> float | None:
    return round(sum(values) / len(values), 2) if values else None


def _decimal(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")


def _number(value: int) -> str:
    return str(value).replace("-", "−")
