"""The protocol's commands, one module for each kind of command or client.

Each handler takes the session and the command. It returns the answer's text, or an iterator of
lines for an analysis. It raises GtpError before it changes anything.
"""
