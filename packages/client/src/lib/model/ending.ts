import type { Entry } from '../conversation/state.ts';
import type { World } from './world.ts';

/** The longest that it may take until everything is well again, in milliseconds of the model. */
const patience = 300_000;

/** Puts an end to all trouble, and looks whether nothing was lost, doubled, or left spinning. */
export async function end(world: World): Promise<void> {
  await calm(world);
  // What an earlier page load or a closed view left is offered to the next one.
  await world.reload();
  await calm(world);
  await world.bed.until(() => world.known !== null, patience);
  // One by one: it names those without a session once, however many there are.
  for (
    let left = await world.client.unsent();
    left.length > 0;
    left = await world.client.unsent()
  ) {
    world.open(left[0] ?? undefined);
    await calm(world);
  }
  const former = world.known === 'ada' ? 'bob: ' : 'ada: ';
  if (world.store.content.includes(former)) throw new Error('text of the former person is kept');
  lookAtLogs(world);
  await lookAtDraft(world);
  await compareWithAnother(world);
  await world.bed.close();
}

/** Everything works again, and the person does what is left to do. */
async function calm(world: World): Promise<void> {
  const { bed, host } = world;
  for (const person of ['ada', 'bob']) bed.platform.unblock(person);
  bed.faults.clear();
  host.failures = 0;
  host.delay = 0;
  host.signInAgain();
  world.tab.page.show();
  world.tab.page.goOnline();
  await bed.clock.advance(0);
  world.look();
  const { status } = world.client.auth;
  if (status !== 'ok' && status !== 'refreshing') await reconnect(world);
  for (let waited = 0; !isQuiet(world); waited += 5_000) {
    if (waited > patience) throw new Error(`This goes on for ever: ${describe(world)}`);
    world.conversation.retry();
    await bed.clock.advance(5_000);
    world.look();
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
  await world.bed.until(() => done, patience);
}

function isQuiet(world: World): boolean {
  const { entries, memory, running, stopping, loading } = world.conversation.state;
  const closed = world.conversation.state.connection === 'closed';
  const failed = closed && world.conversation.state.error?.code === 'NOT_FOUND';
  const moving = (memory.branches.all ?? entries).some(isMoving);
  const runs = world.bed.platform.sessions.some((session) => session.running);
  return !(running || stopping || loading || moving || runs) && (failed || !closed || isNew(world));
}

function isNew(world: World): boolean {
  return world.conversation.state.session === null;
}

function isMoving(entry: Entry): boolean {
  if (entry.kind === 'user') return entry.delivery !== 'sent';
  if (entry.kind === 'tool') return entry.progress === 'running';
  if (entry.kind === 'card') return entry.progress === 'sending';
  return entry.kind !== 'notice' && entry.progress === 'streaming';
}

/** Every message is in the log: once, or not at all if the person gave it up. */
function lookAtLogs(world: World): void {
  const texts = world.bed.platform.sessions.flatMap(({ log }) =>
    log.filter(({ type }) => type === 'user.message').map((event) => JSON.stringify(event)),
  );
  for (const { text, outcome, given } of world.said) {
    const times = texts.filter((each) => each.includes(`"${text}"`)).length;
    if (times > 1) throw new Error(`${text} is in the log ${times} times`);
    if (times === 0 && (outcome === 'sent' || !given)) throw new Error(`${text} was lost`);
  }
}

async function lookAtDraft(world: World): Promise<void> {
  if (world.draft === null) return;
  const { text, sessionId } = world.draft;
  // One that was kept before the client knew whose it is goes to the next new conversation.
  const others = world.sessionsOf(world.known).map(({ id }) => id);
  for (const place of [sessionId, '', ...others]) {
    world.open(place === '' ? undefined : place);
    await calm(world);
    // It may stand behind one of an earlier page load.
    if (world.conversation.draft.endsWith(text)) return;
  }
  throw new Error(`the draft “${text}” was lost`);
}

/** What is shown is what somebody sees who opens the conversation for the first time. */
async function compareWithAnother(world: World): Promise<void> {
  const { session } = world.conversation.state;
  if (session === null || session === undefined) return;
  const shown = world.conversation;
  const { client } = world.bed.openTab({ tokens: world.tokens });
  const fresh = client.conversation(session.id);
  await world.bed.until(() => fresh.state.connection === 'open' && !fresh.state.loading, patience);
  const [a, b] = [shown, fresh].map(({ state }) => state.entries.map(comparable));
  if (JSON.stringify(a) !== JSON.stringify(b)) {
    throw new Error(`shown:\n${JSON.stringify(a)}\nin the log:\n${JSON.stringify(b)}`);
  }
}

function comparable({ key: _, ...entry }: Entry): object {
  return entry;
}

function describe(world: World): string {
  const { entries, running, stopping, loading, connection, error } = world.conversation.state;
  const lines = entries.map((entry) => JSON.stringify(entry));
  const state = { running, stopping, loading, connection, error: error?.code };
  const { status } = world.client.auth;
  const logs = world.bed.platform.sessions.map(({ id, log }) =>
    [id, ...log.map((e) => e.type)].join(' '),
  );
  return [JSON.stringify({ ...state, status }), ...lines, ...logs].join('\n');
}
