/** Characters that are written at once, without waiting for the end of the turn. */
const most = 65_536;

/**
 * Gathers lines and writes those of one turn of the event loop together: a write for each costs more
 * than all the rest of a log. `flush` writes what is left, for a process that ends.
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
