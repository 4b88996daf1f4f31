import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Limits } from '../../config/limits.ts';
import {
  chatEndpoint,
  chunk,
  done,
  finish,
  type Handler,
  stream,
} from '../../testing/chat-endpoint.ts';
import { cpuGrowth } from '../../testing/cpu-growth.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { ModelError, type ModelEvent } from '../model.ts';
import { createOpenAiCompatible } from './openai-compatible.ts';

const unexpectedValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(-1, 1.5, 1e308, true, '\0', '\ud800', { __proto__: null }),
);
/** A record with missing fields, fields of any JSON type, or fields of the right type. */
const loose = <Fields extends Record<string, fc.Arbitrary<unknown>>>(fields: Fields) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 1, arbitrary: unexpectedValue },
  );
/** The expected value, or in one of four cases any JSON value. */
const mostly = (likely: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: likely }, { weight: 1, arbitrary: unexpectedValue });
const list = (item: fc.Arbitrary<unknown>) => mostly(fc.array(item, { maxLength: 3 }));

const call = loose({
  index: mostly(fc.integer({ min: -1, max: 3 })),
  id: mostly(fc.string()),
  function: loose({ name: mostly(fc.string()), arguments: mostly(fc.json()) }),
});
const annotation = loose({
  type: mostly(fc.constant('url_citation')),
  url_citation: loose({
    url: mostly(fc.webUrl()),
    title: unexpectedValue,
    content: unexpectedValue,
    end_index: unexpectedValue,
  }),
});
const delta = loose({
  content: mostly(fc.string()),
  refusal: unexpectedValue,
  reasoning: mostly(fc.string()),
  reasoning_content: unexpectedValue,
  tool_calls: list(call),
  annotations: list(annotation),
});
const count = mostly(fc.integer({ min: -10, max: 2 ** 40 }));
const jsonChunk = loose({
  choices: list(loose({ delta, finish_reason: mostly(fc.constantFrom('stop', 'length')) })),
  usage: loose({ prompt_tokens: count, completion_tokens: count }),
});

const modelAt = (baseUrl: string) =>
  createOpenAiCompatible({
    baseUrl,
    model: 'm',
    apiKey: '',
    firstEventTimeout: 60_000,
    idleTimeout: 30_000,
    limits: Limits.parse(undefined).run,
    clock: createFakeClock(),
  });
const request = { system: '', messages: [], tools: [] };

it('for any JSON of a provider, the model yields only well-formed events or fails with a ModelError', async () => {
  let answer: Handler = () => {};
  const endpoint = await chatEndpoint((...requests) => answer(...requests));
  const model = modelAt(endpoint.url);

  await fc.assert(
    fc.asyncProperty(fc.array(jsonChunk, { maxLength: 4 }), async (chunks) => {
      const lines = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
      answer = stream(...lines, finish(), done);
      const events: ModelEvent[] = [];
      try {
        for await (const event of model.run(request, new AbortController().signal)) {
          events.push(event);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(ModelError);
      }
      for (const event of events) expectWellFormed(event);
    }),
    { numRuns: 200 },
  );
});

function expectWellFormed(event: ModelEvent): void {
  expect(JSON.parse(JSON.stringify(event))).toEqual(event);
  switch (event.type) {
    case 'text':
    case 'thinking':
      expect(event.text).toEqual(expect.any(String));
      expect(event.text).not.toContain('\0');
      break;
    case 'tool_call':
      expect(event.name).toMatch(/^.{1,256}$/su);
      expect(event.input === null || Object(event.input) === event.input).toBe(true);
      expect(Array.isArray(event.input)).toBe(false);
      break;
    case 'citation':
      expect([typeof event.title, typeof event.url]).toEqual(['string', 'string']);
      expect(event.snippet ?? '').toEqual(expect.any(String));
      expect(event.endIndex ?? 0).toBeGreaterThanOrEqual(0);
      break;
    case 'usage':
      for (const tokens of [event.usage.inputTokens, event.usage.outputTokens]) {
        expect(Number.isSafeInteger(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(0);
      }
  }
}

it('tool arguments that are nested 50,000 levels deep are treated as invalid', async () => {
  const text = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const fragment = { index: 0, function: { name: 'f', arguments: text } };
  const { url } = await chatEndpoint(
    stream(
      `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [fragment] } }] })}\n\n`,
      finish(),
      done,
    ),
  );
  const model = modelAt(url);

  const events: ModelEvent[] = [];
  for await (const event of model.run(request, new AbortController().signal)) events.push(event);

  expect(events[0]).toEqual({ type: 'tool_call', name: 'f', input: null });
});

it('an answer of 20,000 one-letter parts in one packet lets other work run in between', async () => {
  const letters = Array.from({ length: 20_000 }, () => chunk({ content: 'a' }));
  const endpoint = await chatEndpoint(stream(letters.join(''), finish()));
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });

  let text = '';
  for await (const event of modelAt(endpoint.url).run(request, new AbortController().signal)) {
    if (event.type === 'text') text += event.text;
  }
  clearImmediate(next);

  expect(text).toHaveLength(20_000);
  expect(turns).toBeGreaterThan(70);
});

it.each([
  ['of one call', { index: 0, function: { arguments: ' ' } }],
  ['without an index', { function: { arguments: ' ' } }],
  ['that repeat the id', { id: 'call_1', function: { arguments: ' ' } }],
])(
  'the time for fragments of one blank %s grows linearly with their number',
  async (_, fragment) => {
    const first = { index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } };
    const read = async (fragments: number) => {
      const text = chunk({ tool_calls: [fragment] }).repeat(fragments);
      const { url } = await chatEndpoint(stream(chunk({ tool_calls: [first] }), text, finish()));
      const events: ModelEvent[] = [];
      for await (const event of modelAt(url).run(request, new AbortController().signal)) {
        events.push(event);
      }
      expect(events[0]).toEqual({ type: 'tool_call', name: 'f', input: {} });
    };

    expect(await cpuGrowth(read, 6000)).toBeLessThan(24);
  },
);
