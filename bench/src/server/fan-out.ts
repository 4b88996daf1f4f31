import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, ratioAtMost, toRow } from '../lib/row.ts';
import { largest, median } from '../lib/statistics.ts';
import { type Child, startChild } from './child.ts';
import { HttpConnection } from './http-connection.ts';
import { type OpenStream, openStreams } from './open-streams.ts';
import { startPlatform, streamOf, visit } from './platform.ts';
import { streamCount } from './stream-count.ts';

/** Events of each round that count, after `warmUp` that do not. */
const events = 10;
const warmUp = 3;

interface Spread {
  /** Milliseconds from the call until the last reader had the event: the median of the events. */
  reached: number;
  /** Milliseconds of the server's processor for one event. */
  cost: number;
  /** Longest time for which the server's event loop stood still, in milliseconds. */
  blocked: number;
}

/** One event of a session to all who read it. */
export const fanOut: Figure = {
  name: 'fan-out',
  title: 'one event to every reader of a session',
  async take(options) {
    const { count, note } = streamCount(options.streams);
    const samples = await interleave(
      { bare: () => spreadBare(count), platform: () => spreadPlatform(count) },
      { rounds: Math.min(options.rounds, 2), warmUp: 0 },
    );
    const row = (what: string, key: keyof Spread) => ({
      what,
      unit: 'ms',
      ours: samples.platform.map((sample) => sample[key]),
      floor: samples.bare.map((sample) => sample[key]),
    });
    return {
      rows: [
        toRow({ ...row(`until all ${count} had read it`, 'reached'), target: ratioAtMost(1.3) }),
        toRow(row('processor time of the server', 'cost')),
        toRow({ ...row('longest stop of its event loop', 'blocked'), target: atMost(50, 'ms') }),
      ],
      notes: [
        `The event is \`session.updated\`: it is in the log before anybody reads it. ${events} events a round.`,
        'Reading costs the same on both sides and is part of the first row; the second has the server alone.',
        ...note,
      ],
    };
  },
};

async function spreadBare(count: number): Promise<Spread> {
  const child = await startChild({ kind: 'bare' });
  try {
    const streams = await openStreams(child.port, count, (number) => ({
      method: 'GET',
      path: `/stream?number=${number}`,
    }));
    const connection = await HttpConnection.open(child.port);
    const spread = await publishAll(child, streams, (mark) =>
      connection.request({ method: 'POST', path: `/publish?mark=${mark}` }),
    );
    connection.close();
    return spread;
  } finally {
    await child.stop();
  }
}

async function spreadPlatform(count: number): Promise<Spread> {
  const platform = await startPlatform();
  try {
    const visitor = await visit(platform, 'person');
    const streams = await openStreams(platform.port, count, () => streamOf(visitor));
    return await publishAll(platform, streams, (title) =>
      platform.endUser(visitor.token, `/agent/v1/sessions/${visitor.session}`, { title }),
    );
  } finally {
    await platform.stop();
  }
}

async function publishAll(
  child: Child,
  streams: readonly OpenStream[],
  publish: (mark: string) => Promise<unknown>,
): Promise<Spread> {
  const reached: number[] = [];
  const cost: number[] = [];
  const blocked: number[] = [];
  for (let number = 0; number < warmUp + events; number += 1) {
    const mark = `mark-${String(number).padStart(8, '0')}`;
    const read = streams.map((stream) => stream.untilMark(mark));
    await child.ask('longest-delay');
    const before = await child.ask('cpu');
    const called = performance.now();
    const [, ...times] = await Promise.all([publish(mark), ...read]);
    const after = await child.ask('cpu');
    const { milliseconds } = await child.ask('longest-delay');
    if (number < warmUp) continue;
    reached.push(largest(times) - called);
    cost.push((after.microseconds - before.microseconds) / 1000);
    blocked.push(milliseconds);
  }
  return { reached: median(reached), cost: median(cost), blocked: largest(blocked) };
}
