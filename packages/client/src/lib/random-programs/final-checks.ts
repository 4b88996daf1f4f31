import { textOf } from '@inlay/protocol/text-of';
import type { Entry } from '../conversation/state.ts';
import type { StoredEvent } from './environment.ts';
import type { World } from './world.ts';

/** Time limit for recovery, in milliseconds of the fake clock. */
const timeLimit = 300_000;

/** Ends all faults, and checks that nothing was lost, repeated or left unfinished. */
export async function checkEnd(world: World): Promise<void> {
  await recover(world);
  // The unsent messages of conversations that were closed are sent after the next page load.
  await world.reload();
  await recover(world);
  await world.bed.until(() => world.knownUser !== null, timeLimit);
  // `unsent()` returns a single null for all conversations without a session, so several calls may be
  // necessary.
  for (
    let unsent = await world.client.unsent();
    unsent.length > 0;
    unsent = await world.client.unsent()
  ) {
    world.open(unsent[0] ?? undefined);
    await recover(world);
  }
  const previousPrefix = world.knownUser === 'ada' ? 'bob: ' : 'ada: ';
  if (world.store.content.includes(previousPrefix))
    throw new Error('text of the previous user is stored');
  checkLogs(world);
  checkStreamedTexts(world);
  await checkDraft(world);
  await compareWithNewClient(world);
  await world.bed.close();
}

/** Ends all faults, and retries until nothing is pending. */
async function recover(world: World): Promise<void> {
  const { bed, host, network, platform } = world;
  for (const user of ['ada', 'bob']) await platform.unblock(user);
  network.clear();
  host.failures = 0;
  host.delay = 0;
  host.signInAgain();
  world.tab.page.show();
  world.tab.page.goOnline();
  await bed.clock.advance(0);
  await world.check();
  const { status } = world.client.auth;
  if (status !== 'ok' && status !== 'refreshing') await reconnect(world);
  for (let waited = 0; !isIdle(world); waited += 5_000) {
    if (waited > timeLimit) throw new Error(`The client does not recover: ${describeState(world)}`);
    world.conversation.retry();
    await bed.clock.advance(5_000);
    await world.check();
    if (world.client.auth.canReconnect) await reconnect(world);
  }
}

async function reconnect(world: World): Promise<void> {
  let done = false;
  void world.client
    .reconnect()
    .catch(() => {})
    .finally(() => {
      done = true;
    });
  await world.bed.until(() => done, timeLimit);
}

function isIdle(world: World): boolean {
  const { entries, memory, running, stopping, loading } = world.conversation.state;
  const closed = world.conversation.state.connection === 'closed';
  const failed = closed && world.conversation.state.error?.code === 'NOT_FOUND';
  const unfinished = (memory.branches.all ?? entries).some(isUnfinished);
  const isRunning = world.platform.sessions.some((session) => session.running);
  return (
    !(running || stopping || loading || unfinished || isRunning) &&
    (failed || !closed || isNewConversation(world))
  );
}

function isNewConversation(world: World): boolean {
  return world.conversation.state.session === null;
}

function isUnfinished(entry: Entry): boolean {
  if (entry.kind === 'user') return entry.delivery !== 'sent';
  if (entry.kind === 'tool') return entry.progress === 'running';
  if (entry.kind === 'card') return entry.progress === 'sending';
  return entry.kind !== 'notice' && entry.progress === 'streaming';
}

/** Checks that each message is in a log exactly once; a discarded message at most once. */
function checkLogs(world: World): void {
  const texts = world.platform.sessions.flatMap(({ log }) =>
    log.filter(({ type }) => type === 'user.message').map((event) => JSON.stringify(event)),
  );
  for (const { text, outcome, discarded } of world.messages) {
    const count = texts.filter((each) => each.includes(`"${text}"`)).length;
    if (count > 1) throw new Error(`${text} is in the log ${count} times`);
    if (count === 0 && (outcome === 'sent' || !discarded)) throw new Error(`${text} was lost`);
  }
}

/** Checks that no unfinished answer was shown with a text that its complete text does not begin with. */
function checkStreamedTexts({ platform, streamed }: World): void {
  for (const event of platform.sessions.flatMap(({ log }) => log)) {
    const text = streamed.get(event.id) ?? '';
    if (!textIn(event).startsWith(text))
      throw new Error(`“${text}” was shown instead of ${JSON.stringify(event)}`);
  }
}

function textIn({ content }: StoredEvent): string {
  return Array.isArray(content) ? textOf(content) : '';
}

async function checkDraft(world: World): Promise<void> {
  if (world.draft === null) return;
  const { text, sessionId } = world.draft;
  // A draft that was typed before the user was known belongs to the next new conversation.
  const ownSessions = world.sessionsOf(world.knownUser).map(({ id }) => id);
  for (const id of [sessionId, '', ...ownSessions]) {
    world.open(id === '' ? undefined : id);
    await recover(world);
    // The restored draft may begin with an earlier draft.
    if (world.conversation.draft.endsWith(text)) return;
  }
  throw new Error(`the draft “${text}” was lost`);
}

/** Checks that a new client shows the same conversation. */
async function compareWithNewClient(world: World): Promise<void> {
  const { session } = world.conversation.state;
  if (session === null || session === undefined) return;
  const shown = world.conversation;
  const { client } = world.bed.openTab({ tokens: world.tokens });
  const fresh = client.conversation(session.id);
  await world.bed.until(() => fresh.state.connection === 'open' && !fresh.state.loading, timeLimit);
  const [actual, expected] = [shown, fresh].map(({ state }) => state.entries.map(withoutKey));
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`shown:\n${JSON.stringify(actual)}\nin the log:\n${JSON.stringify(expected)}`);
  }
}

function withoutKey({ key: _, ...entry }: Entry): object {
  return entry;
}

function describeState(world: World): string {
  const { entries, running, stopping, loading, connection, error } = world.conversation.state;
  const lines = entries.map((entry) => JSON.stringify(entry));
  const state = { running, stopping, loading, connection, error: error?.code };
  const { status } = world.client.auth;
  const logs = world.platform.sessions.map(({ id, log }) =>
    [id, ...log.map(({ type }) => type)].join(' '),
  );
  return [JSON.stringify({ ...state, status }), ...lines, ...logs].join('\n');
}
