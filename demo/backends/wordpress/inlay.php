<?php
/**
 * Plugin Name: Inlay
 * Description: An AI agent on your site, as the signed-in user or as a visitor.
 * Version: 0.1.0
 * Requires at least: 6.0
 * Requires PHP: 8.1
 * License: MIT
 *
 * The API key never reaches the page: the browser gets short-lived tokens from the REST route below.
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

const INLAY_DEFAULTS = [
    'server_url' => '',
    'agent' => '',
    'publishable_key' => '',
    'api_key' => '',
    'everywhere' => '1',
];

function inlay_options(): array
{
    $options = array_merge(INLAY_DEFAULTS, (array) get_option('inlay', []));
    // A key in wp-config.php is not in backups of the database.
    if (defined('INLAY_API_KEY')) $options['api_key'] = (string) INLAY_API_KEY;
    return $options;
}

function inlay_sanitize_options(mixed $input): array
{
    $input = (array) $input;
    $old = array_merge(INLAY_DEFAULTS, (array) get_option('inlay', []));
    $text = fn (string $name): string => sanitize_text_field((string) ($input[$name] ?? ''));
    $url = rtrim(trim((string) ($input['server_url'] ?? '')), '/');
    // esc_url_raw makes an address of any text.
    $is_address = preg_match('#^https?://#i', $url) && filter_var($url, FILTER_VALIDATE_URL);
    $url = $is_address ? esc_url_raw($url, ['https', 'http']) : '';
    if ($url === '') {
        add_settings_error('inlay', 'server_url', __('Server URL: enter an address such as https://chat.example.', 'inlay'));
        $url = $old['server_url'];
    }
    // The form does not contain the stored key, so an empty field keeps it, unless it would go to another server.
    $kept = $url === $old['server_url'] ? $old['api_key'] : '';
    return [
        'server_url' => $url,
        'agent' => $text('agent'),
        'publishable_key' => $text('publishable_key'),
        'api_key' => $text('api_key') ?: $kept,
        'everywhere' => empty($input['everywhere']) ? '' : '1',
    ];
}

function inlay_settings_page(): void
{
    if (!current_user_can('manage_options')) return;
    $options = inlay_options();
    $fields = [
        'server_url' => [__('Server URL', 'inlay'), 'url', __('The address of your Inlay server, such as https://chat.example.', 'inlay')],
        'agent' => [__('Agent', 'inlay'), 'text', __('The short id of the agent.', 'inlay')],
        'publishable_key' => [__('Publishable key', 'inlay'), 'text', __('For visitors who are not signed in. Without it, they see no chat.', 'inlay')],
        'api_key' => [__('API key', 'inlay'), 'password', __('Stored on this server and never shown. Leave it empty to keep the stored key. Enter it again when you change the server URL.', 'inlay')],
    ];
    ?>
    <div class="wrap">
        <h1><?php echo esc_html__('Inlay', 'inlay'); ?></h1>
        <form method="post" action="options.php">
            <?php settings_fields('inlay'); ?>
            <table class="form-table" role="presentation">
                <?php foreach ($fields as $name => [$label, $type, $help]) : ?>
                    <tr>
                        <th scope="row"><label for="<?php echo esc_attr("inlay-$name"); ?>"><?php echo esc_html($label); ?></label></th>
                        <td>
                            <input class="regular-text" autocomplete="off" type="<?php echo esc_attr($type); ?>"
                                id="<?php echo esc_attr("inlay-$name"); ?>" name="<?php echo esc_attr("inlay[$name]"); ?>"
                                value="<?php echo esc_attr($name === 'api_key' ? '' : $options[$name]); ?>"
                                aria-describedby="<?php echo esc_attr("inlay-$name-help"); ?>">
                            <p class="description" id="<?php echo esc_attr("inlay-$name-help"); ?>"><?php echo esc_html($help); ?></p>
                        </td>
                    </tr>
                <?php endforeach; ?>
                <tr>
                    <th scope="row"><?php echo esc_html__('Launcher', 'inlay'); ?></th>
                    <td><label><input type="checkbox" name="inlay[everywhere]" value="1" <?php checked($options['everywhere'], '1'); ?>>
                        <?php echo esc_html__('On all pages', 'inlay'); ?></label></td>
                </tr>
            </table>
            <?php submit_button(); ?>
        </form>
    </div>
    <?php
}

/** Sends a POST request to the platform. The error contains the status and the problem code, never the key. */
function inlay_call(string $path, array $body): array|WP_Error
{
    $options = inlay_options();
    $response = wp_remote_post($options['server_url'] . '/agent/v1' . $path, [
        'timeout' => 9, // The chat waits 10 seconds for a token.
        'redirection' => 0, // A redirect could send the key elsewhere.
        'headers' => ['Authorization' => 'Bearer ' . $options['api_key'], 'Content-Type' => 'application/json'],
        'body' => wp_json_encode((object) $body),
    ]);
    if (is_wp_error($response)) return new WP_Error('UNREACHABLE', $response->get_error_message(), ['status' => 502]);
    $status = (int) wp_remote_retrieve_response_code($response);
    $data = json_decode(wp_remote_retrieve_body($response), true);
    if ($status >= 200 && $status < 300 && is_array($data)) return $data;
    return new WP_Error((string) ($data['code'] ?? 'UNKNOWN'), "The platform answered $status.", [
        'status' => $status < 400 ? 502 : $status,
        'retry_after' => wp_remote_retrieve_header($response, 'retry-after') ?: '1',
    ]);
}

function inlay_token(): WP_REST_Response
{
    $user = wp_get_current_user();
    $request = [
        'agent' => inlay_options()['agent'],
        'external_user_id' => (string) $user->ID,
        'system_message' => [['type' => 'text', 'text' => 'The name of the user is ' . wp_json_encode($user->display_name) . '.']],
    ];
    // Filters can add fields, such as metadata, but can't change who the user is.
    $request = array_merge((array) apply_filters('inlay_token_request', $request, $user), ['external_user_id' => (string) $user->ID]);
    $issued = inlay_call('/embed_tokens', $request);
    $headers = ['Cache-Control' => 'no-store'];
    if (!is_wp_error($issued)) {
        return new WP_REST_Response(['token' => $issued['token'], 'expires_at' => $issued['expires_at']], 200, $headers);
    }
    $code = $issued->get_error_code();
    if ($code === 'EMBED_USER_BLOCKED') return new WP_REST_Response(['code' => $code], 403, $headers);
    error_log("Inlay: $code: {$issued->get_error_message()}");
    $data = $issued->get_error_data();
    if ($data['status'] === 429 || $data['status'] === 503) {
        return new WP_REST_Response(['code' => 'TOKEN_UNAVAILABLE'], 503, $headers + ['Retry-After' => $data['retry_after']]);
    }
    if ($data['status'] >= 500) return new WP_REST_Response(['code' => 'TOKEN_UNAVAILABLE'], 502, $headers);
    return new WP_REST_Response(['code' => 'MISCONFIGURED'], 500, $headers); // A retry can't help.
}

function inlay_print_script(): void
{
    static $printed = false;
    $options = inlay_options();
    $signed_in = is_user_logged_in() && $options['api_key'] !== '';
    if ($printed || $options['server_url'] === '' || (!$signed_in && $options['publishable_key'] === '')) return;
    $printed = true;
    $attributes = ['async' => true, 'src' => esc_url_raw($options['server_url'] . '/inlay.js'), 'data-agent' => $options['agent']];
    if ($options['publishable_key'] !== '') $attributes['data-publishable-key'] = $options['publishable_key'];
    if ($signed_in) {
        // WordPress takes a request with cookies but without this nonce for one of a visitor.
        $nonce = wp_create_nonce('wp_rest');
        $attributes['data-token-url'] = esc_url_raw(add_query_arg('_wpnonce', $nonce, rest_url('inlay/v1/token')));
    }
    wp_print_script_tag($attributes);
}

/** `[inlay_button]Ask us[/inlay_button]`: a button that opens the chat, and loads it on pages without the launcher. */
function inlay_button(mixed $_attributes = [], ?string $content = null): string
{
    add_action('wp_footer', 'inlay_print_script');
    add_action('wp_footer', 'inlay_print_button_script');
    $label = $content ?: __('Chat with us', 'inlay');
    return '<button type="button" class="wp-element-button" data-inlay-open>' . esc_html(wp_strip_all_tags($label)) . '</button>';
}

function inlay_print_button_script(): void
{
    wp_print_inline_script_tag("for (const button of document.querySelectorAll('[data-inlay-open]')) button.onclick = () => globalThis.inlay?.open?.();");
}

add_action('admin_init', fn () => register_setting('inlay', 'inlay', ['type' => 'array', 'sanitize_callback' => 'inlay_sanitize_options']));
add_action('admin_menu', fn () => add_options_page('Inlay', 'Inlay', 'manage_options', 'inlay', 'inlay_settings_page'));
add_action('rest_api_init', fn () => register_rest_route('inlay/v1', '/token', [
    'methods' => 'POST',
    'callback' => 'inlay_token',
    'permission_callback' => 'is_user_logged_in',
]));
add_action('wp_footer', fn () => inlay_options()['everywhere'] && inlay_print_script());
add_shortcode('inlay_button', 'inlay_button');
// Open conversations of the user end with the session of the site.
add_action('wp_logout', function (int $user_id): void {
    $options = inlay_options();
    if ($options['api_key'] === '') return;
    $result = inlay_call('/agents/' . rawurlencode($options['agent']) . "/end_users/$user_id/revoke_tokens", []);
    if (is_wp_error($result)) error_log("Inlay: the tokens of user $user_id are still valid: {$result->get_error_code()}");
});
// WordPress sanitises a new option twice, and would show each error twice.
register_activation_hook(__FILE__, fn () => add_option('inlay', INLAY_DEFAULTS));
register_uninstall_hook(__FILE__, 'inlay_uninstall');
function inlay_uninstall(): void
{
    delete_option('inlay');
}
