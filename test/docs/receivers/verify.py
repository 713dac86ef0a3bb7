# Usage: python3 verify.py SECRET SIGNATURE < body
import hashlib
import hmac
import sys


def is_genuine(secret: str, signature: str, body: bytes) -> bool:
    """body must be the bytes as they came, not parsed and written again."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


if __name__ == "__main__":
    secret, signature = sys.argv[1], sys.argv[2]
    sys.exit(0 if is_genuine(secret, signature, sys.stdin.buffer.read()) else 1)
