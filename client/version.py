"""The version of the program, which `pyproject.toml` reads from here."""

VERSION = "0.1.0"
