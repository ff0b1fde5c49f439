"""Tests marked `netns` are skipped where no network can be made; where they must run, that is a failure."""

import os

import pytest

from tests.e2e.netns import why_not

REQUIRED = "P2P_HEARTS_NETNS"  # set to `required` where a silent skip would hide that nothing was tested


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips the tests that need namespaces, with the reason, unless they are required."""
    marked = [item for item in items if item.get_closest_marker("netns")]
    if not marked:
        return
    reason = why_not()
    if reason and os.environ.get(REQUIRED) != "required":
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=reason))
