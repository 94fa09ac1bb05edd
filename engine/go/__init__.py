"""The rules of Go: board kernels, ladders, scoring and game history."""
