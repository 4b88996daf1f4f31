import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ChatCompletionRequest } from '@inlay/protocol';
import { expect, it } from 'vitest';
import { transcriptionFields } from './check-transcription.ts';
import { EmbeddingRequest, ImageRequest, SpeechRequest } from './requests.ts';
import { ResponseRequest } from './response-request.ts';

const client = dirname(createRequire(import.meta.url).resolve('openai'));

/** Returns the names of the members of an interface of the installed official client. */
function membersOf(file: string, name: string): string[] {
  const types = readFileSync(join(client, 'resources', file), 'utf8');
  const [, body = ''] =
    new RegExp(`^export interface ${name}\\b[^{]*\\{$(.*?)^\\}$`, 'ms').exec(types) ?? [];
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, member = '']) => member);
}

const chatCompletions = [
  'chat completions',
  Object.keys(ChatCompletionRequest.shape),
  membersOf('chat/completions/completions.d.ts', 'ChatCompletionCreateParamsBase'),
] as const;
const responses = [
  'responses',
  Object.keys(ResponseRequest.shape),
  membersOf('responses/responses.d.ts', 'ResponseCreateParamsBase'),
] as const;
const embeddings = [
  'embeddings',
  Object.keys(EmbeddingRequest.shape),
  membersOf('embeddings.d.ts', 'EmbeddingCreateParams'),
] as const;
const images = [
  'images',
  Object.keys(ImageRequest.shape),
  membersOf('images.d.ts', 'ImageGenerateParamsBase'),
] as const;
const speech = [
  'speech',
  Object.keys(SpeechRequest.shape),
  membersOf('audio/speech.d.ts', 'SpeechCreateParams'),
] as const;
const transcriptions = [
  'transcriptions',
  transcriptionFields,
  membersOf('audio/transcriptions.d.ts', 'TranscriptionCreateParamsBase'),
] as const;

it.each([chatCompletions, responses, embeddings, images, speech, transcriptions])(
  '%s: all parameters of the official client are known',
  (_, known, official) => {
    expect(official.length).toBeGreaterThan(4);
    expect(known).toEqual(expect.arrayContaining(official));
  },
);

it.each([
  [...embeddings, []],
  [...images, []],
  [...speech, []],
  // The API description has them, but the installed client does not yet.
  [...transcriptions, ['keywords', 'languages']],
] as const)('%s: no other parameters are known', (_, known, official, newer) => {
  expect(known.filter((name) => !official.includes(name))).toEqual(newer);
});
