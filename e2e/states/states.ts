/**
 * All visual states of the widget, for snapshots and audits. A state has a name, the steps that lead to
 * it, and settings that differ from a phone in light colours. After a change:
 * `npm run snapshots -- -u`.
 */
import type { ProblemCode } from '@inlay/protocol';
import { actingStates } from './acting-states.ts';
import { panelStates } from './panel-states.ts';
import { features, log, type Stage } from './stage.ts';
import type { State } from './state.ts';
import {
  arabic,
  chart,
  consent,
  form,
  long,
  marked,
  markedArabic,
  rich,
  unbroken,
} from './texts.ts';

const greeted = (stage: Stage) => stage.chat().then(() => stage.sees('how can I help'));

async function showAnswer(stage: Stage) {
  await stage.resumed(
    ...log.turn('Hi!', 'Good morning, Kim. What can I do for you?'),
    ...log.turn('Where is order 10482?', rich),
  );
  await stage.sees('Keep the box');
  // Code is highlighted after it is shown.
  await stage.finds('.lines span');
}

async function withMarks(stage: Stage, text: string, words: string) {
  await stage.resumed(...log.turn('?', text));
  await stage.sees(words);
}

async function showRefusal(stage: Stage, code: ProblemCode, words: string) {
  stage.platform.faults.failNext({ code }, /^/, Infinity);
  await stage.chat();
  await stage.sees(words);
}

async function showRunningTool(stage: Stage) {
  await stage.asked('Where is order 10482?', [
    { think: 'The person asks for an order. I look it up by its number.' },
    { call: 'look_up_order', input: { order: '10482' }, delay_ms: 1e9 },
  ]);
  await stage.sees('Look up order');
}

async function showApproval(stage: Stage) {
  await stage.asked('Please refund the lamp.', [
    { say: 'I can do that.' },
    {
      call: 'refund_order',
      input: { order: '10482', amount: '49.00 EUR', reason: 'The lamp arrived broken.' },
      permission: 'ask',
    },
  ]);
  await stage.sees('49.00 EUR');
}

async function showUnread(stage: Stage) {
  stage.platform.answer = 'Your order is on its way.';
  const launcher = await stage.launcher();
  launcher.open();
  await stage.sees('how can I help');
  launcher.close();
  await launcher.chat?.sendMessage('Where is my order?');
  await stage.sees('1');
}

async function showCard(stage: Stage, card: object, words: string) {
  await stage.resumed(
    log.user('Please.'),
    log.running(),
    log.agent('Here you are.'),
    { type: 'agent.card', card },
    log.idle(),
  );
  await stage.sees(words);
}

async function showConversationList(stage: Stage) {
  stage.configure({ features: { ...features, threads: true, delete: true } });
  for (const title of ['Where is order 10482?', 'The lamp arrived broken', 'Opening hours']) {
    stage.platform.createSession({ user: stage.user, title }).append(...log.turn(title, 'Well.'));
  }
  await stage.chat();
  await stage.press('Show conversations');
  await stage.sees('Opening hours');
}

async function showSuggestions(stage: Stage) {
  const labels = ['When will it come?', 'Send it elsewhere', 'What if nobody is at home then?'];
  await stage.resumed(
    log.user('Where is my order?'),
    log.running(),
    log.agent('It left this morning.'),
    { type: 'agent.suggestions', prompts: labels.map((label) => ({ label })) },
    log.idle(),
  );
  await stage.sees('nobody is at home');
}

const formed = (stage: Stage) => showCard(stage, form, 'It was a gift');
const charted = (stage: Stage) => showCard(stage, chart, 'sent back');
const overQuota = (stage: Stage) => showRefusal(stage, 'EMBED_QUOTA_EXCEEDED', 'limit');
const closed = (stage: Stage) => stage.launcher();

async function showOpenLauncher(stage: Stage) {
  (await stage.launcher()).open();
  await stage.sees('how can I help');
}

async function showConsent(stage: Stage) {
  stage.configure({ consent: { text: consent } });
  await stage.chat();
  await stage.sees('for 30 days');
}

export const states: readonly State[] = [
  // Empty conversation
  { name: 'empty', show: greeted },
  { name: 'empty-wide', size: 'wide', show: greeted },
  { name: 'empty-dark', scheme: 'dark', show: greeted },
  { name: 'empty-rtl', dir: 'rtl', lang: 'he', show: greeted },
  { name: 'empty-contrast', contrast: 'more', show: greeted },
  { name: 'empty-forced-colors', contrast: 'forced', show: greeted },
  {
    name: 'loading',
    async show(stage) {
      stage.platform.faults.hold('GET /embed/config');
      await stage.chat();
    },
  },
  {
    name: 'not-set-up',
    show: (stage) => stage.chat({ baseUrl: '' }).then(() => stage.sees('isn’t set up')),
  },
  {
    name: 'unavailable',
    async show(stage) {
      stage.platform.faults.failNext({ code: 'VALIDATION_ERROR' }, 'GET /embed/config', Infinity);
      await stage.chat();
      await stage.sees('unavailable right now');
    },
  },

  // Conversation
  { name: 'conversation', show: showAnswer },
  { name: 'conversation-wide', size: 'wide', show: showAnswer },
  { name: 'conversation-wide-dark', size: 'wide', scheme: 'dark', show: showAnswer },
  { name: 'conversation-contrast', contrast: 'more', show: showAnswer },
  { name: 'conversation-forced-colors', contrast: 'forced', show: showAnswer },
  {
    name: 'conversation-rtl',
    dir: 'rtl',
    lang: 'ar',
    show: (stage) =>
      stage.resumed(...log.turn(arabic.question, arabic.answer)).then(() => stage.sees('احتفظ')),
  },
  { name: 'marks', show: (stage) => withMarks(stage, marked, 'As of March') },
  { name: 'marks-dark', scheme: 'dark', show: (stage) => withMarks(stage, marked, 'As of March') },
  {
    name: 'marks-rtl',
    dir: 'rtl',
    lang: 'ar',
    show: (stage) => withMarks(stage, markedArabic, 'حتى مارس'),
  },
  {
    name: 'long',
    show: (stage) =>
      stage
        .resumed(...log.turn(`${unbroken} ${long}`, `${unbroken}\n\n${long}`))
        .then(() => stage.sees('Paragraph 6')),
  },
  {
    name: 'draft',
    show: (stage) =>
      greeted(stage).then(() => stage.write('One line.\nAnother line.\n\nAnd one after a gap.')),
  },
  {
    name: 'waiting',
    show: (stage) => stage.asked('Where is my order?', [{ hold: 'all' }]),
  },
  {
    name: 'streaming',
    async show(stage) {
      await stage.asked('Where is my order?', [{ say: `${rich.slice(0, 190)}` }, { hold: 'rest' }]);
      await stage.sees('the carrier');
    },
  },
  {
    name: 'thinking',
    async show(stage) {
      const plan = 'The person asks for an order. ';
      await stage.asked('Where is my order?', [{ think: plan }, { hold: 'rest' }]);
      await stage.sees('Thinking');
    },
  },
  { name: 'tool-running', show: showRunningTool },
  { name: 'tool-running-dark', scheme: 'dark', show: showRunningTool },
  { name: 'tool-running-forced-colors', contrast: 'forced', show: showRunningTool },
  { name: 'approval', show: showApproval },
  { name: 'approval-forced-colors', contrast: 'forced', show: showApproval },
  { name: 'approval-wide-dark', size: 'wide', scheme: 'dark', show: showApproval },
  { name: 'card-form', show: formed },
  { name: 'card-form-dark', scheme: 'dark', show: formed },
  { name: 'card-form-forced-colors', contrast: 'forced', show: formed },
  { name: 'card-chart-forced-colors', contrast: 'forced', show: charted },
  { name: 'card-chart', size: 'wide', show: charted },
  { name: 'suggestions', show: showSuggestions },
  { name: 'suggestions-touch', touch: true, show: showSuggestions },
  {
    name: 'answer-failed',
    async show(stage) {
      await stage.asked('Where is my order?', [{ say: 'I begin' }, { fail: 'x', retryable: true }]);
      await stage.sees('I begin');
      await stage.sees('again');
    },
  },
  {
    name: 'message-failed',
    async show(stage) {
      stage.platform.faults.failNext({ status: 400 }, 'POST /sessions', Infinity);
      await stage.asked('Where is my order?', null);
      await stage.sees('Not sent');
    },
  },
  {
    name: 'stopped',
    async show(stage) {
      const chat = await stage.asked('Where is my order?', [{ say: 'It is' }, { hold: 'rest' }]);
      await stage.sees('It is');
      chat.stop();
      await stage.sees('Stopped');
    },
  },

  // Panels and banners
  { name: 'threads', show: showConversationList },
  { name: 'threads-wide', size: 'wide', show: showConversationList },
  { name: 'threads-forced-colors', contrast: 'forced', show: showConversationList },
  { name: 'consent', show: showConsent },
  { name: 'consent-dark', scheme: 'dark', show: showConsent },
  {
    name: 'near-the-limit',
    async show(stage) {
      stage.configure({
        allowances: [{ type: 'day', used: 0.92, resets_at: '2026-03-03T00:00:00Z' }],
      });
      await greeted(stage);
    },
  },

  {
    name: 'limit-reached',
    async show(stage) {
      const code = 'EMBED_QUOTA_EXCEEDED';
      const error = {
        type: 'billing_error',
        code,
        message: '',
        retry_status: { type: 'terminal' },
      };
      stage.configure({
        allowances: [{ type: 'day', used: 1, resets_at: '2026-03-03T00:00:00Z' }],
      });
      await stage.resumed(
        ...log.turn('Hi!', 'Good morning, Kim.'),
        log.user('Where is my order?'),
        log.running(),
        { type: 'session.error', error },
        log.idle({ type: 'budget_reached' }),
      );
      await stage.sees('You can continue from');
    },
  },

  // Auth states and quotas
  {
    name: 'signed-out',
    show: (stage) => stage.chat({ getToken: async () => null }).then(() => stage.sees('Sign in')),
  },
  {
    name: 'revoked',
    async show(stage) {
      await showAnswer(stage);
      stage.platform.block(stage.user);
      await stage.sees('You can’t use this chat');
    },
  },
  { name: 'blocked', show: (stage) => showRefusal(stage, 'EMBED_USER_BLOCKED', 'You can’t use') },
  {
    name: 'wrong-page',
    show: (stage) => showRefusal(stage, 'EMBED_ORIGIN_NOT_ALLOWED', 'allowed origins'),
  },
  { name: 'over-quota', show: overQuota },
  { name: 'over-quota-forced-colors', contrast: 'forced', show: overQuota },
  {
    name: 'over-budget',
    async show(stage) {
      await stage.asked('Hi!', [{ say: 'Good morning.' }, { spend_cents: 5 }]);
      await stage.sees('Good morning.');
      stage.platform.faults.failNext({ code: 'EMBED_BUDGET_EXCEEDED' }, /events$/, Infinity);
      await stage.say('Where is my order?');
      await stage.sees('this chat’s limit');
    },
  },
  {
    name: 'closed',
    async show(stage) {
      const session = stage.platform.createSession({ user: stage.user });
      session.append(...log.turn('Hi!', 'Good morning.'), { type: 'session.status_terminated' });
      await stage.chat({ sessionId: session.id });
      await stage.sees('has ended');
    },
  },

  // Launcher
  { name: 'launcher-closed', size: 'wide', show: closed },
  { name: 'launcher-closed-phone', show: closed },
  { name: 'launcher-unread', size: 'wide', show: showUnread },
  { name: 'launcher-unread-forced-colors', contrast: 'forced', show: showUnread },
  {
    name: 'launcher-teaser',
    size: 'wide',
    async show(stage) {
      await stage.launcher({
        teaser: 'Looking for something? I know the shelves.',
        teaserDelay: 0,
      });
      await stage.sees('I know the shelves');
    },
  },
  { name: 'launcher-open', size: 'wide', show: showOpenLauncher },
  { name: 'launcher-open-phone-dark', scheme: 'dark', show: showOpenLauncher },

  ...actingStates,
  ...panelStates,
];
