"""The only part that knows ZeroMQ: encrypted links between the programs of a table, and the plain hello sockets."""
