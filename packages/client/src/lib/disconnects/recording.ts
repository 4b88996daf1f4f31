import recorded from './recording.json' with { type: 'json' };
import { parseFrame, type SseFrame } from './sse-frame.ts';

/** A step of the recorded session. */
export type Step =
  /** A request with an event of the user, and its response. */
  | { readonly do: 'input'; readonly body: RecordedBody; readonly response: string }
  /** A frame that every open stream receives. */
  | { readonly do: 'frame'; readonly frame: SseFrame }
  /** The token expires, and its stream ends with this text. */
  | { readonly do: 'expire'; readonly text: string }
  /** A reconnect with this `Last-Event-ID`, and the first frames of the new stream. */
  | { readonly do: 'resume'; readonly after: string; readonly text: string };

/** Body of a request that created or continued the session. */
export interface RecordedBody {
  readonly initial_events?: readonly RecordedInput[];
  readonly events?: readonly RecordedInput[];
}

export interface RecordedInput {
  readonly type: string;
  readonly content?: readonly { readonly type: string; readonly text: string }[];
}

interface RecordedStep {
  readonly do: string;
  readonly text?: string;
  readonly after?: string;
  readonly body?: unknown;
  readonly answer?: string;
}

/**
 * A recorded session with the real server: thinking, text, a tool of the server, a tool that the user
 * approved, a tool that the page ran, three agent messages and two expired tokens. Created by
 * `e2e/recording/main.ts`, which must be run again when the wire format changes.
 */
export const recording = {
  ...recorded,
  greeting: withoutPadding(recorded.greeting),
  steps: (recorded.steps as readonly RecordedStep[]).map(readStep),
};

/**
 * Shortens the padding at the start of a stream: 2 kB of spaces, which fill the buffers of proxies. The
 * test needs fewer of them, because a disconnect after any of these spaces has the same effect.
 */
function withoutPadding(text: string): string {
  return text.replace(/ {16,}/g, ' '.repeat(16));
}

function readStep(step: RecordedStep): Step {
  const { text = '', after = '', answer = '' } = step;
  switch (step.do) {
    case 'input':
      return { do: 'input', body: step.body as RecordedBody, response: answer };
    case 'frame':
      return { do: 'frame', frame: parseFrame(text) };
    case 'expire':
      return { do: 'expire', text };
    case 'resume':
      return { do: 'resume', after, text: withoutPadding(text) };
    default:
      throw new Error(`The recording contains an unknown kind of step: ${step.do}`);
  }
}
