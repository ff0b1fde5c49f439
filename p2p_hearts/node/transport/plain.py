"""The plain sockets on which strangers say hello: one question, one answer, both at most `HELLO_BYTES`.

They are not encrypted: whoever wants to connect has to learn the key first. The law: nothing is kept for the one who
asks, and no more than `HELLOS_PER_S` questions a second are looked at, from all askers together.
"""

import asyncio
from collections.abc import Callable

import zmq
import zmq.asyncio

from p2p_hearts.node.addresses import Endpoint
from p2p_hearts.node.transport import sockets
from p2p_hearts.node.transport.door import Allowance, take
from p2p_hearts.node.transport.flow import Flow

HELLO_BYTES = 512
HELLOS_PER_S = 10.0


async def answer_hellos(listening: zmq.asyncio.Socket, answer: Callable[[bytes], bytes | None], flow: Flow) -> None:
    """Answer questions until cancelled; those for which `answer` returns None stay without one. `flow` counts them."""
    loop = asyncio.get_running_loop()
    allowance = Allowance(HELLOS_PER_S, HELLOS_PER_S, HELLOS_PER_S, loop.time())
    while True:
        parts = await listening.recv_multipart(copy=False)
        flow.count(int(parts[-1].get(zmq.SRCFD)))
        allowance, granted = take(allowance, 1, loop.time())
        if granted and len(parts) == 2 and (reply := answer(parts[1].bytes)) is not None:  # noqa: PLR2004 - route, question
            sockets.send_now(listening, [parts[0].bytes, reply])


async def ask_hello(
    context: zmq.asyncio.Context, endpoint: Endpoint, question: bytes, patience_s: float
) -> bytes | None:
    """The answer of whatever listens at this hello port, or None when none comes in time."""
    asking = sockets.open_plain(context, zmq.DEALER, HELLO_BYTES)
    try:
        asking.connect(sockets.url(endpoint))
        if sockets.send_now(asking, [question]) == 0 and await asking.poll(int(patience_s * 1000)):
            return await asking.recv()
    except zmq.ZMQError:  # no such address
        return None
    finally:
        asking.close(linger=0)
    return None
