import { webhookEventTypes } from '@inlay/protocol';
import * as z from 'zod';
import { filterQuery, oneOf } from '../http/filters.ts';
import { pageQuery } from '../http/paging.ts';

const unique = <Value>(values: Value[]) => [...new Set(values)];

const settings = {
  url: z
    .string()
    .max(2048, 'must have at most 2048 characters')
    .refine(
      isUsable,
      'must be a URL such as `https://example.com/webhooks`, without credentials and `#`',
    )
    .describe('Receives the events with POST. It must use HTTPS, and have a public address.'),
  events: z
    .array(oneOf(webhookEventTypes))
    .min(1, 'must name at least one type of events')
    .transform(unique)
    .describe('Types of the events that the endpoint receives.'),
  include: z
    .array(oneOf(['text']))
    .transform(unique)
    .describe(
      '`text`: the events contain the texts of messages and feedback. By default ids only.',
    ),
  description: z
    .string()
    .max(500, 'must have at most 500 characters')
    .nullable()
    .describe('A description for your own use.'),
};

export const CreateWebhookEndpointRequest = z
  .strictObject({
    ...settings,
    include: settings.include.default([]),
    description: settings.description.default(null),
  })
  .meta({ id: 'CreateWebhookEndpointRequest' });

export const UpdateWebhookEndpointRequest = z
  .strictObject({
    ...settings,
    disabled: z.boolean().describe('Disabled endpoints receive nothing.'),
  })
  .partial()
  .meta({ id: 'UpdateWebhookEndpointRequest' });

const time = (description: string) =>
  z.iso
    .datetime({
      offset: true,
      error: 'must be a time in RFC 3339, such as 2026-01-31T12:00:00Z',
    })
    .transform((text) => Date.parse(text))
    .describe(description);

export const ReplayRequest = z
  .strictObject({
    from: time('Time of the first event.'),
    to: time('Time after the last event.'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than `from`' })
  .meta({ id: 'ReplayWebhooksRequest' });

export const EndpointQuery = filterQuery(pageQuery);

export const DeliveryQuery = filterQuery({
  status: oneOf(['queued', 'in_progress', 'delivered', 'failed', 'skipped']).optional(),
  ...pageQuery,
});

function isUsable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === '' && password === '' && hash === '';
}
