#!/bin/sh
# Usage: sh verify.sh SECRET SIGNATURE < body
# The body goes from standard input straight to openssl: a shell variable would lose bytes of it.
# Other users of the machine can see the secret in the list of processes while this runs.
set -eu
secret=$1
signature=$2

expected="sha256=$(openssl dgst -sha256 -hmac "$secret" -r | cut -d ' ' -f 1)"

# Digests under a random key are compared, so that how long it takes says nothing about the signature.
key=$(openssl rand -hex 32)
blinded() {
  printf %s "$1" | openssl dgst -sha256 -hmac "$key" -r
}
[ "$(blinded "$expected")" = "$(blinded "$signature")" ]
