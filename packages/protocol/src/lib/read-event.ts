import type { LiveEvent, LiveEventType, LogEvent, LogEventType, StreamError } from './events.ts';
import { findFault, isRecord, type Shape, type ShapeFields, sessionShape } from './shape.ts';

/** Result of reading an event. `seq` is the position in the log, or 0 if there is none. */
export type ReadEvent =
  | { readonly kind: 'log'; readonly event: LogEvent }
  | { readonly kind: 'live'; readonly event: LiveEvent }
  /** The token of the stream expired or was revoked: a `session.error` without a `seq`. */
  | { readonly kind: 'stream_error'; readonly event: StreamError }
  /** An event type of a newer server, to be ignored. */
  | { readonly kind: 'unknown'; readonly type: string; readonly seq: number }
  /** Not an event, or an event with a missing or invalid field. `fault` is the path of the field. */
  | { readonly kind: 'invalid'; readonly fault: string; readonly seq: number };

const blocks: Shape = [{ type: 'string' }];
const error: Shape = {
  type: 'string',
  'code?': 'string',
  message: 'string',
  retry_status: { type: 'string' },
};

const logShapes: Record<LogEventType, ShapeFields> = {
  'user.message': { content: blocks, 'parent_id?': 'string', 'mode?': 'string' },
  'user.interrupt': {},
  'user.tool_confirmation': {
    tool_use_id: 'string',
    result: 'string',
    'deny_message?': 'string',
  },
  'user.custom_tool_result': { custom_tool_use_id: 'string', 'content?': blocks },
  'user.card_action': { card_id: 'string', action: 'string', 'values?': 'object' },
  'agent.message': { content: blocks },
  'agent.thinking': { 'content?': blocks },
  'agent.tool_use': { name: 'string', input: 'object' },
  'agent.tool_result': { tool_use_id: 'string', 'content?': blocks },
  'agent.custom_tool_use': { name: 'string', input: 'object' },
  'agent.card': { card: { blocks } },
  'agent.suggestions': { prompts: [{ label: 'string' }] },
  'session.status_running': {},
  'session.status_idle': { stop_reason: { type: 'string', 'event_ids?': ['string'] } },
  'session.status_rescheduled': {},
  'session.status_terminated': {},
  'session.updated': { 'title?': 'string', 'metadata?': 'object' },
  'session.deleted': {},
  'session.error': { error },
  'span.model_request_start': {},
  'span.model_request_end': {},
};

const liveShapes: Record<LiveEventType, Shape> = {
  'session.created': { session: sessionShape },
  event_start: { event: { id: 'string', type: 'string' } },
  event_delta: {
    event_id: 'string',
    delta: { index: 'number', content: { text: 'string' } },
  },
};

/** Reads an event from JSON text, such as the data of a server-sent event. Never throws. */
export function readEventText(text: string): ReadEvent {
  try {
    return readEvent(JSON.parse(text));
  } catch {
    return { kind: 'invalid', fault: 'JSON', seq: 0 };
  }
}

/** Reads an event from a parsed value. Unknown fields are kept. Never throws. */
export function readEvent(value: unknown): ReadEvent {
  if (!isRecord(value) || typeof value.type !== 'string') {
    return { kind: 'invalid', fault: 'type', seq: seqIn(value) };
  }
  const { type } = value;
  if (type === 'session.error' && value.seq === undefined) {
    return validate(value, { error }, 'stream_error');
  }
  // `hasOwn`, because a type such as `constructor` must not match an inherited property.
  if (Object.hasOwn(logShapes, type)) {
    return validate(value, { ...commonFields, ...logShapes[type as LogEventType] }, 'log');
  }
  return Object.hasOwn(liveShapes, type)
    ? validate(value, liveShapes[type as LiveEventType], 'live')
    : { kind: 'unknown', type, seq: seqIn(value) };
}

/** Returns the position of an event in the log, even if the event is invalid; 0 if there is none. */
export function seqOf(read: ReadEvent): number {
  return seqIn('event' in read ? read.event : read);
}

const commonFields = { id: 'string', processed_at: 'string' } as const;

function validate(value: object, shape: Shape, kind: 'log' | 'live' | 'stream_error'): ReadEvent {
  const seq = seqIn(value);
  const fault = kind === 'log' && seq === 0 ? 'seq' : findFault(value, shape);
  return fault === null ? ({ kind, event: value } as ReadEvent) : { kind: 'invalid', fault, seq };
}

function seqIn(value: unknown): number {
  const seq = isRecord(value) ? Number(value.seq) : 0;
  return Number.isSafeInteger(seq) && seq > 0 ? seq : 0;
}
