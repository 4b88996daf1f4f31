import * as z from 'zod/mini';
import { type LiveEvent, type LogEvent, liveEvents, logEvents, StreamError } from './events.ts';

/** Result of parsing an event. */
export type ReadEvent =
  | { kind: 'log'; event: LogEvent }
  | { kind: 'live'; event: LiveEvent }
  /** The token of the stream ended: a `session.error` without a `seq`. */
  | { kind: 'stream_error'; event: StreamError }
  /** An event type of a newer server, to be ignored. `seq` is null if it is not a logged event. */
  | { kind: 'unknown'; type: string; seq: number | null }
  /** Not an event, or an event of a known type with missing or invalid fields. */
  | { kind: 'invalid'; issues: string };

/** Parses an event from JSON text, such as the `data` of a server-sent event. Never throws. */
export function readEventText(text: string): ReadEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid', issues: 'the data is not JSON' };
  }
  return readEvent(value);
}

/** Parses an event from a JSON value and keeps unknown fields. Never throws. */
export function readEvent(value: unknown): ReadEvent {
  if (typeof value !== 'object' || value === null || !('type' in value)) {
    return { kind: 'invalid', issues: 'an event is an object with a type' };
  }
  const { type } = value;
  if (typeof type !== 'string') return { kind: 'invalid', issues: 'the type is not a string' };

  if (type === 'session.error' && !('seq' in value)) {
    const result = z.safeParse(StreamError, value);
    return result.success ? { kind: 'stream_error', event: result.data } : invalid(result.error);
  }
  // `hasOwn`, because a type such as `constructor` would find a property of `Object.prototype`.
  if (Object.hasOwn(logEvents, type)) {
    const result = z.safeParse(logEvents[type as keyof typeof logEvents], value);
    return result.success ? { kind: 'log', event: result.data } : invalid(result.error);
  }
  if (Object.hasOwn(liveEvents, type)) {
    const result = z.safeParse(liveEvents[type as keyof typeof liveEvents], value);
    return result.success ? { kind: 'live', event: result.data } : invalid(result.error);
  }
  const seq = 'seq' in value && Number.isSafeInteger(value.seq) ? Number(value.seq) : null;
  return { kind: 'unknown', type, seq };
}

function invalid(error: z.core.$ZodError): ReadEvent {
  const issues = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ');
  return { kind: 'invalid', issues };
}
