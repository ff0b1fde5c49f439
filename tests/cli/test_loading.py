"""What the program loads before it shows the lobby."""

import subprocess
import sys

RARE = ("numpy", "p2p_hearts.simulation", "p2p_hearts.node.doctor", "p2p_hearts.bench", "p2p_hearts.arena", "segno")


def test_the_lobby_loads_nothing_that_no_table_needs() -> None:
    """Arrays, the simulation, measurements and the doctor are for those who ask for them."""
    asked = f"import sys, p2p_hearts.cli.main; print([name for name in {RARE!r} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout
    assert told.strip() == "[]"
