import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';

describe('readOptions', () => {
  it('accepts port 0 for any free port', () => {
    expect(readOptions({ PORT: '0', DEMO_PORT: '0' })).toMatchObject({
      platformPort: 0,
      hostPort: 0,
    });
  });

  it.each(['http', '-1', '65536', '80.5'])(
    'throws an error that names the variable when the port is %s',
    (port) => {
      expect(() => readOptions({ DEMO_PORT: port })).toThrow(
        `DEMO_PORT is "${port}". It must be a port: 0 to 65535, or 0 for any free port.`,
      );
    },
  );

  it('accepts the public URL of the platform', () => {
    expect(readOptions({ DEMO_PLATFORM_URL: 'http://localhost:8790/' }).platformUrl).toBe(
      'http://localhost:8790',
    );
  });

  it.each(['localhost:8790', '8790', 'http://localhost:8790/chat'])(
    'throws for the platform URL %s',
    (value) => {
      expect(() => readOptions({ DEMO_PLATFORM_URL: value })).toThrow(
        `DEMO_PLATFORM_URL is "${value}". It must be a URL without a path`,
      );
    },
  );
});
