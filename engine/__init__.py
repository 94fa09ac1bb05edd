"""The engine that plays; knows no files and no protocol."""
