# frozen_string_literal: true

# The backend of a site, as a Rack application: sign-in, sign-out, and the token endpoint of the chat.
# Needs Ruby 3.0 and its standard library. In config.ru: require_relative 'chat_token'; run ChatToken

require 'json'
require 'net/http'
require 'securerandom'
require 'uri'

module ChatToken
  PLATFORM = ENV.fetch('INLAY_URL', 'http://localhost:8787')
  API_KEY = ENV.fetch('INLAY_API_KEY', '')
  AGENT = 'demo'

  # Users by session id, in place of your own sessions.
  SESSIONS = {}

  class PlatformError < StandardError
    attr_reader :status, :code, :retry_after

    def initialize(status, code, retry_after = 1)
      super("#{status} #{code}")
      @status = status
      @code = code
      @retry_after = retry_after
    end
  end

  module_function

  def call(env)
    return respond(405, { code: 'METHOD_NOT_ALLOWED' }) unless env['REQUEST_METHOD'] == 'POST'
    return respond(403, { code: 'ORIGIN_NOT_ALLOWED' }) unless same_origin?(env)

    case env['PATH_INFO']
    when '/api/chat-token' then chat_token(env)
    when '/sign-in' then sign_in
    when '/sign-out' then sign_out(env)
    else respond(404, { code: 'NOT_FOUND' })
    end
  end

  def chat_token(env)
    user = SESSIONS[session_id(env)]
    return respond(401, { code: 'SIGNED_OUT' }) if user.nil? || user[:signed_out]

    identity = {
      external_user_id: user[:id],
      system_message: [{ type: 'text', text: "The user's name is #{user[:name]}." }],
      metadata: { plan: user[:plan] }
    }
    issued = call_platform('/embed_tokens', { agent: AGENT, **identity })
    respond(200, issued.slice('token', 'expires_at'))
  rescue PlatformError => e
    respond_to_failure(e)
  end

  def respond_to_failure(error)
    return respond(403, { code: error.code }) if error.code == 'EMBED_USER_BLOCKED'

    warn "The platform answered: #{error.message}"
    if [429, 503].include?(error.status)
      respond(503, { code: 'TOKEN_UNAVAILABLE' }, 'retry-after' => error.retry_after.to_s)
    elsif error.status >= 500
      respond(502, { code: 'TOKEN_UNAVAILABLE' })
    else
      respond(500, { code: 'MISCONFIGURED' }) # A retry can't help.
    end
  end

  def sign_in
    session = SecureRandom.urlsafe_base64(32)
    SESSIONS[session] = { id: 'ada', name: 'Ada', plan: 'first', signed_out: false }
    respond(200, {}, 'set-cookie' => "session=#{session}; HttpOnly; SameSite=Lax; Path=/")
  end

  def sign_out(env)
    user = SESSIONS[session_id(env)]
    return respond(200, {}) unless user

    # Ends the session first, because otherwise the chat could get another token. Keeps the user until
    # the tokens are revoked, so that the call can be repeated.
    user[:signed_out] = true
    id = URI.encode_www_form_component(user[:id])
    call_platform("/agents/#{AGENT}/end_users/#{id}/revoke_tokens", {})
    SESSIONS.delete(session_id(env))
    respond(200, {})
  rescue PlatformError => e
    warn "The tokens of #{user[:id]} are still valid: #{e.message}"
    respond(502, { code: 'NOT_REVOKED' }) # Retry later.
  end

  # Sends a POST request. Retries it for at most `seconds` after 429 and 503, with which it had no effect.
  def call_platform(path, body, seconds: 9)
    deadline = now + seconds
    loop do
      response = post(URI("#{PLATFORM}/agent/v1#{path}"), body, [deadline - now, 0.1].max)
      data = JSON.parse(response.body)
      status = response.code.to_i
      return data if status < 300

      wait = Integer(response['retry-after'] || 1, exception: false) || 1
      if ![429, 503].include?(status) || now + wait >= deadline
        raise PlatformError.new(status, data['code'], wait)
      end

      sleep wait
    end
  rescue SystemCallError, SocketError, Timeout::Error, IOError, OpenSSL::SSL::SSLError, JSON::ParserError => e
    warn e.message
    raise PlatformError.new(502, 'UNREACHABLE')
  end

  def post(url, body, seconds)
    headers = { 'authorization' => "Bearer #{API_KEY}", 'content-type' => 'application/json' }
    options = {
      use_ssl: url.scheme == 'https', open_timeout: seconds, read_timeout: seconds, max_retries: 0
    }
    Net::HTTP.start(url.host, url.port, **options) do |http|
      http.post(url.path, JSON.generate(body), headers)
    end
  end

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def same_origin?(env)
    site = env['HTTP_SEC_FETCH_SITE']
    return site == 'same-origin' if site

    origin = env['HTTP_ORIGIN']
    origin.nil? || origin.sub(%r{\A\w+://}, '') == env['HTTP_HOST']
  end

  def session_id(env)
    env['HTTP_COOKIE'].to_s[/(?:\A|;\s*)session=([^;]+)/, 1]
  end

  def respond(status, body, headers = {})
    all = { 'content-type' => 'application/json', 'cache-control' => 'no-store' }.merge(headers)
    [status, all, [JSON.generate(body)]]
  end
end
