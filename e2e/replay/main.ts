import { parseArgs } from 'node:util';
import { answerNames, findAnswer } from './answers/catalogue.ts';
import { startReplayServer } from './replay-server.ts';
import { chunkings, faults, lineEnds, quirks, writings } from './stream/options.ts';

const help = `Replays recorded-style answers as an OpenAI-compatible provider would send them.

  node --conditions=source --import tsx e2e/replay/main.ts [--port 9100] [--host 127.0.0.1] [--key <key>]

  --port   Default 9100; 0 takes any free one.
  --host   Default 127.0.0.1.
  --key    The only API key to accept. By default any is good, but one must be sent.
  --help   This text.

The model name selects the answer, and how it is sent: replay/<answer>,<option>=<value>,…

Answers:
${answerNames.map((name) => `  ${name.padEnd(10)} ${findAnswer(name)?.description}`).join('\n')}

Options:
  chunks=    ${chunkings.join(' | ')}
  writes=    ${writings.join(' | ')}
  lines=     ${lineEnds.join(' | ')}
  quirks=    joined by +: ${quirks.join(' ')}
  tps=       tokens per second; 0, the default, is as fast as the client reads
  ttft=      milliseconds until the first token
  tokens=    shortens the answer to so many tokens
  seed=      moves the places of bursts, tears and quirks
  fault=     ${faults.join(' ')}
  times=     how many requests the fault hits before the next ones work
  at=        how far into the answer the fault strikes, 0 to 1; default 0.5
  retryAfter= seconds, for fault=rate-limit

Example: replay/report,chunks=burst,tps=80,ttft=400
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9100' },
    host: { type: 'string', default: '127.0.0.1' },
    key: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(help);
} else {
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`--port is "${values.port}"; use a whole number from 0 to 65535`);
  }
  const server = await startReplayServer({
    port,
    host: values.host,
    ...(values.key !== undefined && { apiKey: values.key }),
  });
  process.stdout.write(`The replay server listens at ${server.url} (--help lists its models)\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close());
  }
}
