import type { FuzzReport } from './fuzz.ts';
import type { GrowthReport } from './growth/growth.ts';

export function fuzzText({
  seed,
  sent,
  statuses,
  milliseconds,
  heap,
  findings,
}: FuzzReport): string {
  const answers = Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
  const found = findings.map(({ what, curl, replay }) =>
    [`\n✘ ${what}`, ...(curl ? [`  ${curl}`] : []), ...(replay ? [`  again: ${replay}`] : [])].join(
      '\n',
    ),
  );
  return [
    `${sent} requests, seed ${seed}`,
    `answers: ${answers}`,
    `slowest: ${Math.round(milliseconds)} ms`,
    `heap: ${heap[0].toFixed(1)} MB after a quarter, ${heap[1].toFixed(1)} MB at the end`,
    findings.length === 0 ? 'no findings' : `${findings.length} findings`,
    ...found,
    '',
  ].join('\n');
}

export function growthText({ inputs, worst, findings }: GrowthReport): string {
  const kibibytes = (worst.bytesIn / 1024).toFixed(0);
  return [
    `${inputs} inputs of doubling sizes`,
    `longest event-loop delay: ${worst.delay.toFixed(0)} ms for ${kibibytes} KiB (${worst.input})`,
    findings.length === 0 ? 'nothing grows faster than its input' : `${findings.length} findings`,
    ...findings.map(({ input, what, curl }) => `\n✘ ${input}: ${what}\n  ${curl.slice(0, 600)}\n`),
    '',
  ].join('\n');
}
