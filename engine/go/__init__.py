"""The rules of Go: board kernels, ladders, scoring, game history."""
