<?php
// The functions of WordPress that the plug-in calls, in a server that treats the cookie and the nonce as WordPress does.
define('ABSPATH', __DIR__);
$hooks = $routes = $settings = $shortcodes = [];
$user_id = ($_COOKIE['user'] ?? '') === 'ada' ? 7 : 0;
class WP_Error
{
    public function __construct(private string $code, private string $message = '', private mixed $data = null) {}
    public function get_error_code(): string { return $this->code; }
    public function get_error_message(): string { return $this->message; }
    public function get_error_data(): mixed { return $this->data; }
}
class WP_REST_Response
{
    public function __construct(public array $data, public int $status, public array $headers) {}
}
function add_action(string $name, callable $call): void { $GLOBALS['hooks'][$name][] = $call; }
function do_action(string $name, mixed ...$arguments): void { foreach ($GLOBALS['hooks'][$name] ?? [] as $call) $call(...$arguments); }
function apply_filters(string $name, mixed $value): mixed { return $value; }
function register_setting(string $group, string $name, array $options): void { $GLOBALS['settings'][$name] = $options; }
function register_rest_route(string $space, string $route, array $options): void { $GLOBALS['routes']["/wp-json/$space$route"] = $options; }
function add_shortcode(string $name, callable $call): void { $GLOBALS['shortcodes'][$name] = $call; }
function add_options_page(): void {}
function register_activation_hook(string $_file, callable $call): void { add_action('activate', $call); }
function register_uninstall_hook(): void {}
function add_option(string $_name, mixed $value): void { file_put_contents(getenv('OPTIONS'), json_encode($value)); }
function get_option(string $name, mixed $default): mixed
{
    $path = getenv('OPTIONS');
    return is_file($path) ? json_decode(file_get_contents($path), true) : $default;
}
function current_user_can(): bool { return true; }
function is_user_logged_in(): bool { return $GLOBALS['user_id'] > 0; }
function wp_get_current_user(): object { return (object) ['ID' => $GLOBALS['user_id'], 'display_name' => 'Ada']; }
function wp_create_nonce(): string { return 'nonce-of-ada'; }
function rest_url(string $path): string { return "http://{$_SERVER['HTTP_HOST']}/wp-json/$path"; }
function add_query_arg(string $name, string $value, string $url): string { return "$url?$name=$value"; }
function __(string $text): string { return $text; }
function esc_html(string $text): string { return htmlspecialchars($text); }
function esc_attr(string $text): string { return htmlspecialchars($text); }
function esc_html__(string $text): string { return htmlspecialchars($text); }
// As in WordPress, an address without a scheme gets one, and no text is refused.
function esc_url_raw(string $url): string { return str_replace(' ', '%20', str_contains($url, ':') || $url === '' ? $url : "http://$url"); }
function add_settings_error(string $_setting, string $_code, string $message): void { echo "<p>$message</p>"; }
function sanitize_text_field(string $text): string { return trim(strip_tags($text)); }
function wp_strip_all_tags(string $text): string { return strip_tags($text); }
function wp_json_encode(mixed $value): string { return json_encode($value, JSON_THROW_ON_ERROR); }
function settings_fields(): void {}
function submit_button(): void {}
function checked(): void {}
function is_wp_error(mixed $value): bool { return $value instanceof WP_Error; }
function wp_print_inline_script_tag(string $text): void { echo "<script>$text</script>"; }
function wp_print_script_tag(array $attributes): void
{
    echo '<script';
    foreach ($attributes as $name => $value) echo $value === true ? " $name" : " $name=\"" . htmlspecialchars($value) . '"';
    echo '></script>';
}
function wp_remote_post(string $url, array $options): array|WP_Error
{
    $headers = array_map(fn ($name, $value) => "$name: $value", array_keys($options['headers']), $options['headers']);
    $http = ['method' => 'POST', 'header' => $headers, 'content' => $options['body'], 'ignore_errors' => true];
    $body = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    return $body === false ? new WP_Error('http_request_failed') : ['body' => $body, 'lines' => $http_response_header];
}
function wp_remote_retrieve_response_code(array $response): int { return (int) explode(' ', $response['lines'][0])[1]; }
function wp_remote_retrieve_body(array $response): string { return $response['body']; }
function wp_remote_retrieve_header(array $response, string $name): string { return ''; }

require __DIR__ . '/../../demo/backends/wordpress/inlay.php';
do_action('admin_init');
do_action('rest_api_init');
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/settings') {
    if ($_SERVER['REQUEST_METHOD'] === 'POST') {
        $sanitize = $settings['inlay']['sanitize_callback'];
        $value = $sanitize($_POST['inlay']);
        // As in WordPress, an option that did not exist is sanitised again.
        if (!is_file(getenv('OPTIONS'))) $value = $sanitize($value);
        add_option('inlay', $value);
    }
    inlay_settings_page();
} elseif ($path === '/activate') {
    do_action('activate');
} elseif ($path === '/sign-out') {
    do_action('wp_logout', $user_id);
} elseif ($route = $routes[$path] ?? null) {
    // rest_cookie_check_errors: without a nonce, the request is that of a visitor; a wrong nonce is refused.
    $nonce = $_GET['_wpnonce'] ?? null;
    if ($nonce === null) $user_id = 0;
    $isAllowed = $route['permission_callback']();
    $response = match (true) {
        $nonce !== null && $nonce !== 'nonce-of-ada' => new WP_REST_Response(['code' => 'rest_cookie_invalid_nonce'], 403, []),
        !$isAllowed => new WP_REST_Response(['code' => 'rest_forbidden'], 401, []),
        default => $route['callback'](),
    };
    http_response_code($response->status);
    foreach ($response->headers as $name => $value) header("$name: $value");
    echo json_encode($response->data);
} else {
    if ($path === '/button') echo $shortcodes['inlay_button']([], 'Ask <b>us</b>');
    do_action('wp_footer');
}
