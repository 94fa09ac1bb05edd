"""Talks: the Go Text Protocol and the yomi command; computes nothing."""
