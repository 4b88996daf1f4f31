import { type Frame, readFrame } from './frame.ts';
import recorded from './recording.json' with { type: 'json' };

/** Something that happened in the recorded session. */
export type Step =
  /** The person did something, and the platform answered so. */
  | { readonly do: 'input'; readonly body: RecordedBody; readonly answer: string }
  /** A frame went to every stream. */
  | { readonly do: 'frame'; readonly frame: Frame }
  /** The person's stream ended with its token, in these words. */
  | { readonly do: 'expire'; readonly text: string }
  /** The person came back with this `Last-Event-ID`, and got this ahead of the frames that follow. */
  | { readonly do: 'resume'; readonly after: string; readonly text: string };

/** What the person sent: in the making of the session, or to it. */
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
 * A session with the real server, as it went over the wire: thinking, text, a tool of the server, one
 * that the person approved and one that the page ran, three answers, two tokens that ended in the
 * middle. Made by `e2e/recording/main.ts`, and made again by it when the wire changes.
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
