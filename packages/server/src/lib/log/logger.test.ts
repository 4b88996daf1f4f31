import { describe, expect, it } from 'vitest';
import { createLogger, describeError, redact } from './logger.ts';

describe('the log', () => {
  it('writes one JSON object a line, whatever is in it', () => {
    const lines: string[] = [];
    const log = createLogger(
      () => 0,
      (line) => lines.push(line),
    );

    log.info('two\nlines', { route: '/a', status: 200, caller: undefined });

    expect(lines).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"two\\nlines","route":"/a","status":200}\n',
    ]);
  });

  it.each([
    'et_abcdefgh12345678',
    'ec_abcdefgh12345678',
    'vs_abcdefgh12345678',
    'sk-service-abcdefgh',
  ])('blots out %s in the text of an error', (secret) => {
    const { error, stack } = describeError(new Error(`upstream said: "${secret}" is wrong`));

    expect(`${error} ${stack}`).not.toContain(secret);
    expect(error).toContain('is wrong');
  });

  it('blots out who logs in at an address', () => {
    expect(redact('no answer from postgres://inlay:s3cret@db.example:5432/inlay')).toBe(
      'no answer from postgres://…@db.example:5432/inlay',
    );
  });

  it('leaves words alone that only look a little alike', () => {
    expect(redact('set_up the vs_ prefix of task-service')).toBe(
      'set_up the vs_ prefix of task-service',
    );
  });
});
