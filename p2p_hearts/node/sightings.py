"""The tables seen on this network, as a value: what was announced, what answered, and what of it to show.

The law: mDNS is a hint, never proof of life. A row is alive while its host answers hello; a host that was killed is
shown as not answering within seconds and gone soon after, whatever the network's caches say; a goodbye that anybody
could forge removes nothing that still answers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from p2p_hearts.node.addresses import MAX_ADDRESSES, Endpoint, endpoint_text
from p2p_hearts.node.adverts import Advert
from p2p_hearts.node.driver import TableRow

MAX_SIGHTINGS = 64  # a flood of adverts costs us no more
PROBE_S = 2.0  # between two hellos to a host
SILENT_S = 4.0  # without an answer for so long a row is marked
GONE_S = 10.0  # and hidden after so long, unless its host never answered at all
FORGOTTEN_S = 120.0  # how long a host that never answered is shown

SILENT, PRIVATE, PLAYING = "silent", "private", "playing"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One announced instance; times are seconds on the caller's clock."""

    instance: str
    advert: Advert
    endpoints: tuple[Endpoint, ...]
    seen_at: float
    asked_at: float = float("-inf")
    answered_at: float | None = None
    answered_by: Endpoint | None = None
    other_version: str | None = None  # as hello says
    announced: bool = True  # False after its goodbye


def sight(
    sightings: Mapping[str, Sighting], instance: str, advert: Advert, endpoints: tuple[Endpoint, ...], now: float
) -> dict[str, Sighting]:
    """The sightings after an announcement, new or renewed; a flood does not push out what answers."""
    known = dict(sightings)
    before = known.get(instance)
    if before is not None:
        known[instance] = replace(before, advert=advert, endpoints=endpoints, announced=True, asked_at=float("-inf"))
        return known
    if len(known) >= MAX_SIGHTINGS:
        mute = [s for s in known.values() if s.answered_at is None]
        if not mute:
            return known
        del known[min(mute, key=lambda s: s.seen_at).instance]
    known[instance] = Sighting(instance, advert, endpoints, now)
    return known


def part(sightings: Mapping[str, Sighting], instance: str) -> dict[str, Sighting]:
    """The sightings after a goodbye: believed as soon as the host does not answer either, which is asked at once."""
    return {
        name: replace(s, announced=False, asked_at=float("-inf")) if name == instance else s
        for name, s in sightings.items()
    }


def answered(sighting: Sighting, by: Endpoint, other_version: str | None, now: float) -> Sighting:
    """The sighting after its host answered hello."""
    return replace(sighting, answered_at=now, answered_by=by, other_version=other_version)


def tidy(sightings: Mapping[str, Sighting], now: float) -> dict[str, Sighting]:
    """The sightings worth keeping: a host that said goodbye and was asked since is forgotten unless it answered."""
    return {
        name: s
        for name, s in sightings.items()
        if s.announced or s.asked_at == float("-inf") or _age(s, now) < SILENT_S / 2
    }


def due(sightings: Mapping[str, Sighting], now: float) -> list[Sighting]:
    """The hosts to ask now: every `PROBE_S`, hidden ones five times as seldom."""
    return [s for s in sightings.values() if now - s.asked_at >= (PROBE_S if _is_shown(s, now) else 5 * PROBE_S)]


def table_rows(sightings: Mapping[str, Sighting], protocol: str, now: float) -> tuple[TableRow, ...]:
    """What to show, one row a table: first those that can be joined, of these first those that have not begun."""
    shown = [s for s in sightings.values() if _is_shown(s, now)]
    rows = [_row(_main(shown, table, now), protocol, now) for table in {s.advert.table: None for s in shown}]
    return tuple(sorted(rows, key=lambda row: (not row.joinable, row.state == PLAYING, row.name.casefold(), row.table)))


def endpoints_of(sightings: Mapping[str, Sighting], table: str, now: float) -> tuple[Endpoint, ...]:
    """Where the host of a row may be reached, the address that answered last first."""
    same = [s for s in sightings.values() if s.advert.table == table]
    if not same:
        return ()
    return endpoints_at(sightings, table, _main(same, table, now).advert.host_mark, now)


def endpoints_at(sightings: Mapping[str, Sighting], table: str, host: str, now: float) -> tuple[Endpoint, ...]:
    """Where whoever announces this table under this mark may be reached, the address that answered last first."""
    same = (s for s in sightings.values() if (s.advert.table, s.advert.host_mark) == (table, host))
    mine = sorted(same, key=lambda s: _age(s, now))
    found = (e for s in mine for e in (s.answered_by, *s.endpoints) if e is not None)
    return tuple(dict.fromkeys(found))[:MAX_ADDRESSES]


def _main(sightings: Iterable[Sighting], table: str, now: float) -> Sighting:
    """Of several announcements of one table the one that is meant: it answers, and, since a host that was cut off may come
    back alone to a table that has gone on without it, most people are there; of equal ones the one that answered last."""
    same = (s for s in sightings if s.advert.table == table)
    return max(same, key=lambda s: (_is_alive(s, now), s.advert.taken, -_age(s, now)))


def _row(sighting: Sighting, protocol: str, now: float) -> TableRow:
    advert = sighting.advert
    version = sighting.other_version or advert.protocol
    alive = _is_alive(sighting, now)
    where = sighting.answered_by or sighting.endpoints[0]
    reason = ""
    if version != protocol:
        reason = f"It speaks protocol {version}, this program {protocol}."
    elif sighting.answered_at is None:
        reason = "It is announced but does not answer; a firewall may block its port."
    elif not alive:
        reason = "It does not answer any more."
    elif advert.state == "over":
        reason = "The game is over."
    elif advert.state == PLAYING and (advert.private or advert.taken >= advert.seats):
        reason = "The game has begun."
    elif advert.private:
        reason = "It is private: ask its host for an invitation."
    elif advert.taken >= advert.seats:
        reason = "All seats are taken."
    return TableRow(
        table=advert.table,
        name=advert.name,
        host=advert.host,
        address="" if advert.private else endpoint_text(where),
        seats=advert.seats,
        taken=advert.taken,
        state=SILENT if not alive else PRIVATE if advert.private and advert.state == "lobby" else advert.state,
        preset=advert.preset,
        rules_hash=advert.rules_hash,
        protocol=version,
        age_s=round(_age(sighting, now), 1),
        joinable=not reason,
        reason=reason,
    )


def _is_alive(sighting: Sighting, now: float) -> bool:
    return sighting.answered_at is not None and _age(sighting, now) < SILENT_S


def _is_shown(sighting: Sighting, now: float) -> bool:
    if sighting.answered_at is not None:
        return _age(sighting, now) < GONE_S
    # a new one is shown when it has answered, or when it had the time to
    return PROBE_S <= now - sighting.seen_at < FORGOTTEN_S


def _age(sighting: Sighting, now: float) -> float:
    return now - (sighting.seen_at if sighting.answered_at is None else sighting.answered_at)
