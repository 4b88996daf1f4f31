import { type DeltaType, deltaTypes, type LiveEvent, parseStreamId } from '@inlay/protocol';
import type { Context } from 'hono';
import { requireCredential } from '../auth/authenticate.ts';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Services } from '../deps.ts';
import type { EventLog } from '../events/event-log.ts';
import type { AppEnv } from '../http/env.ts';
import { ApiError } from '../problems/api-error.ts';
import { answerWithStream } from './answer-with-stream.ts';
import { frame } from './frame.ts';
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

/** Answers with a session's stream. */
export async function openStream(
  c: Context<AppEnv>,
  { services, hub }: { services: Services; hub: StreamHub },
  { caller, sessionId, after, deltas, first }: StreamRequest,
): Promise<Response> {
  return answerWithStream(
    c,
    services,
    { caller, after, deltas: readDeltas(deltas) },
    async (reader) => {
      hub.register(reader);
      try {
        // Only now: a revocation before this moment shows in the store, a later one reaches the hub.
        await requireCredential(c, services);
      } catch (error) {
        if (error instanceof ApiError) return hub.end(reader, error.code);
        throw error;
      }
      if (first) reader.write(frame(first));
      await hub.join(reader, sessionId);
    },
  );
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

/** The few sets that there can be: streams that want the same have one in common. */
const deltaSets = new Map<string, ReadonlySet<DeltaType>>();

function readDeltas(asked: string | string[] | undefined): ReadonlySet<DeltaType> {
  const names = [asked ?? []].flat();
  const wanted = deltaTypes.filter((type) => names.includes(type));
  const known = deltaSets.get(wanted.join()) ?? new Set(wanted);
  deltaSets.set(wanted.join(), known);
  return known;
}
