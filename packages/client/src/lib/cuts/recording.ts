import { type Frame, readFrame } from './frame.ts';
import recorded from './recording.json' with { type: 'json' };

/** A step of the recorded session. */
export type Step =
  /** An event of the user with the platform's response. */
  | { readonly do: 'input'; readonly body: RecordedBody; readonly answer: string }
  /** A frame of all streams. */
  | { readonly do: 'frame'; readonly frame: Frame }
  /** The end of a stream with its token, with this text. */
  | { readonly do: 'expire'; readonly text: string }
  /** A reconnect with this `Last-Event-ID`, and the frames that it received first. */
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
 * A recorded session with the real server: thoughts, text, a tool of the server, one that the user
 * approved and one that the page ran, three answers, and two tokens that ended. Created by
 * `e2e/recording/main.ts`, which must be run again when the wire format changes.
 */
export const recording = {
  ...recorded,
  steps: (recorded.steps as readonly RecordedStep[]).map(readStep),
};

function readStep(step: RecordedStep): Step {
  const { text = '', after = '', answer = '' } = step;
  switch (step.do) {
    case 'input':
      return { do: 'input', body: step.body as RecordedBody, answer };
    case 'frame':
      return { do: 'frame', frame: readFrame(text) };
    case 'expire':
      return { do: 'expire', text };
    case 'resume':
      return { do: 'resume', after, text };
    default:
      throw new Error(`the recording holds a step of an unknown kind: ${step.do}`);
  }
}
