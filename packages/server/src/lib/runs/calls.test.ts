import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { callsOf } from './calls.ts';
import { inputHash } from './input-hash.ts';

const call = {
  type: 'agent.tool_use',
  id: 't',
  seq: 1,
  name: 'x',
  input: { a: 1 },
  evaluated_permission: 'ask',
};
const confirmation = (fields: object) => ({
  type: 'user.tool_confirmation',
  id: 'c',
  seq: 2,
  tool_use_id: 't',
  result: 'allow',
  ...fields,
});
const stateWith = (fields: object) =>
  callsOf([call, confirmation(fields)] as unknown as LogEvent[])[0]?.state;

describe('callsOf', () => {
  it('takes a call for ready only where the confirmation is of this very call', () => {
    expect(stateWith({ input_hash: inputHash(call) })).toBe('ready');
    expect(stateWith({ input_hash: inputHash({ ...call, input: { a: 2 } }) })).toBe('approval');
  });

  it('takes the confirmations of older servers, which name no hash', () => {
    expect(stateWith({})).toBe('ready');
  });

  it('lets a confirmation of the call count that comes after one of another', () => {
    const log = [
      call,
      confirmation({ input_hash: 'of something else', result: 'deny' }),
      confirmation({ input_hash: inputHash(call), seq: 3 }),
    ] as unknown as LogEvent[];

    expect(callsOf(log)[0]?.state).toBe('ready');
  });
});
