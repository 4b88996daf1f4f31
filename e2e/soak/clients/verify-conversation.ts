import { type Conversation, createInlayClient, hostTokens } from '@inlay/client';
import { endOfAnswer } from '../server/configuration.ts';
import type { Backend } from './backend.ts';
import { Browser } from './browser.ts';
import type { Expectations } from './expectations.ts';
import { createMeter } from './meter.ts';
import type { Page } from './page.ts';
import { type LoggedEvent, readLog, textOf } from './read-log.ts';
import { addEvidence, type Tally } from './tally.ts';
import { firstDifference, viewOf } from './view.ts';
import { until } from './wait.ts';

export interface VerifyOptions {
  user: string;
  session: string;
  expectations: Expectations;
  /** Pages that show the conversation: the main tab and, if it is open, a second one. */
  shown: readonly Page[];
  tally: Tally;
  /** The server and a backend, without the fault proxy. */
  platform: { baseUrl: string; backend: Backend };
}

/** Time limit for the pages to catch up with the log. */
const timeoutMs = 90_000;

/** Compares the sent messages with the log, and the pages with a fresh client. */
export async function verifyConversation(options: VerifyOptions): Promise<void> {
  const { user, session, expectations, shown, tally, platform } = options;
  const { history } = expectations;
  const name = `${user} in ${session}`;
  // All reads of the log use one token: at the end of the run all users read at once, and the backend
  // issues only three tokens at a time.
  const token = platform.backend.issue(user);
  token.catch(() => {});
  const issue = () => token.catch(() => platform.backend.issue(user));
  let log: LoggedEvent[] = [];
  const haveCaughtUp = await until(
    async () => {
      for (const page of shown) page.recover();
      if (!shown.every(({ conversation }) => isIdle(conversation))) return false;
      log = await readLog(platform.baseUrl, session, issue);
      return shown.every(({ conversation }) => hasCaughtUp(conversation, log));
    },
    timeoutMs,
    1000,
  );
  if (!haveCaughtUp) {
    for (const [index, { conversation }] of shown.entries()) {
      if (hasCaughtUp(conversation, log)) continue;
      addEvidence(tally, {
        name,
        history,
        shown: entriesWithKeys(conversation),
        wanted: [],
        log,
      });
      const { lastSeq, running, loading, connection, error } = conversation.state;
      tally.stuck.push(
        `${name}, ${index === 0 ? 'page' : `tab ${index}`}: at ${lastSeq} of ${log.at(-1)?.seq}, running ${running}, loading ${loading}, ${connection}, ${error?.code ?? 'no error'}`,
      );
    }
    return;
  }
  compareWithLog(name, options, log);
  await compareWithFreshClient(options, name, log);
}

export function compareWithLog(
  name: string,
  { expectations, tally }: Pick<VerifyOptions, 'expectations' | 'tally'>,
  log: readonly LoggedEvent[],
): void {
  const { expected: sent, late, optional } = expectations;
  const messages = log.filter(({ type }) => type === 'user.message').map(textOf);
  const logged = messages.filter((text) => !optional.has(text));
  for (const text of sent) {
    const times = logged.filter((other) => other === text).length;
    if (times === 0) tally.lost.push(`${name}: "${text}" is not in the log`);
    if (times > 1) tally.duplicated.push(`${name}: "${text}" is in the log ${times} times`);
  }
  if (!logged.every((text) => sent.includes(text))) {
    tally.wrong.push(`${name}: the log has a message that was not sent`);
  }
  const inOrder = (texts: readonly string[]) =>
    [...new Set(texts)].filter((text) => !late.has(text)).join(', ');
  if (new Set(logged).size === sent.length && inOrder(logged) !== inOrder(sent)) {
    tally.reordered.push(`${name}: sent ${inOrder(sent)}, logged ${inOrder(logged)}`);
  }
  const answers = log.filter(({ type }) => type === 'agent.message').map(textOf);
  for (const text of sent) {
    const answerCount = answers.filter((answer) => answer.endsWith(endOfAnswer(text))).length;
    tally.answers += Math.min(answerCount, 1);
    if (answerCount > 1)
      tally.duplicated.push(`${name}: "${text}" was answered ${answerCount} times`);
  }
}

async function compareWithFreshClient(
  options: VerifyOptions,
  name: string,
  log: LoggedEvent[],
): Promise<void> {
  const { user, session, expectations, shown, tally, platform } = options;
  const client = createInlayClient({
    baseUrl: platform.baseUrl,
    tokens: hostTokens(() => platform.backend.issue(user)),
    ports: new Browser(createMeter()).ports(),
    draftStore: 'memory',
  });
  const fresh = client.conversation(session);
  try {
    if (!(await until(() => hasCaughtUp(fresh, log), timeoutMs))) {
      tally.stuck.push(`${name}: a fresh client does not receive the complete log`);
      return;
    }
    const expectedView = viewOf(fresh.state);
    for (const [index, { conversation }] of shown.entries()) {
      const view = viewOf(conversation.state);
      const difference = firstDifference(view, expectedView);
      if (!difference) continue;
      const where = `${name}, ${index === 0 ? 'page' : `tab ${index}`}`;
      tally.wrong.push(`${where}: ${difference}`);
      addEvidence(tally, {
        name: where,
        history: expectations.history,
        shown: entriesWithKeys(conversation),
        wanted: expectedView,
        log,
      });
    }
  } finally {
    client.close();
  }
}

/** Entries with their keys, which the comparison ignores. */
export function entriesWithKeys({ state }: Conversation): string[] {
  return state.entries.map((entry) => JSON.stringify(entry));
}

function isIdle({ state }: Conversation): boolean {
  return !state.running && !state.loading;
}

function hasCaughtUp(conversation: Conversation, log: readonly LoggedEvent[]): boolean {
  return isIdle(conversation) && conversation.state.lastSeq >= (log.at(-1)?.seq ?? 0);
}
