/** Contract of the API: runs with answers, interrupts, tools and failures. */
import { describe, expect, it } from 'vitest';
import { describeOnBothPlatforms, typesOf } from './contract/describe-on-both-platforms.ts';
import { message } from './contract/user-api.ts';

describeOnBothPlatforms((setup) => {
  describe('runs', () => {
    it('S27: stop at an interrupt, keep the partial answer, and start again with the next message', async () => {
      const { ada } = await setup('slow');
      const id = await ada.create('Hi');
      const stream = await ada.follow(id);
      await stream.until('event_delta');
      await ada.send(id, [{ type: 'user.interrupt' }]);
      const { data } = await stream.until('session.status_idle');
      expect(data.stop_reason).toEqual({ type: 'end_turn' });
      const log = await ada.log(id);
      expect(typesOf(log)).toEqual([
        'user.message',
        'session.status_running',
        'span.model_request_start',
        'user.interrupt',
        'agent.message',
        'span.model_request_end',
        'session.status_idle',
      ]);
      expect(log[4]).toMatchObject({
        content: [{ type: 'text', text: 'One ' }],
        incomplete: 'interrupted',
      });
      await ada.send(id, [{ type: 'user.interrupt' }]);
      await ada.send(id, [message('Go on')]);
      await stream.until('session.status_running');
    });

    it('include an answer to a message that arrives during the run', async () => {
      const { ada } = await setup('slow');
      const id = await ada.create('One');
      const stream = await ada.follow(id);
      await stream.until('event_delta');
      await ada.send(id, [message('Two'), { type: 'user.interrupt' }, message('Three')]);
      await stream.until('agent.message');
      await stream.until('event_delta');
      const log = await ada.log(id);
      expect(log.filter(({ type }) => type === 'session.status_running')).toHaveLength(1);
      expect(log.filter(({ type }) => type === 'span.model_request_start')).toHaveLength(2);
      expect(typesOf(log)).not.toContain('session.status_idle');
    });

    it('call a tool, and continue with its result', async () => {
      const { ada } = await setup('shop');
      const id = await ada.create('How much?');
      await (await ada.follow(id)).until('session.status_idle');
      const log = await ada.log(id);
      expect(typesOf(log)).toEqual([
        'user.message',
        'session.status_running',
        'span.model_request_start',
        'agent.message',
        'agent.tool_use',
        'span.model_request_end',
        'agent.tool_result',
        'span.model_request_start',
        'agent.message',
        'span.model_request_end',
        'session.status_idle',
      ]);
      expect(log[4]).toMatchObject({
        name: 'get_price',
        input: { of: 'tea' },
        evaluated_permission: 'allow',
      });
      expect(log[6]).toMatchObject({ tool_use_id: log[4]?.id, is_error: false });
      expect(log[8]?.content).toEqual([{ type: 'text', text: 'It is 3 €.' }]);
    });

    it('wait until the user allows or denies a call', async () => {
      const { ada } = await setup('cashier');
      for (const [result, resultText] of [
        ['allow', 'Done: Paid.'],
        ['deny', 'No: Too much'],
      ]) {
        const id = await ada.create('Pay');
        const stream = await ada.follow(id);
        const { data: idle } = await stream.until('session.status_idle');
        const call = (await ada.log(id)).find(({ type }) => type === 'agent.tool_use');
        expect(idle.stop_reason).toEqual({ type: 'requires_action', event_ids: [call?.id] });
        const answer = {
          type: 'user.tool_confirmation',
          tool_use_id: call?.id,
          result,
          ...(result === 'deny' && { deny_message: 'Too much' }),
        };
        await ada.send(id, [answer]);
        const { data: message } = await stream.until('agent.message');
        expect(message.content).toEqual([{ type: 'text', text: resultText }]);
        await stream.until('session.status_idle');
        const late = await ada.send(id, [answer]);
        expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
        const after = typesOf(await ada.log(id)).slice(6);
        expect(after).toEqual([
          'user.tool_confirmation',
          'session.status_running',
          'agent.tool_result',
          'span.model_request_start',
          'agent.message',
          'span.model_request_end',
          'session.status_idle',
        ]);
      }
    });

    it('wait for the result of a page tool', async () => {
      const { ada } = await setup('guide');
      const id = await ada.create('Where?');
      const stream = await ada.follow(id);
      const { data: call } = await stream.until('agent.custom_tool_use');
      await stream.until('session.status_idle');
      const content = [{ type: 'text', text: 'north' }];
      const result = { type: 'user.custom_tool_result', custom_tool_use_id: call.id, content };
      await ada.send(id, [result]);
      const { data: message } = await stream.until('agent.message');
      expect(message.content).toEqual([{ type: 'text', text: 'The map says north.' }]);
    });

    it('reject the result of a page tool that needs approval until the user has approved the call', async () => {
      const { ada } = await setup('porter');
      for (const [result, resultText] of [
        ['allow', 'Opened: wide'],
        ['deny', 'Kept shut: Not now'],
      ]) {
        const id = await ada.create('Open it');
        const stream = await ada.follow(id);
        const { data: call } = await stream.until('agent.custom_tool_use');
        expect(call).toMatchObject({ evaluated_permission: 'ask' });
        const { data: firstIdle } = await stream.until('session.status_idle');
        expect(firstIdle.stop_reason).toEqual({ type: 'requires_action', event_ids: [call.id] });
        const content = [{ type: 'text', text: 'wide' }];
        const answer = { type: 'user.custom_tool_result', custom_tool_use_id: call.id, content };
        const early = await ada.send(id, [answer]);
        expect([early.status, early.body.code]).toEqual([409, 'TOOL_CONFIRMATION_REQUIRED']);
        const decision = {
          type: 'user.tool_confirmation',
          tool_use_id: call.id,
          result,
          ...(result === 'deny' && { deny_message: 'Not now' }),
        };
        await ada.send(id, [decision]);
        const twice = await ada.send(id, [decision]);
        expect([twice.status, twice.body.code]).toEqual([409, 'CONFLICT']);
        if (result === 'allow') {
          const { data: waiting } = await stream.until('session.status_idle');
          expect(waiting.stop_reason).toEqual({ type: 'requires_action', event_ids: [call.id] });
          await ada.send(id, [answer]);
        }
        const { data: message } = await stream.until('agent.message');
        expect(message.content).toEqual([{ type: 'text', text: resultText }]);
        await stream.until('session.status_idle');
        const late = await ada.send(id, [answer]);
        expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
        expect(typesOf(await ada.log(id)).slice(6)).toEqual([
          'user.tool_confirmation',
          ...(result === 'allow'
            ? ['session.status_idle', 'user.custom_tool_result', 'session.status_running']
            : ['session.status_running', 'agent.tool_result']),
          'span.model_request_start',
          'agent.message',
          'span.model_request_end',
          'session.status_idle',
        ]);
      }
    });

    it('treat a message or an interrupt as the denial of a pending call', async () => {
      const { ada } = await setup('cashier');
      const id = await ada.create('Pay');
      const stream = await ada.follow(id);
      await stream.until('session.status_idle');
      await ada.send(id, [message('Something else')]);
      await stream.until('agent.tool_result');
      const { data: again } = await stream.until('session.status_idle');
      expect(again.stop_reason).toMatchObject({ type: 'requires_action' });
      await ada.send(id, [{ type: 'user.interrupt' }]);
      const { data: refused } = await stream.until('agent.tool_result');
      expect(refused).toMatchObject({ is_error: true });
      const { data: idle } = await stream.until('session.status_idle');
      expect(idle.stop_reason).toEqual({ type: 'end_turn' });
      expect(typesOf((await ada.log(id)).slice(6))).toEqual([
        'user.message',
        'session.status_running',
        'agent.tool_result',
        'span.model_request_start',
        'agent.tool_use',
        'span.model_request_end',
        'session.status_idle',
        'user.interrupt',
        'session.status_running',
        'agent.tool_result',
        'session.status_idle',
      ]);
    });

    it('report a failed answer, and accept the next message', async () => {
      const { ada } = await setup('failing');
      const id = await ada.create('Hi');
      const stream = await ada.follow(id);
      const { data: idle } = await stream.until('session.status_idle');
      expect(idle.stop_reason).toEqual({ type: 'retries_exhausted' });
      const log = await ada.log(id);
      expect(typesOf(log).slice(3)).toEqual([
        'agent.message',
        'span.model_request_end',
        'session.error',
        'session.status_idle',
      ]);
      expect(log[3]).toMatchObject({ incomplete: 'failed' });
      expect(log[5]?.error).toMatchObject({
        type: 'model_request_failed_error',
        retry_status: { type: 'terminal' },
      });
      await ada.send(id, [message('Again')]);
      await stream.until('session.status_running');
    });
  });
});
