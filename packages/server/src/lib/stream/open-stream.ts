import { type DeltaType, deltaTypes, type LiveEvent, parseStreamId } from '@inlay/protocol';
import type { Context } from 'hono';
import { requireToken } from '../auth/authenticate.ts';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Services } from '../deps.ts';
import type { EventLog } from '../events/event-log.ts';
import type { AppEnv } from '../http/env.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from '../problems/api-error.ts';
import { frame } from './frame.ts';
import { Reader } from './reader.ts';
import type { StreamHub } from './stream-hub.ts';

export interface StreamRequest {
  readonly caller: EndUserCaller;
  readonly sessionId: string;
  /** The last event of the log that the client has. */
  readonly after: number;
  /** `event_deltas[]`, as it was sent. Types without fragments are passed over. */
  readonly deltas: string | string[] | undefined;
  /** Sent before everything else. */
  readonly first?: LiveEvent<'session.created'>;
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx and its kin gather answers unless they are told not to.
  'x-accel-buffering': 'no',
};

/**
 * Answers with a session's stream. It writes to Node's own response: a web stream between the two
 * costs half as much memory again, and twice the time for each event.
 */
export async function openStream(
  c: Context<AppEnv>,
  ports: { services: Services; hub: StreamHub },
  request: StreamRequest,
): Promise<Response> {
  // Made with `c.body`, so that it carries what middleware prepared: request id, limits, CORS.
  const prepared = c.body(null, 200, headers);
  if (c.req.method === 'HEAD') return prepared;
  const response = c.env?.outgoing;
  if (!response) throw new Error('A stream needs the response of Node: serve over a port.');
  const { services, hub } = ports;
  const { caller } = request;

  response.writeHead(200, Object.fromEntries(prepared.headers));
  const release = c.get('holdSlot')();
  const reader = new Reader(response, {
    caller,
    deltas: readDeltas(request.deltas),
    after: request.after,
    clock: services.clock,
  });
  reader.onClose(release);
  hub.register(reader);
  // Only now: a revocation before this moment shows in the store, a later one reaches the hub.
  void begin().catch((error: unknown) => {
    services.log.error('stream failed', describeError(error));
    reader.end();
  });
  return alreadySent();

  async function begin(): Promise<void> {
    try {
      await requireToken(c, services);
    } catch (error) {
      if (error instanceof ApiError) return hub.end(reader, error.code);
      throw error;
    }
    if (request.first) reader.write(frame(request.first));
    await hub.join(reader, request.sessionId);
  }
}

/**
 * Where a client is in the log, by its `Last-Event-ID`. Without one it wants what comes from now
 * on. One that this log never had (garbage, of another session, of a store that was reset) replays
 * everything: a reader skips by `seq` what it has.
 */
export async function readPosition(
  lastEventId: string | undefined,
  sessionId: string,
  events: EventLog,
): Promise<number> {
  const lastSeq = await events.lastSeq(sessionId);
  if (lastEventId === undefined) return lastSeq;
  const seq = parseStreamId(lastEventId)?.seq ?? 0;
  return seq > lastSeq ? 0 : seq;
}

function readDeltas(asked: string | string[] | undefined): ReadonlySet<DeltaType> {
  const names = [asked ?? []].flat();
  return new Set(deltaTypes.filter((type) => names.includes(type)));
}

/**
 * What tells the adapter that Node's response is being written. The adapter's own constant does not
 * do: its fast path writes any response that nobody has looked into, so this one is looked into.
 */
function alreadySent(): Response {
  const response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  void response.body;
  return response;
}
