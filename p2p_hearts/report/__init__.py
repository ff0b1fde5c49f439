"""A finished game as one HTML page that needs nothing but itself: no script to be readable, no network at all."""
