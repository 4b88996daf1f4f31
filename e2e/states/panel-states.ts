/** States with open panels, menus and dialogs, and states of the composer. */
import { features, log, type Stage } from './stage.ts';
import type { State } from './state.ts';
import { arabic, consent, form } from './texts.ts';

const titles = ['Where is order 10482?', 'The lamp arrived broken', 'Opening hours'];

async function showConversationList(stage: Stage) {
  stage.configure({ features: { ...features, threads: true, delete: true } });
  for (const title of titles) {
    stage.platform.createSession({ user: stage.user, title }).append(...log.turn(title, 'Well.'));
  }
  await stage.chat();
  await stage.press('Show conversations');
  await stage.sees('Opening hours');
}

async function actions(stage: Stage) {
  await showConversationList(stage);
  await stage.press('Actions for Opening hours');
  await stage.sees('Rename');
}

async function menu(stage: Stage) {
  stage.configure({ features: { ...features, export: true, delete: true, forget_me: true } });
  await stage.resumed(...log.turn('Hi!', 'Good morning.'));
  await stage.sees('Good morning.');
  await stage.press('More');
  await stage.sees('Delete my data');
}

async function showAttachments(stage: Stage) {
  stage.configure({
    features: { ...features, attachments: true },
    attachments: { max_bytes: 40_000, max_files: 5, media_types: ['image/*', 'application/pdf'] },
  });
  const chat = await stage.chat();
  await stage.attach(chat, await stage.picture('lamp.png'));
  await stage.finds('.done');
  stage.platform.faults.failNext({ status: 400 }, 'POST /files');
  await stage.attach(chat, stage.file('invoice of the second of March.pdf'));
  await stage.sees('Not uploaded');
  stage.platform.faults.hold('POST /files');
  await stage.attach(chat, stage.file('contract.pdf'), stage.file('film.pdf', 50_000));
  await stage.sees('Larger than');
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

async function inLanguage(stage: Stage, language: string) {
  stage.configure({
    consent: null,
    features: { ...features, threads: true, export: true, forget_me: true },
  });
  const session = stage.platform.createSession({ user: stage.user });
  session.append(...log.turn(arabic.question, arabic.answer), { type: 'agent.card', card: form });
  await stage.chat({ sessionId: session.id, language });
  await stage.sees('احتفظ');
}

export const panelStates: readonly State[] = [
  { name: 'threads-actions', show: actions },
  {
    name: 'threads-rename',
    async show(stage) {
      await actions(stage);
      await stage.press('Rename');
      await stage.finds('input[name="title"]');
    },
  },
  {
    name: 'threads-delete',
    async show(stage) {
      await actions(stage);
      await stage.press('Delete');
      await stage.sees('can’t be undone');
    },
  },
  {
    name: 'threads-nothing-found',
    async show(stage) {
      await showConversationList(stage);
      await stage.write('kettle', 'input[type="search"]');
      await stage.sees('Nothing found');
    },
  },
  { name: 'menu', show: menu },
  {
    name: 'menu-question',
    async show(stage) {
      await menu(stage);
      await stage.press('Delete my data');
      await stage.sees('Permanently deletes');
    },
  },
  { name: 'attachments', show: showAttachments },
  { name: 'attachments-dark', scheme: 'dark', show: showAttachments },
  {
    name: 'commands',
    async show(stage) {
      await stage.chat({ commands });
      await stage.sees('how can I help');
      await stage.write('/');
      await stage.sees('Talk to a person');
    },
  },
  {
    name: 'mentions',
    async show(stage) {
      await stage.chat({ findMentions: () => people });
      await stage.sees('how can I help');
      await stage.write('Please ask @');
      await stage.sees('Grace Hopper');
    },
  },
  {
    name: 'modes',
    async show(stage) {
      stage.configure({ modes, features: { ...features, attachments: true } });
      await stage.chat();
      await stage.sees('Thorough');
    },
  },
  {
    name: 'consent-in-launcher',
    async show(stage) {
      stage.configure({ consent: { text: consent } });
      const launcher = await stage.launcher();
      launcher.open();
      await stage.sees('for 30 days');
      // Waits for the consent, which is loaded on demand.
      launcher.chat?.focusComposer();
      await stage.finds('button:focus');
    },
  },
  {
    name: 'language-ar',
    dir: 'rtl',
    lang: 'ar',
    show: (stage) => inLanguage(stage, 'ar'),
  },
];
