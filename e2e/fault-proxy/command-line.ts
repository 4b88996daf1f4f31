import { parseArgs } from 'node:util';
import { faultTypes, parseFault } from './check-fault.ts';
import type { Fault, Match } from './fault.ts';

export const help = `Simulates a bad network between a client and a server.

  npx tsx e2e/fault-proxy/main.ts --to http://localhost:8787 [--port 8790] [--fault <fault>]…

  --to <url>               URL of the server. TLS is not supported.
  --port <n>               Port for clients. Default: 8790. 0 selects a free port.
  --host <address>         Address to listen on. Default: 127.0.0.1.
  --control <n>            Port of the control endpoint, on 127.0.0.1. Default: --port + 1. 0 selects a free port.
  --half-open-timeout <s>  Seconds until the server's side of a half-open connection is reset. Default: never.
  --fault <fault>          A fault that is active from the start: <type>[,<field>=<value>…]. Can be repeated.
  --help                   Prints this text.

Faults: ${faultTypes.join(', ')}.
Their fields are described in e2e/fault-proxy/README.md. These fields select the requests that a fault applies to:
method=, path= (substring of the path and query), nth= (first matching request, from 1), times= (number of requests).

  --fault cut,after=900,path=/stream     every stream becomes half-open after 900 bytes
  --fault lose-answer,method=POST,nth=3  the server gets the third POST, and its response is lost
  --fault split --fault delay,ms=200     every byte in a packet of its own, delayed by 200 ms

The control endpoint takes JSON (curl -H content-type:application/json -d …):

  GET    /          lists open connections, active faults and counters
  POST   /faults    adds a fault: {"fault": {"type": "cut", "after": 300}, "match": {"path": "/stream", "times": 1}}
  DELETE /faults    removes all faults
  POST   /cut       cuts all connections: {"how": "half-open" | "reset" | "fin"}
  POST   /offline   cuts all connections, and refuses new ones: {"how": …}
  POST   /online    accepts connections again: {}
`;

export interface CommandLine {
  target: string;
  port: number;
  host: string;
  control: number;
  halfOpenTimeoutMs: number;
  faults: Array<{ fault: Fault; match: Match }>;
}

/**
 * Parses the command line.
 *
 * @returns `'help'` if `--help` is given.
 * @throws {TypeError} Names the option and the remedy.
 */
export function readCommandLine(args: string[]): CommandLine | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      to: { type: 'string' },
      port: { type: 'string', default: '8790' },
      host: { type: 'string', default: '127.0.0.1' },
      control: { type: 'string' },
      'half-open-timeout': { type: 'string' },
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
    halfOpenTimeoutMs: secondsOf('--half-open-timeout', values['half-open-timeout']) * 1000,
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
