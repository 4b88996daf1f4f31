let channel: MessageChannel | null = null;
const waiting: (() => void)[] = [];

/**
 * Resolves in a task of its own: all promises that are ready have run by then, and what they made
 * ready. A message channel, because a timer of the page may be faked or throttled, and
 * `setImmediate` is not in browsers.
 */
export function macrotask(): Promise<void> {
  channel ??= open();
  const { port1, port2 } = channel;
  return new Promise((resolve) => {
    waiting.push(resolve);
    keepAlive(port1, true);
    port2.postMessage(null);
  });
}

function open(): MessageChannel {
  const opened = new MessageChannel();
  opened.port1.onmessage = () => {
    waiting.shift()?.();
    if (waiting.length === 0) keepAlive(opened.port1, false);
  };
  return opened;
}

/** Node ends a process with nothing to wait for, and never one with an open port. */
function keepAlive(port: MessagePort, alive: boolean): void {
  const node: MessagePort & { ref?: () => void; unref?: () => void } = port;
  if (alive) node.ref?.();
  else node.unref?.();
}
