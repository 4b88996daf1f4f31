import { WebhookEvent } from '@inlay/protocol';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';

/** A request that is not an authentic webhook of the platform. Respond with status 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** Headers of a request: of the Fetch API, or of Node. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies the signature and the age of a webhook (Standard Webhooks), and parses it. Deliveries can be
 * repeated: handle each `webhook-id` once.
 *
 * @param body The body as it arrived, not parsed.
 * @param secret The secret of the endpoint, `whsec_…`.
 * @throws WebhookError If the signature is not valid, or more than five minutes old.
 * @example
 * ```ts
 * const event = verifyWebhook(await request.text(), request.headers, process.env.INLAY_WEBHOOK_SECRET);
 * ```
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | undefined,
): WebhookEvent {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new WebhookError('`body` must be the text of the request, not parsed JSON.');
  }
  if (!secret?.startsWith('whsec_')) {
    throw new WebhookError(
      '`secret` must be the secret of the endpoint, which begins with `whsec_`.',
    );
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const values = Object.fromEntries(names.map((name) => [name, headerOf(headers, name)]));
  try {
    return z.parse(WebhookEvent, new Webhook(secret).verify(text, values));
  } catch (cause) {
    const reason =
      cause instanceof Error && cause.name !== '$ZodError' ? cause.message : 'invalid body';
    throw new WebhookError(`The webhook cannot be verified: ${reason}.`, { cause });
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const value = (headers as Record<string, string | readonly string[] | undefined>)[name];
  return String(value ?? '');
}
