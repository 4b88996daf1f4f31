import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';

describe('readOptions', () => {
  it('has a default for everything', () => {
    expect(readOptions({})).toEqual({
      platformPort: 8787,
      hostPort: 8788,
      data: '.inlay/demo',
      json: false,
    });
  });

  it('takes 0 for any free port', () => {
    expect(readOptions({ PORT: '0', DEMO_PORT: '0' })).toMatchObject({
      platformPort: 0,
      hostPort: 0,
    });
  });

  it.each(['http', '-1', '65536', '80.5'])('names the variable when the port is %s', (port) => {
    expect(() => readOptions({ DEMO_PORT: port })).toThrow(
      `DEMO_PORT is "${port}". It must be a port: 0 to 65535, 0 for any free one.`,
    );
  });
});
