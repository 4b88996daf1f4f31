<?php
// The backend of a site: sign-in, sign-out, and the token endpoint of the chat.
// Needs PHP 8.1 and nothing else: INLAY_API_KEY=sk-service-… php -S 127.0.0.1:3000 chat_token.php

declare(strict_types=1);

const AGENT = 'demo';

final class PlatformError extends Exception
{
    public function __construct(
        public readonly int $status,
        public readonly string $problem,
        public readonly int $retryAfter = 1,
    ) {
        parent::__construct("$status $problem");
    }
}

/** Sends a POST request. Retries it for at most $seconds after 429 and 503, with which it had no effect. */
function call_platform(string $path, array $body, float $seconds = 9): array
{
    $deadline = microtime(true) + $seconds;
    $platform = getenv('INLAY_URL') ?: 'http://localhost:8787';
    while (true) {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => [
                'Authorization: Bearer ' . getenv('INLAY_API_KEY'),
                'Content-Type: application/json',
            ],
            'content' => json_encode((object) $body, JSON_THROW_ON_ERROR),
            'timeout' => max($deadline - microtime(true), 0.1),
            'ignore_errors' => true, // Also returns the body of error responses.
        ]]);
        $text = @file_get_contents("$platform/agent/v1$path", false, $context);
        $lines = $http_response_header ?? [];
        if ($text === false || $lines === []) throw new PlatformError(502, 'UNREACHABLE');
        $status = (int) explode(' ', $lines[0])[1];
        $data = json_decode($text, true);
        if ($status < 300 && is_array($data)) return $data;
        $retryAfter = 1;
        foreach ($lines as $line) {
            if (preg_match('/^retry-after:\s*(\d+)$/i', $line, $found)) $retryAfter = (int) $found[1];
        }
        $isBusy = $status === 429 || $status === 503;
        if (!$isBusy || microtime(true) + $retryAfter >= $deadline) {
            throw new PlatformError($status < 300 ? 502 : $status, $data['code'] ?? 'UNKNOWN', $retryAfter);
        }
        sleep($retryAfter);
    }
}

function respond(int $status, array $body, array $headers = []): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    header('Cache-Control: no-store');
    foreach ($headers as $name => $value) header("$name: $value");
    echo json_encode((object) $body);
}

function is_same_origin(): bool
{
    $site = $_SERVER['HTTP_SEC_FETCH_SITE'] ?? null;
    if ($site !== null) return $site === 'same-origin';
    $origin = $_SERVER['HTTP_ORIGIN'] ?? null;
    return $origin === null || preg_replace('#^\w+://#', '', $origin) === $_SERVER['HTTP_HOST'];
}

function chat_token(): void
{
    $user = $_SESSION['user'] ?? null;
    session_write_close(); // Other requests of the session don't wait for the platform.
    if ($user === null || $user['signed_out']) {
        respond(401, ['code' => 'SIGNED_OUT']);
        return;
    }
    try {
        $issued = call_platform('/embed_tokens', [
            'agent' => AGENT,
            'external_user_id' => $user['id'],
            'system_message' => [['type' => 'text', 'text' => "The user's name is {$user['name']}."]],
            'metadata' => ['plan' => $user['plan']],
        ]);
        respond(200, ['token' => $issued['token'], 'expires_at' => $issued['expires_at']]);
    } catch (PlatformError $error) {
        respond_to_failure($error);
    }
}

function respond_to_failure(PlatformError $error): void
{
    if ($error->problem === 'EMBED_USER_BLOCKED') {
        respond(403, ['code' => $error->problem]);
        return;
    }
    error_log("The platform answered: {$error->getMessage()}");
    if ($error->status === 429 || $error->status === 503) {
        respond(503, ['code' => 'TOKEN_UNAVAILABLE'], ['Retry-After' => (string) $error->retryAfter]);
    } elseif ($error->status >= 500) {
        respond(502, ['code' => 'TOKEN_UNAVAILABLE']);
    } else {
        respond(500, ['code' => 'MISCONFIGURED']); // A retry can't help.
    }
}

function sign_in(): void
{
    // Stands for your own sign-in.
    session_regenerate_id(true);
    $_SESSION['user'] = ['id' => 'ada', 'name' => 'Ada', 'plan' => 'first', 'signed_out' => false];
    respond(200, []);
}

function sign_out(): void
{
    $user = $_SESSION['user'] ?? null;
    if ($user === null) {
        session_destroy();
        respond(200, []);
        return;
    }
    // Ends the session first, because otherwise the chat could get another token. Keeps the user until
    // the tokens are revoked, so that the call can be repeated.
    $_SESSION['user']['signed_out'] = true;
    session_write_close();
    try {
        call_platform('/agents/' . AGENT . '/end_users/' . rawurlencode($user['id']) . '/revoke_tokens', []);
        session_start();
        session_destroy();
        respond(200, []);
    } catch (PlatformError $error) {
        error_log("The tokens of {$user['id']} are still valid: {$error->getMessage()}");
        respond(502, ['code' => 'NOT_REVOKED']); // Retry later.
    }
}

session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax', 'cache_limiter' => '']);
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($_SERVER['REQUEST_METHOD'] !== 'POST') respond(405, ['code' => 'METHOD_NOT_ALLOWED']);
elseif (!is_same_origin()) respond(403, ['code' => 'ORIGIN_NOT_ALLOWED']);
elseif ($path === '/api/chat-token') chat_token();
elseif ($path === '/sign-in') sign_in();
elseif ($path === '/sign-out') sign_out();
else respond(404, ['code' => 'NOT_FOUND']);
