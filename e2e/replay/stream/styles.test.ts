import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerNames, findAnswer } from '../answers/catalogue.ts';
import { type ReplayServer, startReplayServer } from '../replay-server.ts';
import { ask, readParts, readStream } from '../testing/ask.ts';
import { chunkings, lineEnds, quirks, type ReplayOptions, writings } from './options.ts';

let server: ReplayServer;
beforeAll(async () => {
  server = await startReplayServer();
});
afterAll(() => server.close());

const textOf = (name: string) => findAnswer(name)?.turns.at(-1)?.text ?? '';

async function readWith(style: Partial<ReplayOptions>, answer = 'emoji') {
  server.use({ answer, ...style });
  return readStream(await ask(server));
}

const anyStyle = fc.record({
  chunks: fc.constantFrom(...chunkings),
  writes: fc.constantFrom(...writings),
  lines: fc.constantFrom(...lineEnds),
  quirks: fc.subarray([...quirks]),
  seed: fc.nat(),
});

describe('every combination of options', () => {
  it('transfers any answer of the catalogue unchanged', async () => {
    const shortEnough = answerNames.filter((name) => name !== 'guide');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...shortEnough), anyStyle, async (answer, style) => {
        const { content, error } = await readWith(style, answer);

        expect(error).toBeNull();
        expect(Buffer.from(content).equals(Buffer.from(textOf(answer)))).toBe(true);
      }),
      { numRuns: 20 },
    );
  }, 60_000);

  it('transfers any text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), anyStyle, async (text, style) => {
        server.use({ answer: { description: 'any', turns: [{ text }] }, ...style });

        expect((await readStream(await ask(server))).content).toBe(text);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it.each(writings)('transfers the 20,000 tokens of the guide with writes=%s', async (writes) => {
    const { content } = await readWith({ writes, chunks: 'burst' }, 'guide');

    expect(content).toBe(textOf('guide'));
  });

  it('sends the same bytes for the same seed, and different ones for another', async () => {
    const style = { chunks: 'burst', writes: 'packed', quirks: ['empty-deltas'] } as const;
    const bodyWith = async (seed: number) =>
      (await readWith({ ...style, seed })).data.map((data) => data.replace(/"id":"[^"]*"/, ''));

    const first = await bodyWith(1);
    expect(await bodyWith(1)).toEqual(first);
    expect(await bodyWith(2)).not.toEqual(first);
  });
});

describe('the option chunks', () => {
  const sizes = async (chunks: ReplayOptions['chunks']) =>
    (await readWith({ chunks })).chunks.filter((chunk) => chunk.choices[0]?.delta.content).length;

  it('sends a token, a burst of tokens or everything in a chunk', async () => {
    const tokens = await sizes('token');
    const bursts = await sizes('burst');

    expect(tokens).toBeGreaterThan(500);
    expect(bursts).toBeGreaterThanOrEqual(tokens / 40);
    expect(bursts).toBeLessThanOrEqual(Math.ceil(tokens / 5));
    expect(await sizes('whole')).toBe(1);
  });
});

describe('the option writes', () => {
  const isUtf8 = (part: Buffer) => !part.toString('utf8').includes('\ufffd');
  const eventsIn = (part: Buffer) => part.toString('utf8').split('\n\n').length - 1;
  const partsWith = (style: Partial<ReplayOptions>) => {
    server.use({ answer: 'emoji', ...style });
    return readParts(server);
  };

  it('event: sends one event per write', async () => {
    const parts = await partsWith({ writes: 'event' });

    expect(parts.length).toBeGreaterThan(700);
    expect(parts.every((part) => eventsIn(part) === 1)).toBe(true);
  });

  it('packed: sends several events in every write except the last', async () => {
    const counts = (await partsWith({ writes: 'packed' })).slice(0, -1).map(eventsIn);

    expect(Math.min(...counts)).toBe(2);
    expect(Math.max(...counts)).toBe(8);
  });

  it('torn: splits events over several writes', async () => {
    const parts = await partsWith({ writes: 'torn' });

    expect(parts.filter((part) => eventsIn(part) === 0).length).toBeGreaterThan(700);
  });

  it('split-utf8: splits every multi-byte character', async () => {
    const parts = await partsWith({ writes: 'split-utf8', chunks: 'whole' });
    const raw = Buffer.concat(parts).toString('utf8');
    const wide = [...raw].filter((character) => Buffer.byteLength(character) > 1).length;

    expect(wide).toBeGreaterThan(300);
    expect(parts.filter((part) => !isUtf8(part)).length).toBeGreaterThanOrEqual(wide);
  });
});

describe('the option lines', () => {
  it('sends LF or CRLF', async () => {
    const lf = await readWith({ lines: 'lf' });
    const crlf = await readWith({ lines: 'crlf', quirks: ['comments'] });

    expect(lf.raw).not.toContain('\r');
    expect(crlf.raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(crlf.raw).toMatch(/^: REPLAY PROCESSING\r\n\r\n/);
  });
});

describe('the option quirks', () => {
  const finishes = (chunks: Awaited<ReturnType<typeof readWith>>['chunks']) =>
    chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? []);

  it('comments: sends comments before and between chunks', async () => {
    const { comments } = await readWith({ quirks: ['comments'] });

    expect(comments[0]).toBe('REPLAY PROCESSING');
    expect(comments.length).toBeGreaterThan(50);
  });

  it('empty-deltas: sends deltas without content', async () => {
    const { chunks } = await readWith({ quirks: ['empty-deltas'] });
    const deltas = chunks.slice(1, -2).map((chunk) => JSON.stringify(chunk.choices[0]?.delta));

    expect(deltas).toContain('{}');
    expect(deltas).toContain('{"content":""}');
  });

  it('no-choices: sends chunks with an empty list, including the first', async () => {
    const { chunks } = await readWith({ quirks: ['no-choices'] });

    expect(chunks[0]?.choices).toEqual([]);
    expect(chunks.filter((chunk) => chunk.choices.length === 0).length).toBeGreaterThan(50);
  });

  it('role-repeated: sends the role in each delta', async () => {
    const { chunks } = await readWith({ quirks: ['role-repeated'] });

    expect(chunks.slice(0, -2).every((chunk) => chunk.choices[0]?.delta.role === 'assistant')).toBe(
      true,
    );
  });

  it('reasoning-field: sends `reasoning` instead of `reasoning_content`', async () => {
    const { chunks } = await readWith({ quirks: ['reasoning-field'] }, 'reasoning');

    expect(chunks.map((chunk) => chunk.choices[0]?.delta.reasoning).join('')).toBe(
      findAnswer('reasoning')?.turns[0]?.reasoning,
    );
    expect(chunks.some((chunk) => chunk.choices[0]?.delta.reasoning_content)).toBe(false);
  });

  it('ascii-json: sends only ASCII', async () => {
    const { raw, content } = await readWith({ quirks: ['ascii-json'] });

    expect(raw).toMatch(/^[\n\x20-\x7e]+$/);
    expect(content).toBe(textOf('emoji'));
  });

  it('no-finish, no-usage, no-done: omit parts of the end, like some providers', async () => {
    const all = await readWith({});
    const none = await readWith({ quirks: ['no-finish', 'no-usage', 'no-done'] });

    expect(finishes(all.chunks)).toEqual(['stop']);
    expect(finishes(none.chunks)).toEqual([]);
    expect(none.chunks.some((chunk) => chunk.usage)).toBe(false);
    expect(none.data).not.toContain('[DONE]');
  });

  it('trailing-junk: sends an event and half a line after [DONE]', async () => {
    const { data, raw } = await readWith({ quirks: ['trailing-junk'] });

    expect(data.slice(-2)).toEqual(['[DONE]', '{"late":true}']);
    expect(raw).toMatch(/junk without an end$/);
  });
});

describe('the openai package', () => {
  const styles: Partial<ReplayOptions>[] = [
    ...chunkings.map((chunks) => ({ chunks })),
    ...writings.map((writes) => ({ writes })),
    ...lineEnds.map((lines) => ({ lines })),
    ...quirks.map((quirk) => ({ quirks: [quirk] })),
  ];

  it.each(styles)('reads the stream with %j', async (style) => {
    server.use({ answer: 'emoji', ...style });
    const client = new OpenAI({
      baseURL: server.url,
      apiKey: 'sk-replay',
      maxRetries: 0,
      logLevel: 'off',
    });
    const stream = await client.chat.completions.create({
      model: 'replay/short',
      messages: [{ role: 'user', content: 'Tell me.' }],
      stream: true,
    });
    let content = '';
    for await (const chunk of stream) content += chunk.choices[0]?.delta?.content ?? '';

    expect(content).toBe(textOf('emoji'));
  });
});
