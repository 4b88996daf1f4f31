import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import { inputHash } from './input-hash.ts';
import { toolCallsOf } from './tool-calls.ts';

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
  toolCallsOf([call, confirmation(fields)] as unknown as LogEvent[])[0]?.state;

describe('toolCallsOf', () => {
  it('returns the state `ready` only if the confirmation has the hash of the call', () => {
    expect(stateWith({ input_hash: inputHash(call) })).toBe('ready');
    expect(stateWith({ input_hash: inputHash({ ...call, input: { a: 2 } }) })).toBe('approval');
  });

  it('accepts a confirmation without a hash, as older servers stored it', () => {
    expect(stateWith({})).toBe('ready');
  });

  it('ignores an earlier confirmation that has the hash of another call', () => {
    const log = [
      call,
      confirmation({ input_hash: 'of something else', result: 'deny' }),
      confirmation({ input_hash: inputHash(call), seq: 3 }),
    ] as unknown as LogEvent[];

    expect(toolCallsOf(log)[0]?.state).toBe('ready');
  });
});
