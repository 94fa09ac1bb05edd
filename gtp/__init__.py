"""The Go Text Protocol and the ``yomi`` command. Nothing is computed here."""
