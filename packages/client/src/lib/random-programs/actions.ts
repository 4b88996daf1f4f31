import type { Failure } from '../testing/network.ts';
import { answerWords } from './agent.ts';
import type { Requests } from './environment.ts';
import type { World } from './world.ts';

/** An action of the user, the page, the network or the platform. */
type Action = (world: World, choice: number) => Promise<void> | void;

const otherUser = (world: World) => (world.host.user === 'ada' ? 'bob' : 'ada');
const requests: readonly [Requests, ...Requests[]] = [
  'all',
  'posts',
  'events',
  'streams',
  'config',
  'creations',
];
const failures: readonly [Failure, ...Failure[]] = [
  'network',
  { status: 503 },
  { status: 200, html: '<p>Log in</p>' },
];
const pick = <Value>(values: readonly [Value, ...(readonly Value[])], choice: number): Value =>
  values[choice % values.length] ?? values[0];

/** The actions of the programs. `choice` is a small number that selects a variant of the action. */
export const actions: Readonly<Record<string, Action>> = {
  send(world, choice) {
    if (world.host.user === null || world.isForeign) return;
    const user = world.knownUser ?? world.host.user;
    world.send(`${user}: ${pick(answerWords, choice)} ${world.messages.length + 1}`);
  },
  edit(world, choice) {
    if (world.host.user === null || world.isForeign) return;
    const sent = world.conversation.state.entries.filter((entry) => entry.kind === 'user');
    const entry = sent[choice % Math.max(1, sent.length)];
    if (!entry) return;
    // An edit discards a failed message.
    for (const message of world.messages) {
      if (entry.delivery === 'failed') message.discarded ||= message.text === entry.text;
    }
    const user = world.knownUser ?? world.host.user;
    world.send(`${user}: ${pick(answerWords, choice)} ${world.messages.length + 1}`, entry.key);
  },
  'show another branch'(world, choice) {
    const { entries } = world.conversation.state;
    const edited = entries.find((entry) => entry.kind === 'user' && entry.versions !== null);
    if (edited?.kind !== 'user' || !edited.versions) return;
    world.conversation.showVersion(edited.key, choice % edited.versions.of);
  },
  'answer a card'(world) {
    for (const entry of world.conversation.state.entries) {
      if (entry.kind !== 'card' || entry.id === null || entry.progress !== 'open') continue;
      world.conversation.answerCard(entry.id, 'go').catch(() => {});
    }
  },
  stop: (world) => world.conversation.stop(),
  retry: (world) => world.conversation.retry(),
  discard(world) {
    const { entries } = world.conversation.state;
    const failed = entries.find((entry) => entry.kind === 'user' && entry.delivery === 'failed');
    if (failed?.kind !== 'user') return;
    world.conversation.discard(failed.key);
    for (const message of world.messages) message.discarded ||= message.text === failed.text;
  },
  'answer a tool call'(world, choice) {
    const { entries } = world.conversation.state;
    for (const entry of entries) {
      if (entry.kind !== 'tool' || entry.id === null) continue;
      const decision = choice % 2 === 0 ? 'allow' : 'deny';
      const { id, progress } = entry;
      if (progress === 'approval') world.conversation.confirmTool(id, decision).catch(() => {});
      if (progress === 'waiting') world.conversation.submitToolResult(id, 'page').catch(() => {});
    }
  },
  'set the draft'(world, choice) {
    if (world.knownUser === null || world.knownUser !== world.host.user) return;
    const text = `${world.knownUser}: draft ${choice}`;
    world.conversation.setDraft(text);
    world.draft = { text, sessionId: world.sessionId ?? '' };
  },
  reload: (world) => world.reload(),
  'open a session'(world, choice) {
    const sessions = world.sessionsOf(world.knownUser);
    if (sessions.length > 0) world.open(sessions[choice % sessions.length]?.id);
  },
  'start a new conversation': (world) => world.open(),
  'open a session of the other user'(world, choice) {
    const sessions = world.sessionsOf(world.knownUser === 'ada' ? 'bob' : 'ada');
    if (sessions.length > 0) world.open(sessions[choice % sessions.length]?.id);
  },
  'sign in as another': (world) => world.signIn(otherUser(world), true),
  'sign in as another without reset'(world) {
    // A client that does not know its user can't notice the change.
    if (world.knownUser !== null) world.signIn(otherUser(world), false);
  },
  'sign out': (world) => world.host.signOut(),
  'sign in again'(world) {
    world.host.signInAgain();
    world.client.reconnect().catch(() => {});
  },
  async 'expire the token'(world) {
    if (world.host.latestToken) await world.platform.expire(world.host.latestToken.id);
  },
  async 'revoke the token'(world) {
    if (world.host.latestToken) await world.platform.revoke(world.host.latestToken.id);
  },
  'revoke all tokens': (world) => world.platform.revokeAll(world.host.user ?? 'ada'),
  block: (world) => world.platform.block(world.host.user ?? 'ada'),
  unblock: (world) => world.platform.unblock(world.host.user ?? 'ada'),
  'break the host'(world, choice) {
    world.host.failures = 1 + (choice % 4);
  },
  'slow the host down'(world, choice) {
    world.host.delay = pick([0, 300, 8_000], choice);
  },
  'go offline'(world) {
    world.network.goOffline();
    world.tab.page.goOffline();
  },
  'go online'(world) {
    world.network.goOnline();
    world.tab.page.goOnline();
  },
  async sleep(world, choice) {
    world.network.cutStreams({ silently: true });
    await world.bed.clock.sleep(pick([30_000, 150_000, 600_000], choice));
    world.tab.page.focus();
  },
  hide: (world) => world.tab.page.hide(),
  show: (world) => world.tab.page.show(),
  'disconnect the streams': (world, choice) =>
    world.network.cutStreams({ silently: choice % 2 === 1 }),
  'disconnect the next streams': (world, choice) =>
    world.network.cutNextStreams([1, 2, 3].map((nth) => 2_000 + 97 * choice * nth)),
  'repeat events': (world, choice) => world.monitor.shiftNextStreams(-choice, -1000),
  'split streams': (world, choice) => world.network.splitStreams(choice % 2 === 0),
  'buffer streams': (world, choice) => world.network.bufferStreams(choice % 2 === 0),
  'lose a response': (world, choice) => world.network.loseResponse(pick(requests, choice)),
  'fail a request': (world, choice) =>
    world.network.failNext(pick(failures, choice), pick(requests, choice + 1), 1 + (choice % 9)),
  'slow requests down': (world, choice) =>
    world.network.delayRequests(pick([0, 200, 11_000], choice)),
  wait: (world, choice) =>
    world.bed.clock.advance(pick([20, 100, 600, 5_000, 31_000, 61_000], choice)),
};
