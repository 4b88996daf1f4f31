import { type DeltaType, deltaTypes, type LiveEvent, parseStreamId } from '@inlay/protocol';
import type { Context } from 'hono';
import { requireCredential } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import type { AppEnv } from '../http/env.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { frame } from './frame.ts';
import { respondWithStream } from './respond-with-stream.ts';

/** A request for a session's stream. */
export interface StreamRequest {
  readonly caller: Caller;
  readonly sessionId: string;
  /** `seq` of the last event that the client has. */
  readonly after: number;
  /** The query parameter `event_deltas[]`. Types without deltas are ignored. */
  readonly deltas: string | string[] | undefined;
  /** Sent before all other events. */
  readonly first?: LiveEvent<'session.created'>;
  /** Called when the stream gets all events, or has ended before. */
  readonly onJoined?: () => void;
}

/** Responds with a session's event stream. */
export async function openStream(
  c: Context<AppEnv>,
  services: Services,
  { caller, sessionId, after, deltas, first, onJoined }: StreamRequest,
): Promise<Response> {
  const { hub } = services;
  return respondWithStream(
    c,
    services,
    { caller, after, deltas: readDeltas(deltas) },
    async (reader) => {
      hub.register(reader);
      try {
        // Checked after the registration: earlier revocations are in the store, later ones reach
        // the hub.
        await requireCredential(c);
        if (first) reader.write(frame(first));
        await hub.join(reader, sessionId);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        hub.end(reader, error.code);
      } finally {
        onJoined?.();
      }
    },
  );
}

/**
 * Returns the `seq` after which a stream starts, for the `Last-Event-ID` of the client. Without the
 * header, the stream starts with new events. If the id is invalid or beyond the end of the log (the
 * store was reset, for example), all events are replayed; clients skip each `seq` that they have.
 */
export function startOfStream(lastEventId: string | undefined, lastSeq: number): number {
  if (lastEventId === undefined) return lastSeq;
  const seq = parseStreamId(lastEventId)?.seq ?? 0;
  return seq > lastSeq ? 0 : seq;
}

/** Streams that request the same delta types share one set, to save memory. */
const deltaSets = new Map<string, ReadonlySet<DeltaType>>();

function readDeltas(requested: string | string[] | undefined): ReadonlySet<DeltaType> {
  const names = [requested ?? []].flat();
  const types = deltaTypes.filter((type) => names.includes(type));
  const known = deltaSets.get(types.join()) ?? new Set(types);
  deltaSets.set(types.join(), known);
  return known;
}
