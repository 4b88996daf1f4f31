import { bytes } from './browser/bytes.ts';
import { conversation } from './browser/conversation.ts';
import { markdown } from './browser/markdown.ts';
import { mounts } from './browser/mounts.ts';
import { start } from './browser/start.ts';
import { stream } from './browser/stream.ts';
import type { Benchmark } from './lib/benchmark.ts';
import { coldStart } from './server/cold-start.ts';
import { deliver } from './server/deliver.ts';
import { erase } from './server/erase.ts';
import { gateway } from './server/gateway.ts';
import { idleStreams } from './server/idle-streams.ts';
import { issuance, issuanceMetrics } from './server/issuance.ts';
import { lists } from './server/lists.ts';
import { messageCost } from './server/message-cost.ts';
import { resume } from './server/resume.ts';
import { revoke } from './server/revoke.ts';
import { revokeBetween } from './server/revoke-between.ts';
import { revokeUnderLoad } from './server/revoke-under-load.ts';
import { runQueue } from './server/run-queue.ts';
import { searchSessions } from './server/search-sessions.ts';
import { sharedState } from './server/shared-state.ts';

/** All benchmarks in the order of the report. `npm run bench -- <group>` runs the benchmarks of a group. */
export const groups = {
  widget: [bytes, start, stream, markdown, conversation, mounts],
  server: [
    coldStart,
    issuance,
    issuanceMetrics,
    idleStreams,
    deliver,
    revoke,
    revokeBetween,
    revokeUnderLoad,
    messageCost,
    runQueue,
    lists,
    erase,
    searchSessions,
    resume,
    sharedState,
    gateway,
  ],
} satisfies Record<string, readonly Benchmark[]>;

/** Finds benchmarks by name: `all`, a group, or a single benchmark. Null for an unknown name. */
export function findBenchmarks(name: string): readonly Benchmark[] | null {
  const all: Benchmark[] = Object.values(groups).flat();
  if (name === 'all') return all;
  if (Object.hasOwn(groups, name)) return groups[name as keyof typeof groups];
  const benchmark = all.find((each) => each.name === name);
  return benchmark ? [benchmark] : null;
}

/** Lists the names that `findBenchmarks` knows. */
export function names(): string[] {
  return [
    'all',
    ...Object.keys(groups),
    ...Object.values(groups)
      .flat()
      .map(({ name }) => name),
  ];
}
