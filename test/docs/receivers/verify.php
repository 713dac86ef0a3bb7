<?php
// Usage: php verify.php SECRET SIGNATURE < body
declare(strict_types=1);

/** $body must be the bytes as they came, not parsed and written again. */
function is_genuine(string $secret, string $signature, string $body): bool
{
    $expected = 'sha256=' . hash_hmac('sha256', $body, $secret);
    return hash_equals($expected, $signature);
}

[, $secret, $signature] = $argv;
exit(is_genuine($secret, $signature, file_get_contents('php://stdin')) ? 0 : 1);
