import fs from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger, describeError, type LogFields } from './logger.ts';

function lineOf(message: string, fields?: LogFields): string {
  const lines: string[] = [];
  const log = createLogger(
    () => 0,
    (line) => lines.push(line),
  );
  log.warn(message, fields);
  expect(lines).toHaveLength(1);
  return String(lines[0]);
}

const errorOf = (message: string) =>
  String(JSON.parse(lineOf('failed', describeError(new Error(message)))).error);

describe('createLogger', () => {
  it('writes one JSON object per line, without undefined fields', () => {
    const line = lineOf('two\nlines', { route: '/a', status: 200, caller: undefined });

    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      message: 'two\nlines',
      route: '/a',
      status: 200,
    });
  });

  it('writes a line without fields', () => {
    expect(JSON.parse(lineOf('started'))).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      message: 'started',
    });
  });

  it.each([
    'et_abcdefgh12345678',
    'ec_abcdefgh12345678',
    'vs_abcdefgh12345678',
    'sk-service-abcdefgh',
  ])('redacts %s in the message and the stack of an error', (secret) => {
    const line = lineOf('failed', describeError(new Error(`upstream said: "${secret}" is wrong`)));

    expect(line).not.toContain(secret);
    expect(JSON.parse(line)).toMatchObject({
      error: expect.stringContaining('is wrong'),
      stack: expect.stringContaining('is wrong'),
    });
  });

  it('redacts user and password in a URL', () => {
    expect(errorOf('no answer from postgres://inlay:s3cret@db.example:5432/inlay')).toBe(
      'Error: no answer from postgres://…@db.example:5432/inlay',
    );
  });

  it('does not redact words that only resemble a secret', () => {
    expect(errorOf('set_up the vs_ prefix of task-service')).toBe(
      'Error: set_up the vs_ prefix of task-service',
    );
  });

  it('logs and redacts thrown values that are not errors', () => {
    expect(JSON.parse(lineOf('failed', describeError('sk-service-abcdefgh'))).error).toBe('sk-…');
  });

  it.each([
    ['the disk is full', 'ENOSPC'],
    ['the reader of the pipe does not read', 'EAGAIN'],
  ])(
    'buffers up to 1 MiB of lines while %s, writes them later, and counts the dropped ones',
    async (_, code) => {
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const written: string[] = [];
      let isFull = true;
      const write = vi.spyOn(fs, 'writeSync').mockImplementation((_fd, data) => {
        if (isFull) throw Object.assign(new Error('not written'), { code });
        written.push(String(data));
        return Buffer.byteLength(String(data));
      });
      onTestFinished(() => write.mockRestore());
      const log = createLogger(() => 0);

      const route = 'x'.repeat(1_000);
      for (let line = 0; line < 2_000; line += 1) log.info(`${line}`, { route });
      isFull = false;
      vi.advanceTimersByTime(1000);
      await new Promise(setImmediate);
      log.info('written');

      const lines = written.join('').trimEnd().split('\n');
      const parsed = lines.map((line) => JSON.parse(line));
      const stored = parsed.filter(({ route: field }) => field !== undefined);
      expect(stored.slice(0, 3).map(({ message }) => message)).toEqual(['0', '1', '2']);
      expect(parsed.at(-1)).toMatchObject({ message: 'written' });
      expect(stored.length).toBeLessThan(1_100);
      expect(parsed.find(({ message }) => message === 'log lines dropped')).toMatchObject({
        level: 'warn',
        dropped: 2_000 - stored.length,
      });
    },
  );
});
