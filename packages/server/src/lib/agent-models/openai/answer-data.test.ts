import { expect, it } from 'vitest';
import { chunk, done } from '../../testing/chat-endpoint.ts';
import { cpuGrowth } from '../../testing/cpu-growth.ts';
import { answerData } from './answer-data.ts';

/** Reads the data of a body that arrives in these pieces. */
async function read(...pieces: string[]): Promise<string[]> {
  async function* bytes() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const data: string[] = [];
  for await (const each of answerData(bytes())) data.push(each);
  return data;
}

it('the data of each event is not changed, and `[DONE]` is the last', async () => {
  expect(await read(chunk({ content: 'a' }), done)).toEqual([
    chunk({ content: 'a' }).slice('data: '.length).trimEnd(),
    '[DONE]',
  ]);
});

it('an event of many pieces is read as a whole, in linear time', async () => {
  const growth = await cpuGrowth(async (size) => {
    const data = JSON.stringify({ text: 'x'.repeat(size) });
    const pieces = `data: ${data}\n\n`.match(/.{1,40}/gs) ?? [];
    expect(await read(...pieces, done)).toEqual([data, '[DONE]']);
  }, 200_000);

  // Quadratic time would be 64 times.
  expect(growth).toBeLessThan(32);
});

it.each(['\n\n', '\r\r', '\r\n\r\n'])(
  'the blank line %j after an event is found even if two chunks share it',
  async (end) => {
    for (let cut = 0; cut <= end.length; cut += 1) {
      const [head, tail] = [end.slice(0, cut), end.slice(cut)];
      expect(await read(`data: 1${head}`, `${tail}data: 2${end}`)).toEqual(['1', '2']);
    }
  },
);

it('the last event may lack its blank line, and is ignored if it is incomplete', async () => {
  expect(await read('data: {"a":1}\n\ndata: [DONE]')).toEqual(['{"a":1}', '[DONE]']);
  expect(await read('data: {"a":1}\n\ndata: {"b":2}\n')).toEqual(['{"a":1}', '{"b":2}']);
  expect(await read('data: {"a":1}\n\ndata: {"b":')).toEqual(['{"a":1}']);
});

it.each(['data: ', '{"a":"'])('more than 4 MiB after %j are refused', async (start) => {
  await expect(read(start, 'x'.repeat(5_000_000))).rejects.toMatchObject({ kind: 'too_long' });
});
