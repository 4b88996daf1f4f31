<?php
// Receives webhooks of the platform, and verifies them as Standard Webhooks demands.
// Needs PHP 8.1 and nothing else: INLAY_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 webhooks.php

declare(strict_types=1);

/** Returns the event; null if the signature is not valid, or more than five minutes old. */
function verify_webhook(string $body, string $id, string $timestamp, string $signatures): ?array
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $secret = base64_decode(substr((string) getenv('INLAY_WEBHOOK_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
    // There are two while a secret is being replaced.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true);
        }
    }
    return null;
}

$event = verify_webhook(
    file_get_contents('php://input'),
    $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
    $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
    $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
);
if ($event !== null) {
    error_log($event['type'] . ' ' . json_encode($event['data']));
}
http_response_code($event === null ? 400 : 204);
