import { ChatCompletion } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { expectProblem, messages, setupModelService } from '../testing/setup-model-service.ts';

const scripted = (settings: object = {}) => ({
  config: {
    prices: {},
    models: [
      {
        id: 'm',
        providers: [{ provider: 'scripted' as const, delay_ms: 0, first_delay_ms: 0, ...settings }],
      },
    ],
  },
});

describe('a scripted model', () => {
  it('4.12: completes a chat with the script', async () => {
    const { complete } = await setupModelService(
      scripted({ script: [{ think: 'Hm.' }, { say: 'You said: {text}' }] }),
    );

    const body = ChatCompletion.parse(await (await complete()).json());

    expect(body.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'You said: Hi', reasoning_content: 'Hm.' },
        logprobs: null,
        finish_reason: 'stop',
      },
    ]);
    expect(body.usage).toMatchObject({ cost: null, is_byok: false });
  });

  it('4.12: streams a chat completion with the script', async () => {
    const { complete } = await setupModelService(scripted({ script: [{ say: 'One two' }] }));

    const text = await (await complete({ stream: true })).text();

    const contents = [...text.matchAll(/"content":"(.*?)"/g)].map(([, content]) => content);
    expect(contents.join('')).toBe('One two');
    expect(text).toMatch(/"finish_reason":"stop"/);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('4.12: calls the tools of the request', async () => {
    const { complete } = await setupModelService(
      scripted({
        script: [{ call: 'weather', input: { city: 'Oslo' } }, { say: 'It is {result}.' }],
      }),
    );
    const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }];

    const called = ChatCompletion.parse(await (await complete({ tools })).json());
    const [choice] = called.choices;
    const after = ChatCompletion.parse(
      await (
        await complete({
          tools,
          messages: [
            ...messages,
            choice?.message,
            { role: 'tool', tool_call_id: 'x', content: 'cold' },
          ],
        })
      ).json(),
    );

    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
    });
    expect(after.choices[0]?.message.content).toBe('It is cold.');
  });

  it.each([
    ['n', { n: 2 }],
    ['messages.0.role', { messages: [{ role: 'narrator', content: 'x' }] }],
    [
      'messages.0.content',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    ],
  ])(
    '7.4: responds with INPUT_NOT_REPRESENTABLE to an unsupported value of %s',
    async (param, fields) => {
      const { complete } = await setupModelService(scripted());

      const problem = await expectProblem(await complete(fields), 'INPUT_NOT_REPRESENTABLE');

      expect(problem.param).toBe(param);
    },
  );

  it.each([false, true])(
    '7.4: responds with an error if its script fails (stream: %s)',
    async (stream) => {
      const failing = await setupModelService(scripted({ fail: true }));
      await expectProblem(await failing.complete({ stream }), 'provider_unavailable');

      const breaking = await setupModelService(
        scripted({ script: [{ say: 'a' }, { fail: 'no' }] }),
      );
      const response = await breaking.complete({ stream });
      expect(await response.text()).toMatch(/UPSTREAM_ERROR|provider_unavailable/);
    },
  );
});
