let channel: MessageChannel | null = null;
const waiting: (() => void)[] = [];

/**
 * Resolves in a new task, after all pending promise callbacks. It uses a message channel, because
 * timers may be faked or throttled, and browsers have no `setImmediate`.
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

/** Node does not end a process with an open port. */
function keepAlive(port: MessagePort, alive: boolean): void {
  const node: MessagePort & { ref?: () => void; unref?: () => void } = port;
  if (alive) node.ref?.();
  else node.unref?.();
}
