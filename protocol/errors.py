"""The families of errors of the protocol."""


class ProtocolError(Exception):
    """Anything the protocol refuses."""


class Malformed(ProtocolError):  # noqa: N818 - the term of the record
    """Bytes that are no canonical encoding of what they claim to be."""
