import { type Conversation, createInlayClient, hostTokens } from '@inlay/client';
import { lastWordsTo } from '../server/configuration.ts';
import type { Account } from './account.ts';
import type { Backend } from './backend.ts';
import { Browser } from './browser.ts';
import { createMeter } from './meter.ts';
import type { Page } from './page.ts';
import { until } from './patience.ts';
import { type LoggedEvent, readLog, textOf } from './read-log.ts';
import { keepEvidence, type Tally } from './tally.ts';
import { firstDifference, viewOf } from './view.ts';

export interface Case {
  person: string;
  session: string;
  account: Account;
  /** What shows the conversation: the page, and tabs beside it. */
  shown: readonly Page[];
  tally: Tally;
  /** The server itself, and a backend that calls it past the network. */
  platform: { baseUrl: string; backend: Backend };
}

/** Milliseconds in which whoever shows the conversation has to have caught up with the log. */
const patience = 90_000;

/** Compares what was said with the log, and what is shown with what somebody sees who comes anew. */
export async function judge(given: Case): Promise<void> {
  const { person, session, account, shown, tally, platform } = given;
  const { story } = account;
  const name = `${person} in ${session}`;
  // One for all looks at the log: two hundred people look at it when the run ends.
  const token = platform.backend.issue(person);
  token.catch(() => {});
  const issue = () => token.catch(() => platform.backend.issue(person));
  let log: LoggedEvent[] = [];
  const isEqual = await until(
    async () => {
      for (const page of shown) page.revive();
      if (!shown.every(({ conversation }) => isCalm(conversation))) return false;
      log = await readLog(platform.baseUrl, session, issue);
      return shown.every(({ conversation }) => hasCaughtUp(conversation, log));
    },
    patience,
    1000,
  );
  if (!isEqual) {
    for (const [index, { conversation }] of shown.entries()) {
      if (hasCaughtUp(conversation, log)) continue;
      keepEvidence(tally, { name, story, shown: rawOf(conversation), wanted: [], log });
      const { lastSeq, running, loading, connection, error } = conversation.state;
      tally.stuck.push(
        `${name}, ${index === 0 ? 'page' : `tab ${index}`}: at ${lastSeq} of ${log.at(-1)?.seq}, running ${running}, loading ${loading}, ${connection}, ${error?.code ?? 'no error'}`,
      );
    }
    return;
  }
  compareWithLog(name, given, log);
  await compareWithNewcomer(given, name, log);
}

export function compareWithLog(
  name: string,
  { account, tally }: Pick<Case, 'account' | 'tally'>,
  log: readonly LoggedEvent[],
): void {
  const { expected: said, late, excused } = account;
  const messages = log.filter(({ type }) => type === 'user.message').map(textOf);
  const logged = messages.filter((text) => !excused.has(text));
  for (const text of said) {
    const times = logged.filter((other) => other === text).length;
    if (times === 0) tally.lost.push(`${name}: "${text}" is not in the log`);
    if (times > 1) tally.doubled.push(`${name}: "${text}" is in the log ${times} times`);
  }
  if (!logged.every((text) => said.includes(text))) {
    tally.wrong.push(`${name}: the log has what nobody said`);
  }
  const inOrder = (texts: readonly string[]) =>
    [...new Set(texts)].filter((text) => !late.has(text)).join(', ');
  if (new Set(logged).size === said.length && inOrder(logged) !== inOrder(said)) {
    tally.disordered.push(`${name}: said ${inOrder(said)}, and logged as ${inOrder(logged)}`);
  }
  const answers = log.filter(({ type }) => type === 'agent.message').map(textOf);
  for (const text of said) {
    const whole = answers.filter((answer) => answer.endsWith(lastWordsTo(text))).length;
    tally.answers += Math.min(whole, 1);
    if (whole > 1) tally.doubled.push(`${name}: "${text}" was answered ${whole} times`);
  }
}

async function compareWithNewcomer(given: Case, name: string, log: LoggedEvent[]): Promise<void> {
  const { person, session, account, shown, tally, platform } = given;
  const client = createInlayClient({
    baseUrl: platform.baseUrl,
    tokens: hostTokens(() => platform.backend.issue(person)),
    ports: new Browser(createMeter()).ports(),
    draftStore: 'memory',
  });
  const fresh = client.conversation(session);
  try {
    if (!(await until(() => hasCaughtUp(fresh, log), patience))) {
      tally.stuck.push(`${name}: a newcomer does not get the log`);
      return;
    }
    const wanted = viewOf(fresh.state);
    for (const [index, { conversation }] of shown.entries()) {
      const view = viewOf(conversation.state);
      const difference = firstDifference(view, wanted);
      if (!difference) continue;
      const where = `${name}, ${index === 0 ? 'page' : `tab ${index}`}`;
      tally.wrong.push(`${where}: ${difference}`);
      keepEvidence(tally, {
        name: where,
        story: account.story,
        shown: rawOf(conversation),
        wanted,
        log,
      });
    }
  } finally {
    client.close();
  }
}

/** With the keys, which views do not compare. */
export function rawOf({ state }: Conversation): string[] {
  return state.entries.map((entry) => JSON.stringify(entry));
}

function isCalm({ state }: Conversation): boolean {
  return !state.running && !state.loading;
}

function hasCaughtUp(conversation: Conversation, log: readonly LoggedEvent[]): boolean {
  return isCalm(conversation) && conversation.state.lastSeq >= (log.at(-1)?.seq ?? 0);
}
