import { eventWriter, type StreamEvent } from './events.ts';
import type { Fault, ReplayOptions } from './options.ts';

/** How the connection ends after the last write. */
export type Ending = 'end' | 'fin' | 'reset' | 'hang';

/**
 * Returns the ending for a fault: `end` finishes the response; `fin` closes the connection inside the
 * chunked body; `reset` sends a TCP RST; `hang` sends nothing until the client disconnects.
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
 * Inserts the fault into the stream when the fraction `at` of the tokens is sent: the rest is missing,
 * or follows an invalid event.
 */
export function* withFault(
  events: Iterable<StreamEvent>,
  total: number,
  options: ReplayOptions,
): Generator<StreamEvent> {
  const { fault, at } = options;
  if (fault === 'hang-start') return;
  let sent = 0;
  let isApplied = fault === null;
  let isFirst = true;
  for (const event of events) {
    if (!isApplied && !isFirst && sent >= total * at) {
      isApplied = true;
      yield* applyFault(event, options);
      if (fault !== 'malformed') return;
    }
    isFirst = false;
    sent += event.tokens;
    yield event;
  }
}

function* applyFault(next: StreamEvent, options: ReplayOptions): Generator<StreamEvent> {
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
      // Cut inside an event, as a lost connection would.
      yield { text: next.text.slice(0, Math.ceil(next.text.length / 2)), tokens: 0 };
  }
}
