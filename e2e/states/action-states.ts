/** States of messages, tool calls and cards during an action of the user. */

import type { Card } from '@inlay/protocol';
import type { State } from './state.ts';
import { features, log, type TestPage } from './test-page.ts';
import { arabicWelcome, englishWelcome, form, formula, pictures, sourced } from './texts.ts';

const turn = log.turn('Where is order 10482?', 'It left this morning.');

/** A user message in two versions, of which the second is shown. */
const versions = [
  { ...log.user('Where is order 10481?'), id: 'evt_first', parent_id: null },
  log.running(),
  log.agent('There is no such order.'),
  log.idle(),
  { ...log.user('Where is order 10482?'), id: 'evt_second', parent_id: null },
  ...turn.slice(1),
];

async function showSources(testPage: TestPage) {
  const [text, ...citations] = sourced;
  const content = [{ type: 'text', text, citations }];
  await testPage.chatWithHistory(
    log.user('How long do I have?'),
    log.running(),
    { type: 'agent.message', content },
    log.idle(),
  );
  await testPage.waitForText('2 sources');
}

async function showToolCall(testPage: TestPage, more: object) {
  await testPage.chatWithAnswer('Please refund the lamp.', [
    { say: 'I can do that.' },
    {
      call: 'refund_order',
      input: { order: '10482', amount: '49.00 EUR' },
      explanation: 'Pays 49.00 EUR back for order 10482.',
      result: '{"refunded":true,"reference":"R-77120"}',
      ...more,
    },
    { say: 'Done.' },
  ]);
}

async function showApproval(testPage: TestPage) {
  await showToolCall(testPage, { permission: 'ask' });
  await testPage.waitForText('Pays 49.00 EUR back');
}

async function showForm(testPage: TestPage) {
  await testPage.chatWithHistory(
    log.user('I want to send something back.'),
    log.running(),
    log.agent('This field is required.'),
    { type: 'agent.card', card: form },
    log.idle(),
  );
  await testPage.waitForText('It was a gift');
}

async function showWelcomeCard(testPage: TestPage, card: Card = englishWelcome) {
  testPage.configure({ welcome: { card } });
  await testPage.chat();
  await testPage.waitForText(card.title ?? '');
}

export const actionStates: readonly State[] = [
  {
    name: 'sources',
    show: showSources,
  },
  {
    name: 'source-card',
    async show(testPage) {
      await showSources(testPage);
      await testPage.click('Source 1: Sending things back');
      await testPage.waitForText('within 30 days of the day');
    },
  },
  {
    name: 'read-aloud',
    async show(testPage) {
      // Starts each utterance, and never ends it.
      const value = {
        speak: (utterance: EventTarget) => utterance.dispatchEvent(new Event('start')),
        cancel() {},
      };
      Object.defineProperty(globalThis, 'speechSynthesis', { value, configurable: true });
      await testPage.chatWithHistory(...turn);
      await testPage.click('Read aloud');
      await testPage.waitForElement('[title="Stop reading aloud"]');
    },
  },
  {
    name: 'avatars',
    async show(testPage) {
      const chat = await testPage.chatWithHistory(
        log.user('Where is my order?'),
        log.running(),
        { type: 'agent.thinking', content: [{ type: 'text', text: 'An order.' }] },
        log.agent('It left this morning. The carrier has it now, and brings it tomorrow.'),
        log.idle(),
      );
      const picture = document.createElement('i');
      picture.slot = 'avatar';
      const face = 'linear-gradient(135deg, #3a53d0, #b0497c)';
      picture.style.cssText = `inline-size: 32px; block-size: 32px; border-radius: 50%; background: ${face}`;
      chat.append(picture);
      chat.style.setProperty('--inlay-avatar-size', '28px');
      chat.style.setProperty('--inlay-avatar-agent', face);
      await testPage.waitForText('brings it tomorrow');
    },
  },
  {
    name: 'maths',
    async show(testPage) {
      await testPage.chatWithHistory(...log.turn('What do I get back?', formula));
      await testPage.waitForElement('math');
    },
  },
  {
    name: 'blocked-image',
    async show(testPage) {
      await testPage.chatWithHistory(...log.turn('What does it look like?', pictures));
      await testPage.waitForText('images.example');
    },
  },
  {
    name: 'days',
    async show(testPage) {
      const before = log.turn('Are you open on Sunday?', 'From 10 to 16.');
      const yesterday = { processed_at: '2026-03-01T16:20:00Z' };
      await testPage.chatWithHistory(
        ...before.map((event) => ({ ...event, ...yesterday })),
        ...turn,
      );
      await testPage.waitForText('Yesterday');
    },
  },
  {
    name: 'new-messages',
    async show(testPage) {
      const said = Array.from({ length: 8 }, () => turn).flat();
      const chat = await testPage.chatWithHistory(...said);
      await testPage.waitForText('It left this morning');
      await testPage.scroll('.scroller', 0);
      const session = testPage.platform.session(chat.currentSessionId ?? '');
      session.append(log.running(), log.agent('One more thing: it is large.'), log.idle());
      await testPage.waitForText('New message');
    },
  },
  {
    name: 'feedback',
    async show(testPage) {
      await testPage.chatWithHistory(...turn);
      await testPage.click('Bad answer');
      await testPage.click('Incomplete');
    },
  },
  {
    name: 'editor',
    async show(testPage) {
      testPage.configure({ features: { ...features, edit: true } });
      await testPage.chatWithHistory(...turn);
      await testPage.click('Edit');
      await testPage.waitForElement('[aria-label="Edit your message"]');
    },
  },
  {
    name: 'versions',
    async show(testPage) {
      await testPage.chatWithHistory(...versions);
      await testPage.waitForElement('[aria-label="Version 2 of 2"]');
    },
  },
  {
    name: 'quote',
    async show(testPage) {
      await testPage.chatWithHistory(...turn);
      await testPage.waitForText('It left this morning.');
      await testPage.select('It left this morning.');
      await testPage.waitForText('Quote');
    },
  },
  {
    name: 'thought',
    async show(testPage) {
      await testPage.chatWithHistory(
        log.user('Where is my order?'),
        log.running(),
        {
          type: 'agent.thinking',
          content: [{ type: 'text', text: 'The person asks for an order.' }],
        },
        log.agent('It left this morning.'),
        log.idle(),
      );
      await testPage.openDetails('Thought for');
    },
  },
  {
    name: 'tool-done',
    async show(testPage) {
      await showToolCall(testPage, {});
      await testPage.waitForText('Done.');
      await testPage.openDetails('Refund order');
    },
  },
  {
    name: 'tool-failed',
    async show(testPage) {
      await showToolCall(testPage, { is_error: true, result: 'The bank does not answer.' });
      await testPage.waitForText('Done.');
      await testPage.openDetails('Refund order');
    },
  },
  {
    name: 'approval-denying',
    async show(testPage) {
      await showApproval(testPage);
      await testPage.click('Deny');
      await testPage.fillIn('I want a voucher.', 'input[name="reason"]');
    },
  },
  {
    name: 'approval-not-sent',
    async show(testPage) {
      await showApproval(testPage);
      testPage.platform.faults.failNext({ status: 400 }, /events$/);
      await testPage.click('Allow');
      await testPage.waitForText('Not sent.');
    },
  },
  {
    name: 'approval-long',
    async show(testPage) {
      const letter = 'Dear Ada, the lamp arrived broken. '.repeat(1000);
      await showToolCall(testPage, { permission: 'ask', input: { to: 'ada@example.com', letter } });
      await testPage.waitForText('Show all');
    },
  },
  {
    name: 'approval-unread',
    async show(testPage) {
      const options = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`option_${i}`, i]));
      const input = { amount: '\u200f100 < 900', amount_: 5000, ...options };
      await showToolCall(testPage, { permission: 'ask', input });
      await testPage.waitForText('Read all of it');
    },
  },
  {
    name: 'approval-denied',
    async show(testPage) {
      await showApproval(testPage);
      await testPage.click('Deny');
      await testPage.fillIn('I want a voucher.', 'input[name="reason"]');
      await testPage.click('Deny');
      await testPage.waitForText('You denied this: I want a voucher.');
      await testPage.waitForText('Done.');
    },
  },
  {
    name: 'approval-allowed',
    async show(testPage) {
      await showApproval(testPage);
      await testPage.click('Allow');
      await testPage.waitForText('You allowed this.');
      await testPage.waitForText('Done.');
    },
  },
  {
    name: 'card-problems',
    async show(testPage) {
      await showForm(testPage);
      await testPage.click('Send back');
      await testPage.waitForText('This field is required.');
      await testPage.waitForElement('[aria-invalid="true"]');
    },
  },
  {
    name: 'card-answered',
    async show(testPage) {
      testPage.platform.answer = 'It will be fetched.';
      await showForm(testPage);
      await testPage.fillIn('It is broken.', '.card textarea');
      await testPage.click('Send back');
      await testPage.waitForText('Sent');
      await testPage.waitForText('It will be fetched.');
    },
  },
  { name: 'welcome-card', show: (testPage) => showWelcomeCard(testPage) },
  { name: 'welcome-card-dark', scheme: 'dark', show: (testPage) => showWelcomeCard(testPage) },
  { name: 'welcome-card-wide', size: 'wide', show: (testPage) => showWelcomeCard(testPage) },
  {
    name: 'welcome-card-forced-colors',
    contrast: 'forced',
    show: (testPage) => showWelcomeCard(testPage),
  },
  {
    name: 'welcome-card-rtl',
    dir: 'rtl',
    lang: 'ar',
    show: (testPage) => showWelcomeCard(testPage, arabicWelcome),
  },
  {
    name: 'welcome-card-failed',
    async show(testPage) {
      testPage.platform.faults.failNext({ status: 400 }, 'POST /sessions', Infinity);
      await showWelcomeCard(testPage);
      await testPage.fillIn('kim@shop.example', '.card input');
      await testPage.click('Start the chat');
      await testPage.waitForText('Not sent');
    },
  },
  {
    name: 'files-sent',
    async show(testPage) {
      testPage.configure({ features: { ...features, attachments: true } });
      const chat = await testPage.chat();
      await testPage.attach(chat, await testPage.picture('lamp.png'), testPage.file('invoice.pdf'));
      testPage.platform.answer = 'I see.';
      await testPage.waitForElement('.done + .done');
      await testPage.sendMessage('Here they are.');
      await testPage.waitForText('I see.');
      await testPage.waitForElement('img[src^="blob:"]');
    },
  },
];
