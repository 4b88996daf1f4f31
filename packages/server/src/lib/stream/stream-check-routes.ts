import { type ModelFailure, type StreamCheckMessage, streamCheck } from '@inlay/protocol';
import { sleep } from '../clock.ts';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { frame } from './frame.ts';
import type { Reader } from './reader.ts';
import { respondWithStream } from './respond-with-stream.ts';

/** A route with which clients detect proxies that buffer streams, and models that fail. */
export function streamCheckRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'get',
        path: '/agent/v1/embed/stream_check',
        audience: 'end_user',
        tag: 'Widget',
        summary: 'Check whether streams are buffered',
        description:
          'Server-sent events: a padded comment immediately, then `{"type":"stream_check","n":1}` to `3`, 250 ms apart, then the end. If they arrive all together, or not at all, a proxy buffers streams. If the last call of the agent’s model failed, the first message has `model` with the time and kind of the failure.',
        response: null,
        responseType: 'text/event-stream',
      },
      async ({ c, caller }) =>
        respondWithStream(c, services, { caller, deltas: new Set(), after: 0 }, (reader) =>
          sendCheck(reader, services.modelFailures.find(caller.agentId)),
        ),
    ),
  ];

  async function sendCheck(reader: Reader, model: ModelFailure | null): Promise<void> {
    for (let n = 1; n <= streamCheck.messages && reader.isOpen; n++) {
      if (n > 1) await sleep(services.clock, streamCheck.intervalMs);
      const message: StreamCheckMessage = {
        type: 'stream_check',
        n,
        ...(n === 1 && model && { model }),
      };
      reader.write(frame(message));
    }
    reader.end();
  }
}
