"""Bots against bots on duplicate deals: deals, hands, figures, and the processes that play them."""
