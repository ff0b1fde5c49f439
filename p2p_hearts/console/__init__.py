"""The terminal client: a full screen (`app`) and a line mode (`plain`) over one pure core (`state`, `screen`, `words`)."""
