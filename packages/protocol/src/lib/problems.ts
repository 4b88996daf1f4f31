import * as z from 'zod/mini';

/**
 * The party that can fix a problem (`x-service-problem-origin`, service reference, section 7.3).
 */
export type ProblemOrigin = 'user' | 'platform' | 'upstream_provider';

/** Definition of a problem code. */
export interface ProblemDefinition {
  /** HTTP status. */
  readonly status: number;
  /** Last path segment of the `type` URL, `{base_url}/problems/<name>`. */
  readonly name: string;
  readonly title: string;
  /** Category (`x-service-problem-kind`). */
  readonly kind: string;
  readonly origin: ProblemOrigin;
  /** Whether retrying the same request may succeed. */
  readonly retryable: boolean;
  /** Recommended reaction of the client (`x-service-recovery-action`). */
  readonly recovery: string;
  /** Meaning and remedy, shown on the page at the `type` URL. */
  readonly help: string;
}

const define = <Code extends string>(table: Record<Code, ProblemDefinition>) => table;

/**
 * All problems that the platform returns (service reference, sections 7.1 to 7.4), with the
 * HTTP statuses that the reference leaves open. Clients must accept unlisted codes.
 */
export const problems = /* @__PURE__ */ define({
  VALIDATION_ERROR: {
    status: 400,
    name: 'validation-error',
    title: 'The request is not valid',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: 'A field is missing or breaks a rule. `detail` names the field and the rule, and `errors` lists every field with its JSON Pointer. Nothing was done. Change the request before you send it again.',
  },
  AUTHENTICATION_ERROR: {
    status: 401,
    name: 'authentication-error',
    title: 'The credential is missing or not valid',
    kind: 'authentication',
    origin: 'user',
    retryable: false,
    recovery: 'check_credential',
    help: 'Send `Authorization: Bearer <key>` with an API key from your backend, or an embed token from a browser. Do not retry with the same credential.',
  },
  EMBED_TOKEN_EXPIRED: {
    status: 401,
    name: 'embed-token-expired',
    title: 'The embed token has expired',
    kind: 'authentication',
    origin: 'user',
    retryable: false,
    recovery: 'refresh_token',
    help: 'Embed tokens live for minutes. Ask the host backend for a new one; the client kit does so by itself through `getToken`.',
  },
  EMBED_TOKEN_REVOKED: {
    status: 401,
    name: 'embed-token-revoked',
    title: 'The embed token was revoked',
    kind: 'authentication',
    origin: 'user',
    retryable: false,
    recovery: 'refresh_token',
    help: 'The host ended this token. Ask the host backend once whether the person may go on; if it gives no new token, the conversation is over.',
  },
  EMBED_USER_BLOCKED: {
    status: 403,
    name: 'embed-user-blocked',
    title: 'This end user is blocked',
    kind: 'permission',
    origin: 'user',
    retryable: false,
    recovery: 'contact_host',
    help: 'The host blocked this end user for this agent. No token is issued until the host unblocks the user.',
  },
  EMBED_FIELD_NOT_ALLOWED: {
    status: 403,
    name: 'embed-field-not-allowed',
    title: 'The embed policy does not allow this field',
    kind: 'permission',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: 'The agent’s embed policy forbids a field of this request, for example `agent_override`. Leave the field out, or allow it in the policy.',
  },
  EMBED_FEATURE_DISABLED: {
    status: 403,
    name: 'embed-feature-disabled',
    title: 'This agent does not offer that',
    kind: 'permission',
    origin: 'user',
    retryable: false,
    recovery: 'contact_host',
    help: 'The agent’s settings switch this off, for example exporting or deleting a conversation. `GET /agent/v1/embed/config` says in `features` what is on; the host changes it in `appearance.features`.',
  },
  EMBED_ORIGIN_NOT_ALLOWED: {
    status: 403,
    name: 'embed-origin-not-allowed',
    title: 'This page may not use the token or key',
    kind: 'permission',
    origin: 'user',
    retryable: false,
    recovery: 'allow_origin',
    help: 'The `Origin` of the request is not among the allowed origins of the token or publishable key. Add the exact origin (scheme, host and port) to the agent’s embed policy. An empty list denies every origin.',
  },
  EMBED_QUOTA_EXCEEDED: {
    status: 429,
    name: 'embed-quota-exceeded',
    title: 'The daily allowance is used up',
    kind: 'quota',
    origin: 'user',
    retryable: false,
    recovery: 'wait_until_tomorrow',
    help: 'A publishable key has a daily cap of sessions and of spend, per UTC calendar day. `retry-after` counts the seconds to the next UTC day.',
  },
  EMBED_BUDGET_EXCEEDED: {
    status: 402,
    name: 'embed-budget-exceeded',
    title: 'The budget of this conversation is spent',
    kind: 'quota',
    origin: 'user',
    retryable: false,
    recovery: 'start_new_session',
    help: 'Each session has a budget in cents, set when the token was issued. Start a new conversation, or issue tokens with a larger `budget_cents`.',
  },
  NOT_FOUND: {
    status: 404,
    name: 'not-found',
    title: 'There is nothing here',
    kind: 'not_found',
    origin: 'user',
    retryable: false,
    recovery: 'check_identifier',
    help: 'The resource or path does not exist, or this credential may not see it. A hosted link works once, within 60 seconds: ask for a new one.',
  },
  INVALID_PARAMS: {
    status: 400,
    name: 'invalid-params',
    title: 'The parameters are not valid',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: 'A parameter, the path, the cursor or the body is malformed, or two of them cannot be combined. `errors` lists the fields. Automation, databases and media libraries use this code.',
  },
  not_implemented: {
    status: 501,
    name: 'not-implemented',
    title: 'This is not implemented',
    kind: 'unsupported',
    origin: 'platform',
    retryable: false,
    recovery: 'use_supported_endpoint',
    help: 'The platform does not have this service. Do not retry.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    name: 'method-not-allowed',
    title: 'The path does not answer this method',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: 'The path exists, with other methods. The `Allow` header lists them.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    name: 'request-timeout',
    title: 'The request did not arrive in time',
    kind: 'validation',
    origin: 'user',
    retryable: true,
    recovery: 'retry_later',
    help: 'The request came too slowly, or stopped in the middle. Check the network and retry; for writes, confirm first that the request was not carried out, or send the same `Idempotency-Key`.',
  },
  CONFLICT: {
    status: 409,
    name: 'conflict',
    title: 'The state of the resource does not allow this',
    kind: 'conflict',
    origin: 'user',
    retryable: false,
    recovery: 'reread_state',
    help: 'The resource changed, or is in a state that this request does not fit: for example an archived session, or an idempotency key that was used with another body. Read it again and adjust the request.',
  },
  TOOL_CONFIRMATION_REQUIRED: {
    status: 409,
    name: 'tool-confirmation-required',
    title: 'The user has not confirmed this tool call',
    kind: 'conflict',
    origin: 'user',
    retryable: false,
    recovery: 'confirm_tool',
    help: 'The tool has `permission: "ask"`: its result is accepted only after the user has allowed the call. Show the call to the user, send their decision as a `user.tool_confirmation`, and run the tool only if they allow it.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    name: 'payload-too-large',
    title: 'The body is too large',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'reduce_content',
    help: 'The body is over the limit that `detail` names. Send less.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    name: 'headers-too-large',
    title: 'The headers of the request are too large',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'reduce_content',
    help: 'Address and headers together may have at most 16 KiB. Send fewer or shorter ones.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    name: 'unsupported-media-type',
    title: 'The content type is not supported',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: 'Send JSON with `Content-Type: application/json`.',
  },
  RATE_LIMITED: {
    status: 429,
    name: 'rate-limited',
    title: 'Too many requests',
    kind: 'rate_limit',
    origin: 'user',
    retryable: true,
    recovery: 'wait_and_retry',
    help: 'Wait for the seconds in `retry-after`. When the concurrency limit was hit, wait for one of your open requests to end.',
  },
  INTERNAL_ERROR: {
    status: 500,
    name: 'internal-error',
    title: 'Something went wrong on our side',
    kind: 'internal',
    origin: 'platform',
    retryable: true,
    recovery: 'retry_later',
    help: 'The platform failed. Retry later, and quote `X-Request-Id` when you report it.',
  },
  UPSTREAM_ERROR: {
    status: 502,
    name: 'upstream-error',
    title: 'The model provider failed',
    kind: 'upstream',
    origin: 'upstream_provider',
    retryable: true,
    recovery: 'retry_later',
    help: 'The model behind the agent failed or answered with something invalid. Retry with backoff.',
  },
  MODEL_NOT_FOUND: {
    status: 404,
    name: 'model-not-found',
    title: 'There is no such model',
    kind: 'not_found',
    origin: 'user',
    retryable: false,
    recovery: 'check_identifier',
    help: 'The model does not exist, or your account may not see it. Check its name.',
  },
  MODEL_PROTOCOL_NOT_OFFERED: {
    status: 404,
    name: 'model-protocol-not-offered',
    title: 'The model does not offer this protocol',
    kind: 'not_found',
    origin: 'user',
    retryable: false,
    recovery: 'change_model',
    help: 'Look up `supported_apis` of the model in `GET /model/v1/models`, and use the entry point that matches, with a body in its protocol.',
  },
  MODEL_PROTOCOL_LINE_UNAVAILABLE: {
    status: 503,
    name: 'model-protocol-line-unavailable',
    title: 'No line for this protocol is available',
    kind: 'unavailable',
    origin: 'platform',
    retryable: true,
    recovery: 'retry_later',
    help: 'Every qualified line of the model is busy or down. Retry with backoff, or choose another model.',
  },
  PROVIDER_SELECTION_NOT_ALLOWED: {
    status: 403,
    name: 'provider-selection-not-allowed',
    title: 'Providers may not be chosen here',
    kind: 'permission',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: '`order` and `only` go with an upstream key of your own. Send one, or leave them out.',
  },
  INPUT_NOT_REPRESENTABLE: {
    status: 400,
    name: 'input-not-representable',
    title: 'The model or protocol cannot express this input',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: 'An option of the request has no counterpart in the model or protocol that was chosen. Leave it out, or choose another model.',
  },
  validation_error: {
    status: 400,
    name: 'unsupported-parameter',
    title: 'The model does not support a parameter',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'change_model',
    help: '`param` names the parameter, for example `response_format`. Leave it out, or choose a model that supports it. `json_object` works with more models than `json_schema`, but does not guarantee the schema.',
  },
  thinking_disable_unsupported: {
    status: 400,
    name: 'thinking-disable-unsupported',
    title: 'The model cannot stop thinking',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: 'Thinking cannot be switched off for this model, for example with `reasoning_effort` set to `none`. Leave the setting out.',
  },
  INSUFFICIENT_BALANCE: {
    status: 402,
    name: 'insufficient-balance',
    title: 'The balance is used up',
    kind: 'quota',
    origin: 'user',
    retryable: false,
    recovery: 'top_up',
    help: 'The balance or paid quota of the account does not cover the request. Top up, or ask the account’s admin. The code differs by entry point.',
  },
  QUOTA_EXHAUSTED: {
    status: 429,
    name: 'budget_error',
    title: 'The month’s budget of the model is used up',
    kind: 'quota',
    origin: 'user',
    retryable: false,
    recovery: 'change_model',
    help: 'Waiting does not help within this month. Choose another model, or raise the budget.',
  },
  provider_unavailable: {
    status: 502,
    name: 'provider-unavailable',
    title: 'All providers of the model failed',
    kind: 'upstream',
    origin: 'upstream_provider',
    retryable: true,
    recovery: 'retry_later',
    help: 'Every available line failed. Retry with backoff, and choose another model if it goes on.',
  },
  UNPROCESSABLE_CONTENT: {
    status: 422,
    name: 'unprocessable-content',
    title: 'The content cannot be processed',
    kind: 'validation',
    origin: 'user',
    retryable: false,
    recovery: 'fix_request',
    help: 'The request is well-formed, but its content cannot be processed. `detail` says why.',
  },
  UPSTREAM_TIMEOUT: {
    status: 504,
    name: 'upstream-timeout',
    title: 'The model provider did not respond in time',
    kind: 'upstream',
    origin: 'upstream_provider',
    retryable: true,
    recovery: 'retry_later',
    help: 'The request may have been carried out. Retry with backoff; for writes, confirm the result first.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    name: 'service-unavailable',
    title: 'The service is not available just now',
    kind: 'unavailable',
    origin: 'platform',
    retryable: true,
    recovery: 'retry_later',
    help: 'The platform is starting, stopping or overloaded. Retry with backoff.',
  },
});

/** A problem code of the platform. Clients must accept any other string as well. */
export type ProblemCode = keyof typeof problems;

/** A validation error of one field. */
export const FieldError = z.looseObject({
  /** JSON Pointer (RFC 6901) into the body, or `/query/<name>`, or `/path/<name>`. */
  pointer: z.string(),
  message: z.string(),
});
export type FieldError = z.infer<typeof FieldError>;

/** Body of an error response: RFC 9457 with the extension members of the reference, section 7.2. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  /** Id of this occurrence, for support requests. */
  instance: z.string(),
  code: z.string(),
  retryable: z.boolean(),
  /** Rate limits only. */
  kind: z.optional(z.string()),
  /** Rate limits only: `platform` or `model`. */
  scope: z.optional(z.string()),
  /** The body parameter that the problem is about, for errors of models. */
  param: z.optional(z.string()),
  /** Numbers for programs: `rateLimit` of a model with `type`, `current` and `limit`. */
  details: z.optional(z.looseObject({})),
  /** Validation errors only: all invalid fields. */
  errors: z.optional(z.array(FieldError)),
});
export type Problem = z.infer<typeof Problem>;
