import { createInlayClient } from '../client.ts';
import type { Entry } from '../conversation/state.ts';
import type { Conversation } from '../inlay-client.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakePage } from '../testing/fake-page.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import { type RecordedInput, recording } from './recording.ts';
import { type ReplayOptions, ReplayPlatform } from './replay-platform.ts';

/** Number of rounds after which a session is considered stuck. */
const maxRounds = 200;

export interface Outcome {
  /** The final entries as JSON. */
  readonly transcript: string;
  /** The user's events in the final log, as JSON. */
  readonly userEvents: string;
  /** Empty if the session ended as recorded. */
  readonly failures: readonly string[];
  readonly platform: ReplayPlatform;
}

/**
 * Replays the recorded session with a real client.
 *
 * @param expected Outcome of an uninterrupted replay. Streaming text must be a prefix of its texts.
 */
export async function replaySession(
  options: ReplayOptions = {},
  expected?: Outcome,
): Promise<Outcome> {
  const platform = new ReplayPlatform(options);
  const clock = new FakeClock();
  const page = new FakePage();
  let keys = 0;
  const client = createInlayClient({
    baseUrl: 'http://platform.test',
    tokens: hostTokens(() => platform.issueToken()),
    ports: {
      clock,
      page,
      random: () => 0,
      uniqueId: () => `key_${++keys}`,
      fetch: platform.fetch,
      frame: () => () => {},
    },
  });
  const conversation = client.conversation();
  const user = new RecordedUser(conversation, platform.failures);
  const isDone = () =>
    user.isDone && platform.isDone && conversation.state.lastSeq === platform.lastSeq;
  for (let rounds = 0; !isDone(); rounds += 1) {
    if (rounds === maxRounds) {
      platform.failures.push('stuck');
      break;
    }
    const progressed = [platform.waitsForUser && user.act(), platform.proceed()].includes(true);
    await clock.advance(progressed ? 0 : 5_000);
    if (expected)
      checkStreaming(conversation.state.entries, expected.transcript, platform.failures);
  }
  const { entries, running, stopping, connection, error } = conversation.state;
  if (running || stopping) platform.failures.push('still running or stopping at the end');
  if (connection === 'closed') platform.failures.push(`closed: ${error?.code}`);
  client.close();
  if (clock.pending > 0) platform.failures.push(`${clock.pending} pending timers`);
  if (page.watchers > 0) platform.failures.push(`${page.watchers} page listeners`);
  return {
    transcript: JSON.stringify(entries),
    userEvents: JSON.stringify(platform.userEvents),
    failures: platform.failures,
    platform,
  };
}

/** Checks that streaming text is a prefix of the complete text. */
function checkStreaming(entries: readonly Entry[], transcript: string, failures: string[]): void {
  for (const entry of entries) {
    if (entry.kind !== 'agent' && entry.kind !== 'thinking') continue;
    const prefix = JSON.stringify(entry.text).slice(0, -1);
    if (!transcript.includes(`"text":${prefix}`))
      failures.push(`not a prefix of the final text: ${entry.text}`);
  }
}

/** Repeats the recorded actions of the user as soon as they are possible. */
class RecordedUser {
  readonly #conversation: Conversation;
  readonly #failures: string[];
  readonly #inputs: RecordedInput[];
  #isActing = false;

  constructor(conversation: Conversation, failures: string[]) {
    this.#conversation = conversation;
    this.#failures = failures;
    this.#inputs = recording.steps.flatMap((step) =>
      step.do === 'input' ? [...(step.body.initial_events ?? step.body.events ?? [])] : [],
    );
  }

  get isDone(): boolean {
    return this.#inputs.length === 0 && !this.#isActing;
  }

  /**
   * Performs the next action, if it is possible.
   *
   * @returns Whether it was performed.
   */
  act(): boolean {
    const [input] = this.#inputs;
    const action = !this.#isActing && input && this.#perform(input);
    if (!action) return false;
    this.#inputs.shift();
    this.#isActing = true;
    action
      .catch((cause: unknown) => this.#failures.push(`${input.type} failed: ${String(cause)}`))
      .finally(() => {
        this.#isActing = false;
      });
    return true;
  }

  /** Returns null if the action is not possible yet. */
  #perform(input: RecordedInput): Promise<void> | null {
    const { entries, running, stopReason } = this.#conversation.state;
    if (running) return null;
    const text = input.content?.[0]?.text ?? '';
    if (input.type === 'user.message') {
      const canSend = stopReason === null ? entries.length === 0 : stopReason.type === 'end_turn';
      return canSend ? this.#conversation.send(text) : null;
    }
    const progress = input.type === 'user.tool_confirmation' ? 'approval' : 'waiting';
    const call = entries.findLast((entry) => entry.kind === 'tool' && entry.progress === progress);
    if (!call?.id) return null;
    return progress === 'approval'
      ? this.#conversation.confirmTool(call.id, 'allow')
      : this.#conversation.submitToolResult(call.id, text);
  }
}
