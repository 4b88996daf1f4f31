/** States of messages, tool calls and cards during an action of the user. */
import { features, log, type Stage } from './stage.ts';
import type { State } from './state.ts';
import { form, formula, pictures, sourced } from './texts.ts';

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

async function showSources(stage: Stage) {
  const [text, ...citations] = sourced;
  const content = [{ type: 'text', text, citations }];
  await stage.resumed(
    log.user('How long do I have?'),
    log.running(),
    { type: 'agent.message', content },
    log.idle(),
  );
  await stage.sees('2 sources');
}

async function showToolCall(stage: Stage, more: object) {
  await stage.asked('Please refund the lamp.', [
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

async function showApproval(stage: Stage) {
  await showToolCall(stage, { permission: 'ask' });
  await stage.sees('Pays 49.00 EUR back');
}

async function showForm(stage: Stage) {
  await stage.resumed(
    log.user('I want to send something back.'),
    log.running(),
    log.agent('This field is required.'),
    { type: 'agent.card', card: form },
    log.idle(),
  );
  await stage.sees('It was a gift');
}

export const actingStates: readonly State[] = [
  {
    name: 'sources',
    show: showSources,
  },
  {
    name: 'source-card',
    async show(stage) {
      await showSources(stage);
      await stage.press('Source 1: Sending things back');
      await stage.sees('within 30 days of the day');
    },
  },
  {
    name: 'avatars',
    async show(stage) {
      const chat = await stage.resumed(
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
      await stage.sees('brings it tomorrow');
    },
  },
  {
    name: 'maths',
    async show(stage) {
      await stage.resumed(...log.turn('What do I get back?', formula));
      await stage.finds('math');
    },
  },
  {
    name: 'blocked-image',
    async show(stage) {
      await stage.resumed(...log.turn('What does it look like?', pictures));
      await stage.sees('images.example');
    },
  },
  {
    name: 'days',
    async show(stage) {
      const before = log.turn('Are you open on Sunday?', 'From 10 to 16.');
      const yesterday = { processed_at: '2026-03-01T16:20:00Z' };
      await stage.resumed(...before.map((event) => ({ ...event, ...yesterday })), ...turn);
      await stage.sees('Yesterday');
    },
  },
  {
    name: 'new-messages',
    async show(stage) {
      const said = Array.from({ length: 8 }, () => turn).flat();
      const chat = await stage.resumed(...said);
      await stage.sees('It left this morning');
      await stage.scroll('.scroller', 0);
      const session = stage.platform.session(chat.currentSessionId ?? '');
      session.append(log.running(), log.agent('One more thing: it is large.'), log.idle());
      await stage.sees('New message');
    },
  },
  {
    name: 'feedback',
    async show(stage) {
      await stage.resumed(...turn);
      await stage.press('Bad answer');
      await stage.press('Incomplete');
    },
  },
  {
    name: 'editor',
    async show(stage) {
      stage.configure({ features: { ...features, edit: true } });
      await stage.resumed(...turn);
      await stage.press('Edit');
      await stage.finds('[aria-label="Edit your message"]');
    },
  },
  {
    name: 'versions',
    async show(stage) {
      await stage.resumed(...versions);
      await stage.finds('[aria-label="Version 2 of 2"]');
    },
  },
  {
    name: 'quote',
    async show(stage) {
      await stage.resumed(...turn);
      await stage.sees('It left this morning.');
      await stage.select('It left this morning.');
      await stage.sees('Quote');
    },
  },
  {
    name: 'thought',
    async show(stage) {
      await stage.resumed(
        log.user('Where is my order?'),
        log.running(),
        {
          type: 'agent.thinking',
          content: [{ type: 'text', text: 'The person asks for an order.' }],
        },
        log.agent('It left this morning.'),
        log.idle(),
      );
      await stage.unfold('Thought for');
    },
  },
  {
    name: 'tool-done',
    async show(stage) {
      await showToolCall(stage, {});
      await stage.sees('Done.');
      await stage.unfold('Refund order');
    },
  },
  {
    name: 'tool-failed',
    async show(stage) {
      await showToolCall(stage, { is_error: true, result: 'The bank does not answer.' });
      await stage.sees('Done.');
      await stage.unfold('Refund order');
    },
  },
  {
    name: 'approval-denying',
    async show(stage) {
      await showApproval(stage);
      await stage.press('Deny');
      await stage.write('I want a voucher.', 'input[name="reason"]');
    },
  },
  {
    name: 'approval-not-sent',
    async show(stage) {
      await showApproval(stage);
      stage.platform.faults.failNext({ status: 400 }, /events$/);
      await stage.press('Allow');
      await stage.sees('Not sent.');
    },
  },
  {
    name: 'approval-long',
    async show(stage) {
      const letter = 'Dear Ada, the lamp arrived broken. '.repeat(1000);
      await showToolCall(stage, { permission: 'ask', input: { to: 'ada@example.com', letter } });
      await stage.sees('Show all');
    },
  },
  {
    name: 'approval-denied',
    async show(stage) {
      await showApproval(stage);
      await stage.press('Deny');
      await stage.write('I want a voucher.', 'input[name="reason"]');
      await stage.press('Deny');
      await stage.sees('You denied this: I want a voucher.');
      await stage.sees('Done.');
    },
  },
  {
    name: 'approval-allowed',
    async show(stage) {
      await showApproval(stage);
      await stage.press('Allow');
      await stage.sees('You allowed this.');
      await stage.sees('Done.');
    },
  },
  {
    name: 'card-problems',
    async show(stage) {
      await showForm(stage);
      await stage.press('Send back');
      await stage.sees('This field is required.');
      await stage.finds('[aria-invalid="true"]');
    },
  },
  {
    name: 'card-answered',
    async show(stage) {
      stage.platform.answer = 'It will be fetched.';
      await showForm(stage);
      await stage.write('It is broken.', '.card textarea');
      await stage.press('Send back');
      await stage.sees('Sent');
      await stage.sees('It will be fetched.');
    },
  },
  {
    name: 'files-sent',
    async show(stage) {
      stage.configure({ features: { ...features, attachments: true } });
      const chat = await stage.chat();
      await stage.attach(chat, await stage.picture('lamp.png'), stage.file('invoice.pdf'));
      stage.platform.answer = 'I see.';
      await stage.finds('.done + .done');
      await stage.say('Here they are.');
      await stage.sees('I see.');
      await stage.finds('img[src^="blob:"]');
    },
  },
];
