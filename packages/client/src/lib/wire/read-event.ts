import type {
  LiveEvent,
  LiveEventType,
  LogEvent,
  LogEventType,
  StreamError,
} from '@inlay/protocol';
import { session } from './answers.ts';
import { findFault, isRecord, type Shape, type ShapeFields } from './shape.ts';

/** What became of a piece of data that should be an event. */
export type ReadEvent =
  | { readonly kind: 'log'; readonly event: LogEvent }
  | { readonly kind: 'live'; readonly event: LiveEvent }
  /** The stream's token ended: `session.error` without a `seq`. */
  | { readonly kind: 'stream_error'; readonly event: StreamError }
  /** A type of a newer server, to be passed over. */
  | { readonly kind: 'unknown'; readonly type: string; readonly seq: number }
  /** Not an event, or one that lacks what its type needs. `fault` says where; never what. */
  | { readonly kind: 'invalid'; readonly fault: string; readonly seq: number };

const blocks: Shape = [{ type: 'string' }];
const error: Shape = {
  type: 'string',
  'code?': 'string',
  message: 'string',
  retry_status: { type: 'string' },
};

const logShapes: Record<LogEventType, ShapeFields> = {
  'user.message': { content: blocks },
  'user.interrupt': {},
  'user.tool_confirmation': { tool_use_id: 'string', result: 'string' },
  'user.custom_tool_result': { custom_tool_use_id: 'string', 'content?': blocks },
  'agent.message': { content: blocks },
  'agent.thinking': { 'content?': blocks },
  'agent.tool_use': { name: 'string', input: 'object' },
  'agent.tool_result': { tool_use_id: 'string', 'content?': blocks },
  'agent.custom_tool_use': { name: 'string', input: 'object' },
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
  'session.created': { session },
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

/** Reads an event from a parsed value, keeping fields that it does not know. Never throws. */
export function readEvent(value: unknown): ReadEvent {
  const seq = isRecord(value) && Number.isSafeInteger(value.seq) ? Number(value.seq) : 0;
  if (!isRecord(value) || typeof value.type !== 'string') {
    return { kind: 'invalid', fault: 'type', seq };
  }
  const { type } = value;
  if (type === 'session.error' && value.seq === undefined) {
    return checked(value, { error }, 'stream_error');
  }
  // `hasOwn`, because a hostile type such as `constructor` must not find a shape.
  if (Object.hasOwn(logShapes, type)) {
    const shape = { ...logged, ...logShapes[type as LogEventType] };
    return seq > 0 ? checked(value, shape, 'log') : { kind: 'invalid', fault: 'seq', seq };
  }
  if (Object.hasOwn(liveShapes, type)) {
    return checked(value, liveShapes[type as LiveEventType], 'live');
  }
  return { kind: 'unknown', type, seq };
}

const logged = { id: 'string', processed_at: 'string' } as const;

/** The one place where a checked value becomes an event. */
function checked(value: object, shape: Shape, kind: 'log' | 'live' | 'stream_error'): ReadEvent {
  const fault = findFault(value, shape);
  if (fault === null) return { kind, event: value } as ReadEvent;
  const seq = 'seq' in value ? Number(value.seq) || 0 : 0;
  return { kind: 'invalid', fault, seq };
}
