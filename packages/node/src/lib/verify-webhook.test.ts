import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from './verify-webhook.ts';

const secret = `whsec_${Buffer.from('a secret of 24 bytes long').toString('base64')}`;
const event = { type: 'session.created', timestamp: '2026-01-15T12:00:00.000Z', data: { a: 'b' } };
const body = JSON.stringify(event);

function headersAt(time: Date, text = body) {
  return {
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('whd_1', time, text),
  };
}

describe('verifyWebhook', () => {
  it('returns the event of a text or of bytes, with headers of the Fetch API or of Node', () => {
    const headers = headersAt(new Date());

    expect(verifyWebhook(body, headers, secret)).toEqual(event);
    expect(verifyWebhook(Buffer.from(body), new Headers(headers), secret)).toEqual(event);
  });

  it('accepts one of several signatures, as after a rotation', () => {
    const headers = headersAt(new Date());
    const signatures = `v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`;

    expect(verifyWebhook(body, { ...headers, 'webhook-signature': signatures }, secret)).toEqual(
      event,
    );
  });

  it.each<[string, () => unknown, string]>([
    ['a changed body', () => verifyWebhook(`${body} `, headersAt(new Date()), secret), 'signature'],
    ['missing headers', () => verifyWebhook(body, {}, secret), 'Missing required headers'],
    [
      'an old request',
      () => verifyWebhook(body, headersAt(new Date(Date.now() - 600_000)), secret),
      'too old',
    ],
    [
      'another JSON value',
      () => verifyWebhook('[]', headersAt(new Date(), '[]'), secret),
      'invalid body',
    ],
    ['parsed JSON', () => verifyWebhook(event as never, {}, secret), 'not parsed JSON'],
    ['no secret', () => verifyWebhook(body, headersAt(new Date()), undefined), 'whsec_'],
  ])('throws for %s', (_, verify, message) => {
    expect(verify).toThrow(WebhookError);
    expect(verify).toThrow(message);
  });
});
