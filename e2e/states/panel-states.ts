/** States with open panels, menus and dialogs, and states of the composer. */

import type { State } from './state.ts';
import { features, log, type TestPage } from './test-page.ts';
import { arabic, consent, form } from './texts.ts';

const titles = ['Where is order 10482?', 'The lamp arrived broken', 'Opening hours'];

export async function showConversationList(testPage: TestPage) {
  testPage.configure({ features: { ...features, threads: true, delete: true } });
  for (const title of titles) {
    testPage.platform
      .createSession({ user: testPage.user, title })
      .append(...log.turn(title, 'Well.'));
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
  testPage.configure({ features: { ...features, export: true, delete: true, forget_me: true } });
  await testPage.chatWithHistory(...log.turn('Hi!', 'Good morning.'));
  await testPage.waitForText('Good morning.');
  await testPage.click('More');
  await testPage.waitForText('Delete my data');
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

export const panelStates: readonly State[] = [
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
      await testPage.waitForText('Nothing found');
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
  { name: 'attachments', show: showAttachments },
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
      launcher.open();
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
