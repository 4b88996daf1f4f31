import type { Answered, Answers, Asked, Held, Question } from './messages.ts';

/** Answers what the parent process asks, and ends when the parent is gone. */
export function answerParent(answers: Answers): void {
  process.on('message', (asked: Asked) => {
    void answer(answers, asked).then((answered) => process.send?.(answered));
  });
  // The parent went away without its goodbye.
  process.on('disconnect', () => process.exit(0));
}

async function answer(answers: Answers, { id, question, given }: Asked): Promise<Answered> {
  const ask = answers[question] as ((given: unknown) => unknown) | undefined;
  if (!ask) return { id, error: `${question satisfies Question} is not answered here` };
  try {
    return { id, answer: await ask(given) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

export function held(): Held {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    resources[kind] = (resources[kind] ?? 0) + 1;
  }
  return { heapUsed, rss, resources };
}
