#!/usr/bin/env node
import { cancel, intro, isCancel, note, outro, select, text } from '@clack/prompts';
import {
  backends,
  type Choices,
  frameworks,
  readArguments,
  signIns,
  UsageError,
} from './lib/choices.ts';
import { type CreatedApp, createApp } from './lib/create-app.ts';

try {
  const given = readArguments(process.argv.slice(2));
  intro('A chat in your page');
  const choices = await ask(given);
  const created = createApp(choices);
  note(nextSteps(choices, created), 'Next steps');
  outro(
    'It answers from a script. For a model, add INLAY_MODEL_BASE_URL, INLAY_MODEL and INLAY_MODEL_API_KEY to .env.',
  );
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  cancel(error.message);
  process.exitCode = 1;
}

/** Asks for what the arguments do not say. Without a terminal, the first value of each question is taken. */
async function ask(given: Partial<Choices>): Promise<Choices> {
  const folder = given.folder ?? (await askFor<string>(() => text(folderQuestion), 'my-chat'));
  const framework = given.framework ?? (await choose('Which framework?', frameworks));
  const backend = given.backend ?? (await choose('In which language is your backend?', backends));
  const signIn = given.signIn ?? (await choose('Do your users sign in?', signIns));
  return { folder, framework, backend, signIn };
}

const folderQuestion = {
  message: 'In which folder?',
  placeholder: 'my-chat',
  defaultValue: 'my-chat',
};

function choose<Names extends object>(
  message: string,
  names: Names,
): Promise<keyof Names & string> {
  const options = Object.entries(names).map(([value, label]) => ({ value, label: String(label) }));
  return askFor(() => select({ message, options }), options[0]?.value) as Promise<
    keyof Names & string
  >;
}

async function askFor<Value>(
  question: () => Promise<Value | symbol>,
  defaultValue: Value,
): Promise<Value> {
  if (!process.stdin.isTTY) return defaultValue;
  const answer = await question();
  if (isCancel(answer)) throw new UsageError('Nothing was created.');
  return answer as Value;
}

function nextSteps({ folder, signIn }: Choices, created: CreatedApp): string {
  const { start, sessionFiles, backendFile } = created;
  const steps = [
    `cd ${folder}`,
    'npm install',
    'npm run platform   # in a terminal of its own',
    `npm run ${start}`,
  ];
  if (signIn === 'demo') {
    steps.push('', 'Everyone is the user “ada”, until you replace yourSession:', ...sessionFiles);
  }
  if (backendFile !== null) {
    steps.push(
      '',
      `${backendFile} is the token endpoint for your backend.`,
      'Until your backend answers /api/chat-token, that of the application does.',
    );
  }
  return steps.join('\n');
}
