import { at } from '../lib/at.ts';
import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtLeast, toRow } from '../lib/row.ts';
import { type Child, startChild } from './child.ts';
import { HttpConnection, serialize } from './http-connection.ts';
import { issuance, startPlatform } from './platform.ts';

const connections = 64;
/** Number of users that tokens are issued to, in rotation. */
const users = 1000;

interface Load {
  perSecond: number;
  /** CPU time of the server per request in microseconds. */
  cost: number;
  /** Share of one core that the server used. */
  busy: number;
}

/** Tokens issued per second by one process, compared with an endpoint that only handles JSON. */
export const issuanceFigure: Figure = {
  name: 'issuance',
  title: `POST /agent/v1/embed_tokens over ${connections} connections`,
  async take({ rounds: asked, seconds }) {
    const rounds = Math.min(asked, 3);
    const [bare, normal, full] = [
      await startChild({ kind: 'bare' }),
      await startPlatform({ synchronous: 'normal' }),
      await startPlatform({ synchronous: 'full' }),
    ];
    try {
      const load = (child: Child) => () => applyLoad(child, seconds);
      const samples = await interleave(
        { bare: load(bare), normal: load(normal), full: load(full) },
        { rounds, warmUp: 1 },
      );
      const row = (what: string, mode: 'normal' | 'full', key: keyof Load, unit: string) => ({
        what: `${what}, store ${mode.toUpperCase()}`,
        unit,
        ours: samples[mode].map((sample) => sample[key]),
        floor: samples.bare.map((sample) => sample[key]),
      });
      const busy = Math.min(...samples.bare.map((sample) => sample.busy));
      return {
        rows: [
          toRow({
            ...row('tokens issued', 'normal', 'perSecond', '/s'),
            target: ratioAtLeast(0.35),
          }),
          toRow(row('tokens issued', 'full', 'perSecond', '/s')),
          toRow(row('processor time of one', 'normal', 'cost', 'µs')),
          toRow(row('processor time of one', 'full', 'cost', 'µs')),
        ],
        notes: [
          'FULL is the default of the store: every commit is on disk before the response.',
          ...(busy < 0.9
            ? [
                `The floor used only ${Math.round(busy * 100)} % of a core, because of the load generator or other processes, so the ratio of the rates is too good. Use the processor time.`,
              ]
            : []),
        ],
      };
    } finally {
      await Promise.all([bare.stop(), normal.stop(), full.stop()]);
    }
  },
};

/** Sends requests on all connections, one at a time each, for the given number of seconds. */
async function applyLoad(child: Child, seconds: number): Promise<Load> {
  const requests = Array.from({ length: users }, (_, number) =>
    serialize(issuance(`person-${number}`)),
  );
  const open = await Promise.all(
    Array.from({ length: connections }, () => HttpConnection.open(child.port)),
  );
  const before = await child.ask('cpu');
  const started = performance.now();
  const end = started + seconds * 1000;
  let asked = 0;
  let answered = 0;
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < end) {
        const { status, body } = await connection.request(at(requests, asked++ % users));
        if (status !== 200) throw new Error(`Issuance answers ${status}: ${body.toString()}`);
        answered += 1;
      }
    }),
  );
  const milliseconds = performance.now() - started;
  const used = (await child.ask('cpu')).microseconds - before.microseconds;
  for (const connection of open) connection.close();
  return {
    perSecond: (answered / milliseconds) * 1000,
    cost: used / answered,
    busy: used / 1000 / milliseconds,
  };
}
