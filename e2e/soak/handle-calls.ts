import type { CallMessage, CallName, Handlers, ReplyMessage, ResourceSnapshot } from './calls.ts';

/** Answers calls of the parent process. Exits when the parent exits. */
export function handleCalls(handlers: Handlers): void {
  process.on('message', (message: CallMessage) => {
    void reply(handlers, message).then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => process.exit(0));
}

async function reply(
  handlers: Handlers,
  { id, name, argument }: CallMessage,
): Promise<ReplyMessage> {
  const handler = handlers[name] as ((argument: unknown) => unknown) | undefined;
  if (!handler) return { id, error: `This process has no handler for ${name satisfies CallName}` };
  try {
    return { id, result: await handler(argument) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Measures memory and resources after a garbage collection (`--expose-gc`). */
export function takeSnapshot(): ResourceSnapshot {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    resources[kind] = (resources[kind] ?? 0) + 1;
  }
  return { heapUsed, rss, resources };
}
