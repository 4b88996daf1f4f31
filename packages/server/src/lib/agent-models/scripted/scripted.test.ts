import { describe, expect, it } from 'vitest';
import { showCard, suggestReplies } from '../../runs/built-in-tools.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import type { ModelEvent, ModelMessage } from '../model.ts';
import { builtInScenarios } from './scenarios.ts';
import { Scenario, type ScriptStep, type Voice } from './script.ts';
import { createScripted } from './scripted.ts';

const userMessage = (text: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
});
const tools = ['get_weather', 'send_invitation'].map((name) => ({
  name,
  description: '',
  inputSchema: {},
}));

/** Scenarios of a configuration: a card with its answer, citations, and characters of several code units. */
const scenarios = [
  {
    keywords: ['booking'],
    description: 'a form',
    script: [
      {
        call: 'show_card',
        input: { blocks: [{ type: 'image', url: '{base_url}/a.svg', alt: 'A harbour' }] },
      },
    ],
  },
  { card_action: 'change_', script: [{ say: 'Changed:\n\n{values}' }] },
  {
    keywords: ['sources'],
    script: [
      { say: 'High water comes twice a day.' },
      { cite: { title: 'Tides', url: 'https://example.com/' } },
      { say: ' Today it is 3.1 metres.' },
      { cite: { title: 'The log' } },
    ],
  },
  { keywords: ['emoji'], script: [{ say: 'Faces 😀😅🥲 and a family 👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦' }] },
  { keywords: ['code'], script: [{ say: 'No code today.' }], suggestions: ['A form: my booking'] },
].map((scenario) => Scenario.parse(scenario));

async function run(
  messages: ModelMessage[],
  options: {
    script?: ScriptStep[];
    scenarios?: Scenario[];
    fail?: boolean;
    voice?: Voice;
    offered?: typeof tools;
  } = {},
) {
  const model = createScripted({
    script: options.script,
    scenarios: options.scenarios,
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
  it('lists its scenarios on request, and those of the configuration first', async () => {
    const answer = textOf(
      await run([userMessage('Help!')], { scenarios, offered: [...tools, showCard] }),
    );
    const listed = [...answer.matchAll(/^- \*\*(.+)\*\*/gm)].map(([, keyword]) => keyword);

    expect(listed).toEqual(
      [...scenarios, ...builtInScenarios]
        .flatMap(({ keywords: [keyword = []] }) => keyword)
        .filter((keyword) => keyword !== '*'),
    );
  });

  it('says that it is a script if no keyword matches, and how to connect a model', async () => {
    const offered = [...tools, suggestReplies];
    const events = await run([userMessage('I lost my scarf')], { offered });

    expect(textOf(events)).toContain('“I lost my scarf”');
    expect(textOf(events)).toContain('I am a script');
    expect(textOf(events)).toContain('INLAY_MODEL_BASE_URL');
    expect(JSON.stringify(events)).toContain('"What is the weather in Vienna?"');
  });

  it('answers with the scenario `*` of the configuration if no other one matches', async () => {
    const other = Scenario.parse({ keywords: ['*'], script: [{ say: 'Ask the desk.' }] });
    const answerTo = async (text: string) =>
      textOf(await run([userMessage(text)], { scenarios: [other, ...scenarios] }));

    expect(await answerTo('I lost my scarf')).toBe('Ask the desk.');
    expect(await answerTo('A table, please')).toContain('|');
  });

  it.each([
    ['What is the weather in Vienna?', 'Vienna'],
    ['Weather in New York tomorrow', 'New York'],
    ['Does it rain in paris', 'Paris'],
    ['Is rain likely in the morning?', 'Lisbon'],
  ])('takes the place from the message “%s”', async (text, city) => {
    const call = (await run([userMessage(text)])).find(({ type }) => type === 'tool_call');

    expect(call).toMatchObject({ name: 'get_weather', input: { city } });
  });

  it('omits scenarios from the list and the suggestions if the agent lacks their tools', async () => {
    const answer = textOf(await run([userMessage('help')], { offered: [] }));
    const events = await run([userMessage('table')], { offered: [suggestReplies, showCard] });

    expect(answer).toContain('**tour**');
    expect(answer).not.toContain('**weather**');
    expect(JSON.stringify(events)).toContain('Write some code');
    expect(JSON.stringify(events)).not.toContain('What is the weather?');
  });

  it('prefers the scenarios of the configuration', async () => {
    const offered = [suggestReplies, showCard];
    const events = await run([userMessage('code')], { scenarios, offered });

    expect(textOf(events)).toBe('No code today.');
    expect(JSON.stringify(events)).toContain('A form: my booking');
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

  it('suggests replies only if the tool is available', async () => {
    const calls = (events: ModelEvent[]) =>
      events.flatMap((event) => (event.type === 'tool_call' ? [event.name] : []));

    expect(
      calls(await run([userMessage('table')], { offered: [...tools, suggestReplies] })),
    ).toEqual(['suggest_replies']);
    expect(calls(await run([userMessage('table')]))).toEqual([]);
  });

  it('places citations after the cited text', async () => {
    const events = await run([userMessage('sources')], { scenarios });
    const cited = events.filter((event) => event.type === 'citation');

    expect(cited).toMatchObject([
      { title: 'Tides', endIndex: 'High water comes twice a day.'.length },
      { title: 'The log', url: null, endIndex: textOf(events).length },
    ]);
  });

  it('repeats the submitted values of a card', async () => {
    const answer =
      '[Answer to the card "Change a booking"]\n' +
      '{"action":"change_booking","values":{"date":"2027-04-01","travellers":2}}';

    expect(textOf(await run([userMessage(answer)], { scenarios }))).toBe(
      'Changed:\n\n- date: **2027-04-01**\n- travellers: **2**',
    );
  });

  it('fills in the URL of the platform in the input of a call', async () => {
    const events = await run([userMessage('my booking')], { scenarios, offered: [showCard] });

    expect(JSON.stringify(events)).toContain('"url":"https://chat.example/a.svg"');
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

  it('plays the script of the configuration instead of a scenario', async () => {
    const script = [{ say: 'You wrote {text}.' }, { call: 'nothing', input: {} }];

    expect(textOf(await run([userMessage('tour')], { script }))).toBe(
      'You wrote tour.\n\nThis agent has no tool named `nothing`.',
    );
  });

  it('never splits a surrogate pair', async () => {
    const events = await run([userMessage('emoji')], { scenarios });

    for (const event of events) {
      // With the flag `u`, only unpaired surrogates match.
      if (event.type === 'text') expect(event.text).not.toMatch(/[\uD800-\uDFFF]/u);
    }
  });
});
