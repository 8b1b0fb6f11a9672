"""Why a socket is closed."""

from enum import IntEnum


class Close(IntEnum):
    """Close codes a client can act on."""

    TRY_AGAIN_LATER = 1013
    BAD_MESSAGE = 4400
    NO_LOGIN = 4401
    NO_RIGHT = 4403
    NOT_FOUND = 4404


class Refused(Exception):
    """Ends a socket with a close code; with an error code of ours, a message says why first."""

    def __init__(self, close: Close, code: str = "", detail: str = "") -> None:
        super().__init__(detail)
        self.close, self.code, self.detail = close, code, detail
