import { eventWriter, type StreamEvent } from './events.ts';
import type { Fault, ReplayOptions } from './options.ts';

/** What becomes of the connection when nothing is left to send. */
export type Ending = 'end' | 'fin' | 'reset' | 'hang';

/**
 * `end` finishes the response properly; `fin` closes the connection inside the chunked body;
 * `reset` sends a TCP reset; `hang` keeps silent until the client leaves.
 */
export function endingOf(fault: Fault | null): Ending {
  switch (fault) {
    case 'hang-start':
    case 'hang-middle':
      return 'hang';
    case 'cut-reset':
      return 'reset';
    case 'cut-fin':
      return 'fin';
    default:
      return 'end';
  }
}

/**
 * Puts the fault into the stream once the share `at` of the answer's tokens is sent: what follows
 * is missing, or a broken event comes before it.
 */
export function* withFault(
  events: Iterable<StreamEvent>,
  total: number,
  options: ReplayOptions,
): Generator<StreamEvent> {
  const { fault, at } = options;
  if (fault === 'hang-start') return;
  let sent = 0;
  let struck = fault === null;
  let isFirst = true;
  for (const event of events) {
    if (!struck && !isFirst && sent >= total * at) {
      struck = true;
      yield* strike(event, options);
      if (fault !== 'malformed') return;
    }
    isFirst = false;
    sent += event.tokens;
    yield event;
  }
}

function* strike(next: StreamEvent, options: ReplayOptions): Generator<StreamEvent> {
  const write = eventWriter(options);
  switch (options.fault) {
    case 'malformed':
      yield write.data('{"id":"chatcmpl-replay","object":"chat.completion.chunk","choi', 0);
      return;
    case 'error-mid-stream':
      yield write.data(
        JSON.stringify({
          error: {
            message: 'The upstream provider failed while it was answering.',
            type: 'server_error',
            param: null,
            code: 'upstream_error',
          },
        }),
        0,
      );
      return;
    case 'cut-reset':
    case 'cut-fin':
    case 'cut-clean':
      // A connection breaks where it likes, not between two events.
      yield { text: next.text.slice(0, Math.ceil(next.text.length / 2)), tokens: 0 };
  }
}
