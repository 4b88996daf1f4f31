import { getLines, getMessages } from '@microsoft/fetch-event-source/lib/esm/parse.js';
import type { Clock } from '../ports.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import { onAbort } from '../wait.ts';
import type { Activity } from './activity.ts';
import { safeCode, safeRequestId, safeType, shortenPath } from './redact.ts';

type ReportActivity = (activity: Activity) => void;

/** Maximum number of remembered tokens, so that late requests with an earlier token get its number. */
const maxTokens = 4;

/** Maximum length of an event in characters. Longer events are neither parsed nor reported. */
const maxEventLength = 1_048_576;

/**
 * Returns a `fetch` that reports requests, tokens and streams. It reads copies of the responses, and
 * reports only fields that can't contain a secret.
 */
export function observeRequests(
  { tokens, ports: { clock } }: { tokens: TokenManager; ports: { clock: Clock } },
  fetch: typeof globalThis.fetch,
  report: ReportActivity,
): typeof globalThis.fetch {
  const numberOf = createTokenNumbering(report);
  let streams = 0;
  tokens.subscribe(() => {
    const { status, error } = tokens.state;
    report({ type: 'auth', status, code: error && safeCode(error.code) });
  });
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const token = numberOf(headers.get('authorization'));
    const start = clock.mono();
    const request = { method: init.method ?? 'GET', path: shortenPath(String(input)) };
    const end = (status: number | null, code: string | null, requestId: string | null = null) => {
      const durationMs = Math.round(clock.mono() - start);
      report({ type: 'request', ...request, status, code, durationMs, requestId });
      if (status === 401 && code !== null && token > 0) {
        report({ type: 'token_rejected', token, code });
      }
    };
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      end(null, init.signal?.aborted ? 'ABORTED' : 'NETWORK_ERROR');
      throw error;
    }
    const { ok, status } = response;
    const requestId = safeRequestId(response.headers.get('x-request-id'));
    const type = response.headers.get('content-type') ?? '';
    if (!ok) {
      void readJson(response.clone()).then((problem) =>
        end(status, safeCode(problem.code), requestId),
      );
    } else {
      end(status, null, requestId);
      if (type.startsWith('text/event-stream')) {
        streams += 1;
        const after = headers.get('last-event-id');
        report({ type: 'stream_open', stream: streams, after: after === null ? null : +after });
        void followStream(response.clone(), { stream: streams, token, clock, report }, init.signal);
      } else if (request.path === '/embed/config') {
        void readJson(response.clone()).then(({ token: described, server_time }) => {
          const lifetimeMs =
            Date.parse(Object(described).expires_at) - Date.parse(`${server_time}`);
          if (lifetimeMs > 0) report({ type: 'token_accepted', token, lifetimeMs });
        });
      }
    }
    return response;
  };
}

/** Returns a function that numbers the tokens of `authorization` headers from 1. Without a header it returns 0. */
function createTokenNumbering(report: ReportActivity): (authorization: string | null) => number {
  const known = new Map<string, number>();
  let count = 0;
  return (authorization) => {
    if (authorization === null) return 0;
    const existing = known.get(authorization);
    if (existing) return existing;
    count += 1;
    known.set(authorization, count);
    for (const old of [...known.keys()].slice(0, -maxTokens)) known.delete(old);
    report({ type: 'token_issued', token: count });
    return count;
  };
}

/** Reads a copy of a stream to its end, and reports its events. */
async function followStream(
  { body }: Response,
  context: { stream: number; token: number; clock: Clock; report: ReportActivity },
  signal: AbortSignal | null | undefined,
): Promise<void> {
  const { stream, token, clock, report } = context;
  const start = clock.mono();
  const end = (cause: 'client' | 'platform' | 'network') =>
    report({ type: 'stream_end', stream, cause, durationMs: Math.round(clock.mono() - start) });
  if (!body) return end('platform');
  const reader = body.getReader();
  // The connection stays open until the response and its copy are both cancelled.
  const unsubscribe = signal
    ? onAbort(signal, () => void reader.cancel().catch(() => {}))
    : () => {};
  const ignore = () => {};
  const parse = getLines(
    getMessages(ignore, ignore, ({ data }) => reportMessage(data, stream, token, report)),
  );
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return end(signal?.aborted ? 'client' : 'platform');
      parse(value);
    }
  } catch {
    // The connection broke, or the client closed it.
    end(signal?.aborted ? 'client' : 'network');
  } finally {
    unsubscribe();
  }
}

function reportMessage(data: string, stream: number, token: number, report: ReportActivity) {
  if (data === '' || data.length > maxEventLength) return;
  let event: Record<string, unknown>;
  try {
    event = Object(JSON.parse(data));
  } catch {
    // The data is not JSON.
    report({ type: 'stream_event', stream, eventType: 'unknown', seq: null });
    return;
  }
  const seq = typeof event.seq === 'number' ? event.seq : null;
  report({ type: 'stream_event', stream, eventType: safeType(event.type), seq });
  // The platform ends a stream with the error of its token, such as a revocation.
  if (event.type === 'session.error' && seq === null) {
    report({ type: 'token_rejected', token, code: safeCode(Object(event.error).code) });
  }
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  return Object(await response.json().catch(() => null));
}
