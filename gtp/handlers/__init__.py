"""The protocol's commands, a module for those of one kind or of one client.

Each takes the session and the command, and returns the answer's text, or for an analysis an
iterator of lines. It raises GtpError before it changes anything.
"""
