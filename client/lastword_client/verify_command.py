"""`lastword-verify`: the offline verifier, where its one dependency is installed."""

import sys

NOT_CHECKED = 2


def main() -> int:
    """The verifier's exit status; without `cryptography` that of a bundle that could not be checked."""
    try:
        import verify_bundle
    except ModuleNotFoundError as missing:
        # an uncaught error would exit with 1, which says the bundle is broken
        sys.stderr.write(f"could not check: {missing}; install lastword-client[verify]\n")
        return NOT_CHECKED
    return verify_bundle.main()
