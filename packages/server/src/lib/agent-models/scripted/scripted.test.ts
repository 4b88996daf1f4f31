import { describe, expect, it } from 'vitest';
import { showCard, suggestReplies } from '../../runs/built-in-tools.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import type { ModelEvent, ModelMessage } from '../model.ts';
import { demoScenarios } from './demo-script.ts';
import { demoTools } from './demo-tools.ts';
import type { ScriptStep, Voice } from './script.ts';
import { createScripted } from './scripted.ts';

const userMessage = (text: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
});
const tools = demoTools.map(({ name, description }) => ({ name, description, inputSchema: {} }));

async function run(
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
  it('lists its scenarios if no keyword matches', async () => {
    const names = demoScenarios.flatMap(({ script }) =>
      script.flatMap((step) => ('call' in step ? [step.call] : [])),
    );
    const offered = names.map((name) => ({ name, description: '', inputSchema: {} }));
    const answer = textOf(await run([userMessage('good morning')], { offered }));

    expect(answer).toContain('good morning');
    for (const { keywords } of demoScenarios) expect(answer).toContain(`**${keywords[0]}**`);
  });

  it('omits scenarios from the list and the suggestions if the agent lacks their tools', async () => {
    const answer = textOf(await run([userMessage('good morning')], { offered: [] }));
    const events = await run([userMessage('table')], { offered: [suggestReplies, showCard] });

    expect(answer).toContain('**tour**');
    expect(answer).not.toContain('**weather**');
    expect(JSON.stringify(events)).toContain('The same as a chart');
    expect(JSON.stringify(events)).not.toContain('What is the weather?');
  });

  it('yields the same events for the same messages', async () => {
    expect(await run([userMessage('tour, please!')])).toEqual(
      await run([userMessage('tour, please!')]),
    );
  });

  it('names attachments in its response, and ignores keywords in their content', async () => {
    const file = '[Attached file "packing list.txt"]\na table, a lamp';
    const answer = textOf(
      await run([
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

  it('matches keywords inside a sentence, but not inside another word', async () => {
    expect(textOf(await run([userMessage('Will it RAIN?')]))).toContain('look that up');
    expect(textOf(await run([userMessage('a train of thought')]))).toContain('You said');
  });

  it.each([
    ['# ', 'tour'],
    ['- [x] ', 'tour'],
    ['> ', 'tour'],
    ['|---', 'table'],
    ['```python', 'code'],
    ['```rust', 'code'],
  ])('includes “%s” in its response to “%s”', async (part, word) => {
    const answer = textOf(await run([userMessage(word)])).replaceAll(/\|[:-]+/g, '|---');

    expect(answer).toContain(part);
  });

  it('yields thinking before the text', async () => {
    const types = (await run([userMessage('think')])).map(({ type }) => type);

    expect(types[0]).toBe('thinking');
    expect(types.lastIndexOf('thinking')).toBeLessThan(types.indexOf('text'));
  });

  it('calls a tool, and continues in the next request', async () => {
    const first = await run([userMessage('weather')]);
    const call = first.find((event) => event.type === 'tool_call');
    const next = await run([
      userMessage('weather'),
      { role: 'assistant', text: '', toolCalls: [{ id: 'c', name: 'get_weather', input: {} }] },
      { role: 'tool', toolCallId: 'c', text: 'foggy', isError: false },
    ]);

    expect(call).toMatchObject({ name: 'get_weather', input: { city: 'Lisbon' } });
    expect(first.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
    expect(textOf(next)).toContain('foggy');
    expect(next.at(-1)).toEqual({ type: 'finish', reason: 'end' });
  });

  const completeScenarios = demoScenarios.filter(({ script }) =>
    script.every((step) => !('fail' in step)),
  );

  it.each(completeScenarios.map(({ keywords }) => [keywords[0]] as const))(
    'calls only tools of the demo agent, with valid inputs for the built-in tools, in the scenario “%s”',
    async (word = '') => {
      const offered = [...tools, showCard, suggestReplies];
      const events = await run([userMessage(word)], { offered });

      // The model writes this for each tool that it is not offered.
      expect(textOf(events)).not.toContain('This agent has no tool named');
      for (const event of events) {
        if (event.type !== 'tool_call') continue;
        const builtIn = [showCard, suggestReplies].find(({ name }) => name === event.name);
        if (builtIn) expect(builtIn.call(event.input)).toHaveProperty('type');
      }
    },
  );

  it('suggests replies only if the tool is available', async () => {
    const calls = (events: ModelEvent[]) =>
      events.flatMap((event) => (event.type === 'tool_call' ? [event.name] : []));

    expect(
      calls(await run([userMessage('table')], { offered: [...tools, suggestReplies] })),
    ).toEqual(['suggest_replies']);
    expect(calls(await run([userMessage('table')]))).toEqual([]);
  });

  it('places citations after the cited text', async () => {
    const events = await run([userMessage('sources')]);
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

  it('repeats the submitted values of its form', async () => {
    const answer =
      '[Answer to the card "Change a booking"]\n' +
      '{"action":"change_booking","values":{"date":"2027-04-01","travellers":2}}';

    expect(textOf(await run([userMessage(answer)]))).toContain(
      '- date: **2027-04-01**\n- travellers: **2**',
    );
  });

  it('shows an image from the URL of the platform', async () => {
    const events = await run([userMessage('chart')], { offered: [showCard] });

    expect(textOf(await run([userMessage('document')]))).toContain(
      '](https://chat.example/demo-picture.svg)',
    );
    expect(JSON.stringify(events)).toContain('"url":"https://chat.example/demo-picture.svg"');
  });

  it('responds briefly with the voice `brief`, and thinks first with the voice `thorough`', async () => {
    const fullText = textOf(await run([userMessage('tour')]));
    const brief = textOf(await run([userMessage('tour')], { voice: 'brief' }));
    const [first] = await run([userMessage('tour')], { voice: 'thorough' });

    expect(brief.length).toBeLessThan(fullText.length / 4);
    expect(fullText).toContain(brief);
    expect(first?.type).toBe('thinking');
  });

  it('fails in the scenario “fail”, and with the setting `fail`', async () => {
    await expect(run([userMessage('fail')])).rejects.toMatchObject({ retryable: true });
    await expect(run([userMessage('hello')], { fail: true })).rejects.toMatchObject({
      retryable: true,
    });
  });

  it('plays the script of the configuration instead of the demo', async () => {
    const script = [{ say: 'You wrote {text}.' }, { call: 'nothing', input: {} }];

    expect(textOf(await run([userMessage('tour')], { script }))).toBe(
      'You wrote tour.\n\nThis agent has no tool named `nothing`.',
    );
  });

  it('never splits a surrogate pair', async () => {
    const events = await run([userMessage('emoji')]);

    for (const event of events) {
      // With the flag `u`, only unpaired surrogates match.
      if (event.type === 'text') expect(event.text).not.toMatch(/[\uD800-\uDFFF]/u);
    }
  });
});
