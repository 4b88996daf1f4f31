/**
 * All visual states of the widget, for snapshots and audits. A state has a name, the steps that lead to
 * it, and the settings that differ from the defaults: a phone, in light colours. After a change:
 * `npm run test:e2e -- --config e2e/states -u`.
 */
import type { ProblemCode } from '@inlay/protocol';
import { actionStates } from './action-states.ts';
import { panelStates, showConversationList } from './panel-states.ts';
import type { State } from './state.ts';
import { log, type TestPage } from './test-page.ts';
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

const showGreeting = (testPage: TestPage) =>
  testPage.chat().then(() => testPage.waitForText('how can I help'));

async function showAnswer(testPage: TestPage) {
  await testPage.chatWithHistory(
    ...log.turn('Hi!', 'Good morning, Kim. What can I do for you?'),
    ...log.turn('Where is order 10482?', rich),
  );
  await testPage.waitForText('Keep the box');
  // Code is highlighted after it is shown.
  await testPage.waitForElement('.lines span');
}

async function showMarkdownExtensions(testPage: TestPage, answer: string, text: string) {
  await testPage.chatWithHistory(...log.turn('?', answer));
  await testPage.waitForText(text);
}

async function showRefusal(testPage: TestPage, code: ProblemCode, text: string) {
  testPage.platform.faults.failNext({ code }, /^/, Infinity);
  await testPage.chat();
  await testPage.waitForText(text);
}

async function showCutOffAnswer(testPage: TestPage) {
  const message = 'The answer was cut off.';
  await testPage.chatWithHistory(
    {
      type: 'user.message',
      content: [{ type: 'text', text: 'Explain the tides.' }],
    },
    {
      type: 'agent.message',
      content: [{ type: 'text', text: 'The moon pulls at the water, and' }],
      incomplete: 'failed',
    },
    {
      type: 'session.error',
      error: { type: 'answer_cut_off_error', message, retry_status: { type: 'exhausted' } },
    },
    { type: 'session.status_idle', stop_reason: { type: 'retries_exhausted' } },
  );
  await testPage.waitForElement('inlay-notice');
}

async function showRunningTool(testPage: TestPage) {
  await testPage.chatWithAnswer('Where is order 10482?', [
    { think: 'The person asks for an order. I look it up by its number.' },
    { call: 'look_up_order', input: { order: '10482' }, delay_ms: 1e9 },
  ]);
  await testPage.waitForText('Look up order');
}

async function showApproval(testPage: TestPage) {
  await testPage.chatWithAnswer('Please refund the lamp.', [
    { say: 'I can do that.' },
    {
      call: 'refund_order',
      input: { order: '10482', amount: '49.00 EUR', reason: 'The lamp arrived broken.' },
      permission: 'ask',
    },
  ]);
  await testPage.waitForText('49.00 EUR');
}

async function showUnread(testPage: TestPage) {
  testPage.platform.answer = 'Your order is on its way.';
  const launcher = await testPage.launcher();
  launcher.show();
  await testPage.waitForText('how can I help');
  launcher.hide();
  await launcher.chat?.sendMessage('Where is my order?');
  await testPage.waitForText('1');
}

async function showCard(testPage: TestPage, card: object, text: string) {
  await testPage.chatWithHistory(
    log.user('Please.'),
    log.running(),
    log.agent('Here you are.'),
    { type: 'agent.card', card },
    log.idle(),
  );
  await testPage.waitForText(text);
}

async function showSuggestions(testPage: TestPage) {
  const labels = ['When will it come?', 'Send it elsewhere', 'What if nobody is at home then?'];
  await testPage.chatWithHistory(
    log.user('Where is my order?'),
    log.running(),
    log.agent('It left this morning.'),
    { type: 'agent.suggestions', prompts: labels.map((label) => ({ label })) },
    log.idle(),
  );
  await testPage.waitForText('nobody is at home');
}

const showFormCard = (testPage: TestPage) => showCard(testPage, form, 'It was a gift');
const showChart = (testPage: TestPage) => showCard(testPage, chart, 'sent back');
const showQuotaExceeded = (testPage: TestPage) =>
  showRefusal(testPage, 'EMBED_QUOTA_EXCEEDED', 'limit');
const showClosedLauncher = (testPage: TestPage) => testPage.launcher();

async function showOpenLauncher(testPage: TestPage) {
  (await testPage.launcher()).show();
  await testPage.waitForText('how can I help');
  await testPage.waitForFocus(matchMedia('(pointer: coarse)').matches ? 'dialog' : 'textarea');
}

async function showConsent(testPage: TestPage) {
  testPage.configure({ consent: { text: consent } });
  await testPage.chat();
  await testPage.waitForText('for 30 days');
}

export const states: readonly State[] = [
  // Empty conversation
  { name: 'empty', show: showGreeting },
  { name: 'empty-wide', size: 'wide', show: showGreeting },
  { name: 'empty-dark', scheme: 'dark', show: showGreeting },
  { name: 'empty-rtl', dir: 'rtl', lang: 'he', show: showGreeting },
  { name: 'empty-contrast', contrast: 'more', show: showGreeting },
  { name: 'empty-forced-colors', contrast: 'forced', show: showGreeting },
  {
    name: 'loading',
    async show(testPage) {
      testPage.platform.faults.hold('GET /embed/config');
      await testPage.chat();
    },
  },
  {
    name: 'not-set-up',
    show: (testPage) =>
      testPage.chat({ baseUrl: '' }).then(() => testPage.waitForText('isn’t set up')),
  },
  {
    name: 'unavailable',
    async show(testPage) {
      testPage.platform.faults.failNext(
        { code: 'VALIDATION_ERROR' },
        'GET /embed/config',
        Infinity,
      );
      await testPage.chat();
      await testPage.waitForText('unavailable right now');
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
    show: (testPage) =>
      testPage
        .chatWithHistory(...log.turn(arabic.question, arabic.answer))
        .then(() => testPage.waitForText('احتفظ')),
  },
  { name: 'marks', show: (testPage) => showMarkdownExtensions(testPage, marked, 'As of March') },
  {
    name: 'marks-dark',
    scheme: 'dark',
    show: (testPage) => showMarkdownExtensions(testPage, marked, 'As of March'),
  },
  {
    name: 'marks-rtl',
    dir: 'rtl',
    lang: 'ar',
    show: (testPage) => showMarkdownExtensions(testPage, markedArabic, 'حتى مارس'),
  },
  {
    name: 'long',
    show: (testPage) =>
      testPage
        .chatWithHistory(...log.turn(`${unbroken} ${long}`, `${unbroken}\n\n${long}`))
        .then(() => testPage.waitForText('Paragraph 6')),
  },
  {
    name: 'draft',
    show: (testPage) =>
      showGreeting(testPage).then(() =>
        testPage.fillIn('One line.\nAnother line.\n\nAnd one after a gap.'),
      ),
  },
  {
    name: 'waiting',
    show: (testPage) => testPage.chatWithAnswer('Where is my order?', [{ hold: 'all' }]),
  },
  {
    name: 'streaming',
    async show(testPage) {
      await testPage.chatWithAnswer('Where is my order?', [
        { say: `${rich.slice(0, 190)}` },
        { hold: 'rest' },
      ]);
      await testPage.waitForText('the carrier');
    },
  },
  {
    name: 'thinking',
    async show(testPage) {
      const plan = 'The person asks for an order. ';
      await testPage.chatWithAnswer('Where is my order?', [{ think: plan }, { hold: 'rest' }]);
      await testPage.waitForText('Thinking');
    },
  },
  { name: 'tool-running', show: showRunningTool },
  { name: 'tool-running-dark', scheme: 'dark', show: showRunningTool },
  { name: 'tool-running-forced-colors', contrast: 'forced', show: showRunningTool },
  { name: 'approval', show: showApproval },
  { name: 'approval-forced-colors', contrast: 'forced', show: showApproval },
  { name: 'approval-wide-dark', size: 'wide', scheme: 'dark', show: showApproval },
  { name: 'card-form', show: showFormCard },
  { name: 'card-form-dark', scheme: 'dark', show: showFormCard },
  { name: 'card-form-forced-colors', contrast: 'forced', show: showFormCard },
  { name: 'card-chart-forced-colors', contrast: 'forced', show: showChart },
  { name: 'card-chart', size: 'wide', show: showChart },
  { name: 'suggestions', show: showSuggestions },
  { name: 'suggestions-touch', touch: true, show: showSuggestions },
  {
    name: 'answer-failed',
    async show(testPage) {
      await testPage.chatWithAnswer('Where is my order?', [
        { say: 'I begin' },
        { fail: 'x', retryable: true },
      ]);
      await testPage.waitForText('I begin');
      await testPage.waitForText('again');
    },
  },
  { name: 'answer-cut-off', show: showCutOffAnswer },
  { name: 'answer-cut-off-wide-dark', size: 'wide', scheme: 'dark', show: showCutOffAnswer },
  { name: 'answer-cut-off-rtl', dir: 'rtl', lang: 'he', show: showCutOffAnswer },
  {
    name: 'message-failed',
    async show(testPage) {
      testPage.platform.faults.failNext({ status: 400 }, 'POST /sessions', Infinity);
      await testPage.chatWithAnswer('Where is my order?', null);
      await testPage.waitForText('Not sent');
    },
  },
  {
    name: 'stopped',
    async show(testPage) {
      const chat = await testPage.chatWithAnswer('Where is my order?', [
        { say: 'It is' },
        { hold: 'rest' },
      ]);
      await testPage.waitForText('It is');
      chat.stop();
      await testPage.waitForText('Stopped');
    },
  },

  // Panels and banners
  { name: 'threads', show: showConversationList },
  { name: 'threads-wide', size: 'wide', show: showConversationList },
  { name: 'threads-dark', scheme: 'dark', show: showConversationList },
  { name: 'threads-forced-colors', contrast: 'forced', show: showConversationList },
  { name: 'consent', show: showConsent },
  { name: 'consent-dark', scheme: 'dark', show: showConsent },
  {
    name: 'near-the-limit',
    async show(testPage) {
      testPage.configure({
        allowances: [{ type: 'day', used: 0.92, resets_at: '2026-03-03T00:00:00Z' }],
      });
      await showGreeting(testPage);
    },
  },

  {
    name: 'limit-reached',
    async show(testPage) {
      const code = 'EMBED_QUOTA_EXCEEDED';
      const error = {
        type: 'billing_error',
        code,
        message: '',
        retry_status: { type: 'terminal' },
      };
      testPage.configure({
        allowances: [{ type: 'day', used: 1, resets_at: '2026-03-03T00:00:00Z' }],
      });
      await testPage.chatWithHistory(
        ...log.turn('Hi!', 'Good morning, Kim.'),
        log.user('Where is my order?'),
        log.running(),
        { type: 'session.error', error },
        log.idle({ type: 'budget_reached' }),
      );
      await testPage.waitForText('You can use this chat again from');
    },
  },

  // Auth states and quotas
  {
    name: 'signed-out',
    show: (testPage) =>
      testPage.chat({ getToken: async () => null }).then(() => testPage.waitForText('Sign in')),
  },
  {
    name: 'revoked',
    async show(testPage) {
      await showAnswer(testPage);
      testPage.platform.block(testPage.user);
      await testPage.waitForText('You can’t use this chat');
    },
  },
  {
    name: 'blocked',
    show: (testPage) => showRefusal(testPage, 'EMBED_USER_BLOCKED', 'You can’t use'),
  },
  {
    name: 'wrong-page',
    show: (testPage) => showRefusal(testPage, 'EMBED_ORIGIN_NOT_ALLOWED', 'allowed origins'),
  },
  { name: 'over-quota', show: showQuotaExceeded },
  { name: 'over-quota-forced-colors', contrast: 'forced', show: showQuotaExceeded },
  {
    name: 'over-budget',
    async show(testPage) {
      await testPage.chatWithAnswer('Hi!', [{ say: 'Good morning.' }, { spend_cents: 5 }]);
      await testPage.waitForText('Good morning.');
      testPage.platform.faults.failNext({ code: 'EMBED_BUDGET_EXCEEDED' }, /events$/, Infinity);
      await testPage.sendMessage('Where is my order?');
      await testPage.waitForText('this chat’s limit');
    },
  },
  {
    name: 'closed',
    async show(testPage) {
      const session = testPage.platform.createSession({ user: testPage.user });
      session.append(...log.turn('Hi!', 'Good morning.'), { type: 'session.status_terminated' });
      await testPage.chat({ sessionId: session.id });
      await testPage.waitForText('has ended');
    },
  },

  // Launcher
  { name: 'launcher-closed', size: 'wide', show: showClosedLauncher },
  { name: 'launcher-closed-phone', show: showClosedLauncher },
  { name: 'launcher-unread', size: 'wide', show: showUnread },
  { name: 'launcher-unread-forced-colors', contrast: 'forced', show: showUnread },
  {
    name: 'launcher-teaser',
    size: 'wide',
    async show(testPage) {
      await testPage.launcher({
        teaser: 'Looking for something? I know the shelves.',
        teaserDelay: 0,
      });
      await testPage.waitForText('I know the shelves');
    },
  },
  { name: 'launcher-open', size: 'wide', show: showOpenLauncher },
  { name: 'launcher-open-phone-dark', scheme: 'dark', show: showOpenLauncher },

  ...actionStates,
  ...panelStates,
];
