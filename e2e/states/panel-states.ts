/** States with open panels, menus and dialogs, and states of the composer. */

import { anonymousVisitor, createInlayClient } from '@inlay/client';
import type { State } from './state.ts';
import { features, log, type TestPage } from './test-page.ts';
import { arabic, consent, form } from './texts.ts';

const day = 86_400_000;

/** Conversations with their age in days, oldest first. */
const conversations = [
  {
    age: 40,
    title: 'A lamp for the hall, with a switch that can be reached from the stairs',
    answer: 'The **Lindholm** has a pull cord.',
  },
  { age: 3, title: 'Return of order 10310', answer: 'The refund is on its way.', waits: true },
  {
    age: 1,
    title: 'Where is order 10482?',
    answer: 'It left the warehouse on Friday and arrives on Tuesday.',
  },
  { age: 0, title: 'The lamp arrived broken', answer: 'I am sorry. Shall I send a new one?' },
  { age: 0, title: 'Opening hours', answer: 'Well.' },
];

/** Runs a function with an earlier time of day. */
function daysAgo(days: number, run: () => void) {
  const { now } = Date;
  Date.now = () => now() - days * day;
  run();
  Date.now = now;
}

export async function showConversationList(testPage: TestPage) {
  testPage.configure({ features: { ...features, threads: true, delete: true } });
  for (const { age, title, answer, waits } of conversations) {
    daysAgo(age, () => {
      const session = testPage.platform.createSession({ user: testPage.user, title });
      session.append(...log.turn(title, answer));
      if (waits) session.end('requires_action', []);
    });
  }
  await testPage.chat();
  await testPage.click('Show conversations');
  await testPage.waitForText('Opening hours');
}

async function showConversationActions(testPage: TestPage) {
  await showConversationList(testPage);
  await testPage.click('Actions for Opening hours');
  await testPage.waitForText('Rename');
}

async function showMenu(testPage: TestPage) {
  testPage.configure({
    features: { ...features, export: true, delete: true, forget_me: true },
    retention: { sessions_days: 90 },
  });
  await testPage.chatWithHistory(...log.turn('Hi!', 'Good morning.'));
  await testPage.waitForText('Good morning.');
  await testPage.click('More');
  await testPage.waitForText('Delete my data');
}

async function showLightbox(testPage: TestPage) {
  testPage.configure({ features: { ...features, attachments: true } });
  const chat = await testPage.chat();
  const [lamp, table] = [await testPage.picture('lamp.png'), await testPage.picture('table.png')];
  await testPage.attach(chat, lamp, table);
  await testPage.waitForElement('.done + .done');
  await testPage.sendMessage('Like these?');
  // The dialog shows the pictures that have loaded.
  await testPage.waitForElement('.picture[part=file]', 2);
  await testPage.click('Open Image');
  await testPage.waitForElement('dialog img');
}

async function showSentDocuments(testPage: TestPage) {
  const sentDocument = (title: string, size_bytes: number | null) => ({
    type: 'document',
    source: { type: 'file', file_id: 'file_1' },
    title,
    size_bytes,
  });
  const content = [
    sentDocument('invoice of the second of March, signed and stamped.pdf', 1_234_567),
    sentDocument('חשבונית\u202e fdp.pdf', 84_000),
    sentDocument('notes.txt', null),
    { type: 'text', text: 'Please check these.' },
  ];
  await testPage.chatWithHistory({ type: 'user.message', content }, ...log.turn('?', 'I do.'));
  await testPage.waitForElement('[part="file"]', 3);
  await testPage.waitForText('84');
}

async function showAttachments(testPage: TestPage) {
  testPage.configure({
    features: { ...features, attachments: true },
    attachments: { max_bytes: 40_000, max_files: 5, media_types: ['image/*', 'application/pdf'] },
  });
  const chat = await testPage.chat();
  await testPage.attach(chat, await testPage.picture('lamp.png'));
  await testPage.waitForElement('.done');
  testPage.platform.faults.failNext({ status: 400 }, 'POST /files');
  await testPage.attach(chat, testPage.file('invoice of the second of March.pdf'));
  await testPage.waitForText('Not uploaded');
  testPage.platform.faults.hold('POST /files');
  await testPage.attach(chat, testPage.file('contract.pdf'), testPage.file('film.pdf', 50_000));
  await testPage.waitForText('Larger than');
}

const pdf = `%PDF-1.4 1 0 obj <</Type /Pages /Count 12>> endobj${' '.repeat(340_000)}`;

async function showPictures(testPage: TestPage) {
  testPage.configure({ features: { ...features, attachments: true } });
  const chat = await testPage.chat();
  await testPage.attach(
    chat,
    await testPage.picture('lamp.png'),
    new File([pdf], 'terms.pdf', { type: 'application/pdf' }),
  );
  await testPage.waitForText('12 pages');
  testPage.platform.faults.hold('POST /files');
  await testPage.attach(chat, await testPage.picture('hall.png'));
  await testPage.waitForElement('.uploading');
}

const commands = [
  { name: 'order', description: 'Where an order is', takesInput: true },
  { name: 'return', description: 'Send something back' },
  { name: 'person', description: 'Talk to a person' },
];

const people = [
  { id: 'u1', label: 'Ada Lovelace', description: 'Orders' },
  { id: 'u2', label: 'Grace Hopper', description: 'Returns' },
];

const modes = [
  { id: 'quick', label: 'Quick' },
  { id: 'thorough', label: 'Thorough', description: 'Takes its time' },
];

async function showLanguage(testPage: TestPage, language: string) {
  testPage.configure({
    consent: null,
    features: { ...features, threads: true, export: true, forget_me: true },
  });
  const session = testPage.platform.createSession({ user: testPage.user });
  session.append(...log.turn(arabic.question, arabic.answer), { type: 'agent.card', card: form });
  await testPage.chat({ sessionId: session.id, language });
  await testPage.waitForText('احتفظ');
}

/** Shows the chat of a user who has just signed in, after writing as a visitor in this browser. */
async function showClaim(testPage: TestPage, language = 'en') {
  testPage.configure({ features: { ...features, visitor_claim: true } });
  const { baseUrl } = testPage.platform;
  const publishableKey = 'pk_test';
  const visitor = createInlayClient({ baseUrl, tokens: anonymousVisitor({ publishableKey }) });
  await visitor.conversation().send('Where is order 10482?');
  visitor.close();
  await testPage.chat({ publishableKey, language });
  await testPage.waitForElement('#question');
}

export const panelStates: readonly State[] = [
  { name: 'visitor-claim', show: (testPage) => showClaim(testPage) },
  { name: 'visitor-claim-wide', size: 'wide', show: (testPage) => showClaim(testPage) },
  { name: 'visitor-claim-dark', scheme: 'dark', show: (testPage) => showClaim(testPage) },
  {
    name: 'visitor-claim-ar',
    dir: 'rtl',
    lang: 'ar',
    show: (testPage) => showClaim(testPage, 'ar'),
  },
  { name: 'threads-actions', show: showConversationActions },
  {
    name: 'threads-rename',
    async show(testPage) {
      await showConversationActions(testPage);
      await testPage.click('Rename');
      await testPage.waitForElement('input[name="title"]');
    },
  },
  {
    name: 'threads-delete',
    async show(testPage) {
      await showConversationActions(testPage);
      await testPage.click('Delete');
      await testPage.waitForText('can’t be undone');
    },
  },
  {
    name: 'threads-nothing-found',
    async show(testPage) {
      await showConversationList(testPage);
      await testPage.fillIn('kettle', 'input[type="search"]');
      await testPage.waitForText('No conversations match');
    },
  },
  { name: 'menu', show: showMenu },
  {
    name: 'menu-question',
    async show(testPage) {
      await showMenu(testPage);
      await testPage.click('Delete my data');
      await testPage.waitForText('Permanently deletes');
    },
  },
  {
    name: 'disabled',
    async show(testPage) {
      await testPage.chat({ disabled: true, disabledReason: 'We are back tomorrow at 9:00.' });
      await testPage.waitForText('how can I help');
    },
  },
  { name: 'lightbox', show: showLightbox },
  { name: 'lightbox-wide-dark', size: 'wide', scheme: 'dark', show: showLightbox },
  { name: 'attachments', show: showAttachments },
  { name: 'sent-documents', show: showSentDocuments },
  { name: 'sent-documents-rtl', dir: 'rtl', lang: 'he', show: showSentDocuments },
  { name: 'attachments-pictures', touch: true, show: showPictures },
  { name: 'attachments-pictures-wide', size: 'wide', scheme: 'dark', show: showPictures },
  { name: 'attachments-dark', scheme: 'dark', show: showAttachments },
  {
    name: 'commands',
    async show(testPage) {
      await testPage.chat({ commands });
      await testPage.waitForText('how can I help');
      await testPage.fillIn('/');
      await testPage.waitForText('Talk to a person');
    },
  },
  {
    name: 'mentions',
    async show(testPage) {
      await testPage.chat({ findMentions: () => people });
      await testPage.waitForText('how can I help');
      await testPage.fillIn('Please ask @');
      await testPage.waitForText('Grace Hopper');
    },
  },
  {
    name: 'modes',
    async show(testPage) {
      testPage.configure({ modes, features: { ...features, attachments: true } });
      await testPage.chat();
      await testPage.waitForText('Thorough');
    },
  },
  {
    name: 'consent-in-launcher',
    async show(testPage) {
      testPage.configure({ consent: { text: consent } });
      const launcher = await testPage.launcher();
      launcher.show();
      await testPage.waitForText('for 30 days');
      // The consent is loaded on demand: its button is focused when it is rendered.
      launcher.chat?.focusComposer();
      await testPage.waitForElement('button:focus');
    },
  },
  {
    name: 'language-ar',
    dir: 'rtl',
    lang: 'ar',
    show: (testPage) => showLanguage(testPage, 'ar'),
  },
];
