"""What will not work on this computer and its networks, and the cure: the checks behind `p2p-hearts doctor`."""
