import { createInlayClient } from '../client.ts';
import type { Entry } from '../conversation/state.ts';
import type { Conversation } from '../inlay-client.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakePage } from '../testing/fake-page.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import { type RecordedInput, recording } from './recording.ts';
import { type ReplayOptions, ReplayPlatform } from './replay-platform.ts';

/** Number of checks after which a session counts as stuck. */
const maxChecks = 200;

export interface Outcome {
  /** The final entries as text. */
  readonly transcript: string;
  /** The user's events in the final log. */
  readonly said: string;
  /** Failures; empty without any. */
  readonly faults: readonly string[];
  readonly platform: ReplayPlatform;
}

/**
 * Runs the client through the recorded session.
 *
 * @param expected Outcome of an uninterrupted run; streaming text must be a prefix of its texts.
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
    tokens: hostTokens(() => platform.issue()),
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
  const user = new RecordedUser(conversation, platform.faults);
  const isDone = () =>
    user.done && platform.done && conversation.state.lastSeq === platform.lastSeq;
  for (let checks = 0; !isDone(); checks += 1) {
    if (checks === maxChecks) {
      platform.faults.push('stuck');
      break;
    }
    const progressed = [platform.waits && user.act(), platform.proceed()].includes(true);
    await clock.advance(progressed ? 0 : 5_000);
    if (expected) checkStreaming(conversation.state.entries, expected.transcript, platform.faults);
  }
  const { entries, running, stopping, connection, error } = conversation.state;
  if (running || stopping) platform.faults.push('something spins in the end');
  if (connection === 'closed') platform.faults.push(`closed: ${error?.code}`);
  client.close();
  if (clock.pending > 0) platform.faults.push(`${clock.pending} timers are left`);
  if (page.watchers > 0) platform.faults.push(`${page.watchers} watchers are left`);
  return {
    transcript: JSON.stringify(entries),
    said: JSON.stringify(platform.said),
    faults: platform.faults,
    platform,
  };
}

/** Checks that streaming text is a prefix of the complete text. */
function checkStreaming(entries: readonly Entry[], expected: string, faults: string[]): void {
  for (const entry of entries) {
    if (entry.kind !== 'agent' && entry.kind !== 'thinking') continue;
    const prefix = JSON.stringify(entry.text).slice(0, -1);
    if (!expected.includes(`"text":${prefix}`)) faults.push(`never said: ${entry.text}`);
  }
}

/** Repeats the recorded actions of the user as soon as they are possible. */
class RecordedUser {
  readonly #conversation: Conversation;
  readonly #faults: string[];
  readonly #inputs: RecordedInput[];
  #acting = false;

  constructor(conversation: Conversation, faults: string[]) {
    this.#conversation = conversation;
    this.#faults = faults;
    this.#inputs = recording.steps.flatMap((step) =>
      step.do === 'input' ? [...(step.body.initial_events ?? step.body.events ?? [])] : [],
    );
  }

  get done(): boolean {
    return this.#inputs.length === 0 && !this.#acting;
  }

  /** Performs the next action. Returns false if there is none. */
  act(): boolean {
    const [input] = this.#inputs;
    const work = !this.#acting && input && this.#begin(input);
    if (!work) return false;
    this.#inputs.shift();
    this.#acting = true;
    work
      .catch((cause: unknown) => this.#faults.push(`${input.type} failed: ${String(cause)}`))
      .finally(() => {
        this.#acting = false;
      });
    return true;
  }

  /** Returns null if the action is not possible yet. */
  #begin(input: RecordedInput): Promise<void> | null {
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
