import { idPrefix } from '@inlay/protocol';
import { PlatformError } from './platform-error.ts';
import { requireDelay } from './require-delay.ts';

export interface PlatformClientOptions {
  /** The platform's address, for example `https://chat.example`. */
  baseUrl: string;
  /**
   * API key (`sk-service-…`), from the environment of the backend. Without a key, every call rejects
   * with `INVALID_OPTION`. The client can be created nevertheless, because frameworks load modules at
   * build time, when secrets are not available.
   */
  apiKey: string | undefined;
  /**
   * Timeout in milliseconds: of each attempt of a call, or of a token issuance with all its attempts.
   * From 1 to 2,147,483,647.
   *
   * @default 10_000
   */
  timeoutMs?: number;
  /**
   * Maximum number of retries of an idempotent call. Token issuances ignore it: after 429 or 503, they
   * are retried until their timeout. An integer, 0 or more.
   *
   * @default 2
   */
  maxRetries?: number;
  /**
   * Maximum number of token issuances in flight; further ones wait. Keep it below
   * `limits.api_key.concurrent` of the platform (4 by default), so that a call remains for revoking and
   * blocking, and raise both for more users. An integer, 1 or more.
   *
   * @default 3
   */
  concurrentIssuances?: number;
  /** @default globalThis.fetch */
  fetch?: typeof fetch;
}

/**
 * Validates the options of a client, and adds the defaults.
 *
 * @throws PlatformError `INVALID_OPTION`, with the remedy. A missing `apiKey` is reported by the
 *   returned `apiKey()`.
 */
export function readClientOptions(options: PlatformClientOptions) {
  const apiKey = options.apiKey ? apiKeyOf(options.apiKey) : null;
  return {
    baseUrl: baseUrlOf(options.baseUrl),
    apiKey: () => apiKey ?? throwMissingApiKey(),
    timeoutMs: requireDelay('timeoutMs', options.timeoutMs ?? 10_000),
    maxRetries: requireCount('maxRetries', options.maxRetries ?? 2),
    concurrentIssuances: requireCount('concurrentIssuances', options.concurrentIssuances ?? 3, 1),
    fetch: options.fetch ?? globalThis.fetch,
  };
}

function baseUrlOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new PlatformError(
      'INVALID_OPTION',
      "baseUrl must be the platform's http(s) address, such as https://chat.example.",
    );
  }
  // The parsed URL, because the parser ignores white space around `value`.
  return url.href.replace(/\/+$/, '');
}

function requireCount(name: string, value: number, minimum = 0): number {
  if (Number.isInteger(value) && value >= minimum) return value;
  throw new PlatformError(
    'INVALID_OPTION',
    `\`${name}\` must be an integer that is ${minimum} or more. It is ${value}. Omit it to use the default.`,
  );
}

function apiKeyOf(value: string): string {
  if (typeof value === 'string' && value.startsWith(idPrefix.publishableKey)) {
    throw new PlatformError(
      'INVALID_OPTION',
      'apiKey is a publishable key (pk_…). A backend needs the API key (sk-service-…).',
    );
  }
  // The message does not contain the value, which may be a part of a real key.
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new PlatformError(
      'INVALID_OPTION',
      'apiKey must be the API key (sk-service-…), without spaces and line breaks.',
    );
  }
  return value;
}

function throwMissingApiKey(): never {
  throw new PlatformError(
    'INVALID_OPTION',
    "apiKey is missing. Set the environment variable INLAY_API_KEY of your backend to the platform's API key (sk-service-…), and restart it.",
  );
}
