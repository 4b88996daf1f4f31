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
  });
});
