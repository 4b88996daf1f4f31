import type {
  AnonymousTokenResponse,
  Consent,
  EmbedConfig,
  ExchangeResponse,
  FeedbackList,
  Forgotten,
  Page,
  Problem,
  Session,
  VisitorClaim,
} from '@inlay/protocol';
import { findFault, type Shape, sessionShape } from '@inlay/protocol/shape';

/** Validates a JSON value. Returns null if it is invalid. */
export type Reader<Value> = (value: unknown) => Value | null;

/** Creates a reader that checks the shape of a value. */
export function readerOf<Value>(shape: Shape): Reader<Value> {
  return (value) => (findFault(value, shape) === null ? (value as Value) : null);
}

const pageShape = (item: Shape): Shape => ({
  data: [item],
  'next_page?': 'string',
  'next_cursor?': 'string',
});

export const readSession = readerOf<Session>(sessionShape);
export const readSessionPage = readerOf<Page<Session>>(pageShape(sessionShape));
/** Reads a page of events. Each event is then read by `readEvent`. */
export const readEventPage = readerOf<Page<unknown>>(pageShape('object'));
export const readExchange = readerOf<ExchangeResponse>({ token: 'string', expires_at: 'string' });
export const readAnonymousToken = readerOf<AnonymousTokenResponse>({
  token: 'string',
  expires_at: 'string',
  'visitor_secret?': 'string',
});
export const readConfig = readerOf<EmbedConfig>({
  agent: { id: 'string', name: 'string' },
  'greeting?': 'string',
  starter_prompts: [{ label: 'string' }],
  'welcome?': { card: { blocks: [{ type: 'string' }] } },
  features: 'object',
  image_origins: ['string'],
  theme: 'object',
  token: { expires_at: 'string', external_user_id: 'string' },
  server_time: 'string',
});
export const readProblem = readerOf<Problem>({
  code: 'string',
  detail: 'string',
  status: 'number',
  retryable: 'boolean',
});
export const readFeedback = readerOf<FeedbackList>({
  data: [{ event_id: 'string', rating: 'string' }],
});
export const readVisitorClaim = readerOf<VisitorClaim>({ sessions: 'number' });
export const readConsent = readerOf<Consent>({ given_at: 'string' });
export const readForgotten = readerOf<Forgotten>({ sessions: 'number', files: 'number' });
