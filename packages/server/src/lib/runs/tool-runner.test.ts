import { describe, expect, it } from 'vitest';
import { Limits } from '../config/limits.ts';
import type { ToolConfig } from '../config/tools.ts';
import { createLogger } from '../log/logger.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { runTool } from './tool-runner.ts';

describe('runTool', () => {
  it('does not let a tool change the arguments of its call', async () => {
    const clock = createFakeClock();
    const input = { amount: { cents: 1200 } };
    const call = { id: 'evt_1', name: 'pay', input };
    const pay: ToolConfig = {
      type: 'function',
      name: 'pay',
      description: '',
      input_schema: {},
      permission: 'ask',
      run: (args) => {
        (args.amount as { cents: number }).cents = 1;
        return 'paid';
      },
    };
    const context = {
      agentId: 'agt_1',
      agentVersion: '1',
      externalUserId: 'ada',
      isAnonymous: false,
      publishableKey: null,
      metadata: {},
      sessionId: 'ses_1',
      callId: call.id,
      signal: new AbortController().signal,
      endConversation: () => {},
    };

    const result = await runTool(call, [pay], context, {
      clock,
      log: createLogger(clock.now, () => {}),
      config: { limits: Limits.parse(undefined), telemetry: { content: false } },
    });

    expect(result).toMatchObject([{ is_error: false }]);
    expect(input).toEqual({ amount: { cents: 1200 } });
  });
});
