/** Buffered characters at which the buffer is written at once. */
const most = 65_536;

/**
 * Buffers the lines of one turn of the event loop and writes them together, because a write per
 * line is the largest cost of logging. Call `flush` before the process ends.
 */
export function createLineBuffer(write: (text: string) => void): {
  add: (line: string) => void;
  flush: () => void;
} {
  let waiting = '';
  return { add, flush };

  function add(line: string): void {
    if (waiting === '') setImmediate(flush);
    waiting += line;
    if (waiting.length >= most) flush();
  }

  function flush(): void {
    const text = waiting;
    waiting = '';
    if (text !== '') write(text);
  }
}
