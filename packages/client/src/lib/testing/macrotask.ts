let channel: MessageChannel | null = null;
const pendingResolvers: (() => void)[] = [];

/**
 * Resolves in a new task, after all pending promise callbacks. It uses a message channel, because
 * timers may be faked or throttled, and browsers have no `setImmediate`.
 */
export function macrotask(): Promise<void> {
  channel ??= openChannel();
  const { port1, port2 } = channel;
  return new Promise((resolve) => {
    pendingResolvers.push(resolve);
    keepAlive(port1, true);
    port2.postMessage(null);
  });
}

function openChannel(): MessageChannel {
  const opened = new MessageChannel();
  opened.port1.onmessage = () => {
    pendingResolvers.shift()?.();
    if (pendingResolvers.length === 0) keepAlive(opened.port1, false);
  };
  return opened;
}

/** Sets whether the open port keeps the Node process running. Does nothing in browsers. */
function keepAlive(port: MessagePort, alive: boolean): void {
  const node: MessagePort & { ref?: () => void; unref?: () => void } = port;
  if (alive) node.ref?.();
  else node.unref?.();
}
