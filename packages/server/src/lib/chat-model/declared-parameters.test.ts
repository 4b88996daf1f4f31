import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { declaredParameters } from './declared-parameters.ts';

const client = dirname(createRequire(import.meta.url).resolve('openai'));

/** Returns the names of the members of an interface of the installed official client. */
function membersOf(file: string, name: string): string[] {
  const types = readFileSync(join(client, 'resources', file), 'utf8');
  const [, body = ''] =
    new RegExp(`^export interface ${name}\\b[^{]*\\{$(.*?)^\\}$`, 'ms').exec(types) ?? [];
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, member = '']) => member);
}

it.each([
  ['chatCompletions', 'chat/completions/completions.d.ts', 'ChatCompletionCreateParamsBase'],
  ['responses', 'responses/responses.d.ts', 'ResponseCreateParamsBase'],
  ['embeddings', 'embeddings.d.ts', 'EmbeddingCreateParams'],
  ['images', 'images.d.ts', 'ImageGenerateParamsBase'],
  ['speech', 'audio/speech.d.ts', 'SpeechCreateParams'],
  ['transcriptions', 'audio/transcriptions.d.ts', 'TranscriptionCreateParamsBase'],
] as const)(
  'declares all parameters of %s that the official client has',
  (operation, file, name) => {
    const official = membersOf(file, name);

    expect(official.length).toBeGreaterThan(4);
    expect(declaredParameters[operation]).toEqual(expect.arrayContaining(official));
  },
);

it('declares no other parameters, except those that are newer than the installed client', () => {
  const declared = (operation: keyof typeof declaredParameters, file: string, name: string) =>
    declaredParameters[operation].filter((parameter) => !membersOf(file, name).includes(parameter));

  expect(
    declared('transcriptions', 'audio/transcriptions.d.ts', 'TranscriptionCreateParamsBase'),
  ).toEqual(['keywords', 'languages']);
  expect(declared('speech', 'audio/speech.d.ts', 'SpeechCreateParams')).toEqual([]);
  expect(declared('images', 'images.d.ts', 'ImageGenerateParamsBase')).toEqual([]);
  expect(declared('embeddings', 'embeddings.d.ts', 'EmbeddingCreateParams')).toEqual([]);
});
