import type { FuzzReport } from './fuzz.ts';

export function toText({ seed, sent, statuses, milliseconds, heap, findings }: FuzzReport): string {
  const answers = Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
  const found = findings.map(
    ({ number, what, curl }) =>
      `\n✘ request ${number}: ${what}\n${curl === null ? '' : `  ${curl}\n`}`,
  );
  return [
    `${sent} requests, seed ${seed}`,
    `answers: ${answers}`,
    `slowest: ${Math.round(milliseconds)} ms`,
    `heap: ${heap[0].toFixed(1)} MB after a quarter, ${heap[1].toFixed(1)} MB at the end`,
    findings.length === 0 ? 'nothing found' : `${findings.length} findings`,
    ...found,
    '',
  ].join('\n');
}
