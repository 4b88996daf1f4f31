import { describe, expect, it } from 'vitest';
import { showCard, suggestReplies } from '../../runs/built-in-tools.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import type { ModelEvent, ModelMessage } from '../model.ts';
import { demoScenes } from './demo-script.ts';
import { demoTools } from './demo-tools.ts';
import type { ScriptStep, Voice } from './script.ts';
import { createScripted } from './scripted.ts';

const said = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const tools = demoTools.map(({ name, description }) => ({ name, description, inputSchema: {} }));

async function ask(
  messages: ModelMessage[],
  options: { script?: ScriptStep[]; fail?: boolean; voice?: Voice; offered?: typeof tools } = {},
) {
  const model = createScripted({
    script: options.script,
    delayMs: 0,
    firstDelayMs: 0,
    fail: options.fail ?? false,
    voice: options.voice,
    baseUrl: 'https://chat.example',
    clock: createFakeClock(),
  });
  const events: ModelEvent[] = [];
  const request = { system: '', messages, tools: options.offered ?? tools };
  for await (const event of model.run(request, new AbortController().signal)) events.push(event);
  return events;
}

const textOf = (events: ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('createScripted', () => {
  it('says what it can do where it finds none of its words', async () => {
    const names = demoScenes.flatMap(({ script }) =>
      script.flatMap((step) => ('call' in step ? [step.call] : [])),
    );
    const offered = names.map((name) => ({ name, description: '', inputSchema: {} }));
    const answer = textOf(await ask([said('good morning')], { offered }));

    expect(answer).toContain('good morning');
    for (const { words } of demoScenes) expect(answer).toContain(`**${words[0]}**`);
  });

  it('offers nothing for which the agent lacks the tool', async () => {
    const answer = textOf(await ask([said('good morning')], { offered: [] }));
    const events = await ask([said('table')], { offered: [suggestReplies, showCard] });

    expect(answer).toContain('**tour**');
    expect(answer).not.toContain('**weather**');
    expect(JSON.stringify(events)).toContain('The same as a chart');
    expect(JSON.stringify(events)).not.toContain('What is the weather?');
  });

  it('says the same twice', async () => {
    expect(await ask([said('tour, please!')])).toEqual(await ask([said('tour, please!')]));
  });

  it('names what is attached, and does not take what a file holds for words of the person', async () => {
    const file = '[Attached file "packing list.txt"]\na table, a lamp';
    const answer = textOf(
      await ask([
        {
          role: 'user',
          content: [
            { type: 'text', text: file },
            { type: 'image', mimeType: 'image/png', bytes: new Uint8Array([1]) },
          ],
        },
      ]),
    );

    expect(answer).toContain('**packing list.txt**');
    expect(answer).toContain('**a picture, image/png**');
    expect(answer).not.toContain('lamp');
    expect(answer).not.toContain('|');
  });

  it('finds its words inside a sentence, but not inside another word', async () => {
    expect(textOf(await ask([said('Will it RAIN?')]))).toContain('look that up');
    expect(textOf(await ask([said('a train of thought')]))).toContain('You said');
  });

  it.each([
    ['# ', 'tour'],
    ['- [x] ', 'tour'],
    ['> ', 'tour'],
    ['|---', 'table'],
    ['```python', 'code'],
    ['```rust', 'code'],
  ])('has %s in its answer to “%s”', async (part, word) => {
    const answer = textOf(await ask([said(word)])).replaceAll(/\|[:-]+/g, '|---');

    expect(answer).toContain(part);
  });

  it('thinks before it answers', async () => {
    const types = (await ask([said('think')])).map(({ type }) => type);

    expect(types[0]).toBe('thinking');
    expect(types.lastIndexOf('thinking')).toBeLessThan(types.indexOf('text'));
  });

  it('calls a tool, and goes on with its answer in the next request', async () => {
    const first = await ask([said('weather')]);
    const call = first.find((event) => event.type === 'tool_call');
    const next = await ask([
      said('weather'),
      { role: 'assistant', text: '', toolCalls: [{ id: 'c', name: 'get_weather', input: {} }] },
      { role: 'tool', toolCallId: 'c', text: 'foggy', isError: false },
    ]);

    expect(call).toMatchObject({ name: 'get_weather', input: { city: 'Lisbon' } });
    expect(first.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
    expect(textOf(next)).toContain('foggy');
    expect(next.at(-1)).toEqual({ type: 'finish', reason: 'end' });
  });

  it.each(demoScenes.map(({ words }) => [words[0]] as const))(
    'plays “%s” with tools that it has, and inputs that they take',
    async (word = '') => {
      const offered = [...tools, showCard, suggestReplies];
      const events = await ask([said(word)], { offered }).catch(() => []);

      for (const event of events) {
        if (event.type !== 'tool_call') continue;
        expect(offered.map(({ name }) => name)).toContain(event.name);
        const builtIn = [showCard, suggestReplies].find(({ name }) => name === event.name);
        if (builtIn) expect(builtIn.call(event.input)).toHaveProperty('type');
      }
    },
  );

  it('suggests what to say next where it may, and only there', async () => {
    const calls = (events: ModelEvent[]) =>
      events.flatMap((event) => (event.type === 'tool_call' ? [event.name] : []));

    expect(calls(await ask([said('table')], { offered: [...tools, suggestReplies] }))).toEqual([
      'suggest_replies',
    ]);
    expect(calls(await ask([said('table')]))).toEqual([]);
  });

  it('names its sources where they bear what was said', async () => {
    const events = await ask([said('sources')]);
    const cited = events.filter((event) => event.type === 'citation');

    const lastWords = cited.map(({ endIndex }) =>
      textOf(events)
        .slice(0, endIndex ?? 0)
        .split(' ')
        .at(-1),
    );
    expect(lastWords).toEqual(['day.', 'Fundy.', 'morning.']);
    expect(cited.at(-1)?.url).toBeNull();
  });

  it('takes the answer to its form, and says what it understood', async () => {
    const answer =
      '[Answer to the card "Change a booking"]\n' +
      '{"action":"change_booking","values":{"date":"2027-04-01","travellers":2}}';

    expect(textOf(await ask([said(answer)]))).toContain(
      '- date: **2027-04-01**\n- travellers: **2**',
    );
  });

  it('shows a picture from the platform’s own address', async () => {
    const events = await ask([said('chart')], { offered: [showCard] });

    expect(textOf(await ask([said('document')]))).toContain(
      '](https://chat.example/demo-picture.svg)',
    );
    expect(JSON.stringify(events)).toContain('"url":"https://chat.example/demo-picture.svg"');
  });

  it('speaks briefly, or thinks first, as its voice is', async () => {
    const whole = textOf(await ask([said('tour')]));
    const brief = textOf(await ask([said('tour')], { voice: 'brief' }));
    const [first] = await ask([said('tour')], { voice: 'thorough' });

    expect(brief.length).toBeLessThan(whole.length / 4);
    expect(whole).toContain(brief);
    expect(first?.type).toBe('thinking');
  });

  it('breaks off where it is asked to', async () => {
    await expect(ask([said('fail')])).rejects.toMatchObject({ retryable: false });
    await expect(ask([said('hello')], { fail: true })).rejects.toMatchObject({ retryable: true });
  });

  it('plays the script of a configuration in place of its own', async () => {
    const script = [{ say: 'You wrote {text}.' }, { call: 'nothing', input: {} }];

    expect(textOf(await ask([said('tour')], { script }))).toBe(
      'You wrote tour.\n\nThis agent has no tool named `nothing`.',
    );
  });

  it('never cuts a character in two', async () => {
    const events = await ask([said('emoji')]);

    for (const event of events) {
      // With the flag `u`, only unpaired surrogates match.
      if (event.type === 'text') expect(event.text).not.toMatch(/[\uD800-\uDFFF]/u);
    }
  });
});
