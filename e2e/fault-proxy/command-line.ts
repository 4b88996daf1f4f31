import { parseArgs } from 'node:util';
import { faultTypes, parseFault } from './check-fault.ts';
import type { Fault, Match } from './fault.ts';

export const help = `A bad network between a client and a server.

  npm run fault-proxy -- --to http://localhost:8787 [--port 8790] [--fault <fault>]…

  --to <url>        The server. http only.
  --port <n>        Where clients call. Default 8790; 0 takes any free one.
  --host <address>  Default 127.0.0.1.
  --control <n>     Port of the control endpoint, on 127.0.0.1. Default: one more than --port; 0 takes any free one.
  --forget <s>      Seconds until the server's side of a half-open connection is reset. Default: never.
  --fault <fault>   A fault from the start: <type>[,<field>=<value>…]. As many as you like.
  --help            This text.

Faults: ${faultTypes.join(', ')}.
Their fields are described in e2e/fault-proxy/README.md. Every fault also takes which requests it strikes:
method=, path= (a part of the path and query), nth= (the first, from 1), times= (how many).

  --fault cut,after=900,path=/stream     half-open after 900 bytes of every stream
  --fault lose-answer,method=POST,nth=3  the third POST arrives, and its answer is lost
  --fault split --fault delay,ms=200     byte by byte, after a long way

While it runs, with bodies in JSON (curl -H content-type:application/json -d …):

  GET    /          what stands and what has happened
  POST   /faults    {"fault": {"type": "cut", "after": 300}, "match": {"path": "/stream", "times": 1}}
  DELETE /faults    no faults any more
  POST   /cut       {"how": "half-open" | "reset" | "fin"}: every connection, now
  POST   /offline   {"how": …}: that, and nobody gets through
  POST   /online    {}: everybody does again
`;

export interface CommandLine {
  target: string;
  port: number;
  host: string;
  control: number;
  /** Milliseconds. */
  forgetAfter: number;
  faults: Array<{ fault: Fault; match: Match }>;
}

/** `help` where the text above is asked for. @throws TypeError that names the option and the remedy. */
export function readCommandLine(args: string[]): CommandLine | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      to: { type: 'string' },
      port: { type: 'string', default: '8790' },
      host: { type: 'string', default: '127.0.0.1' },
      control: { type: 'string' },
      forget: { type: 'string' },
      fault: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  if (!values.to) throw new TypeError('--to is missing. Give the address of the server: http://…');
  const port = portOf('--port', values.port);
  const isFixed = port > 0 && port < 65_535;
  return {
    target: values.to,
    port,
    host: values.host,
    control: portOf('--control', values.control ?? String(isFixed ? port + 1 : 0)),
    forgetAfter: secondsOf('--forget', values.forget) * 1000,
    faults: values.fault.map((text) => {
      try {
        return parseFault(text);
      } catch (error) {
        throw new TypeError(`--fault ${text}: ${error instanceof Error ? error.message : error}`);
      }
    }),
  };
}

function portOf(option: string, value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new TypeError(`${option} is "${value}". Use a port: 0 to 65535, 0 for any free one.`);
}

function secondsOf(option: string, value: string | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(value)) return Number(value);
  throw new TypeError(`${option} is "${value}". Use seconds, a whole number.`);
}
