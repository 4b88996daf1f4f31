import type {
  Network,
  Requests,
} from '../../packages/client/src/lib/random-programs/environment.ts';
import type { Failure } from '../../packages/client/src/testing.ts';
import type { Fault, Match } from '../fault-proxy/fault.ts';
import type { FaultProxy } from '../fault-proxy/fault-proxy.ts';

const streamPath = /\/events\/stream|\/sessions\?/;

const matches: Readonly<Record<Requests, Match>> = {
  all: {},
  posts: { method: 'POST' },
  events: { path: /\/events(?:\?|$)/ },
  streams: { path: streamPath },
  config: { path: '/embed/config' },
  creations: { method: 'POST', path: /\/sessions(?:\?|$)/ },
};

/** The network of the programs, behind a fault proxy. */
export function proxyNetwork({ faults, cut, goOffline, goOnline }: FaultProxy): Network {
  /** Removes the rule that the previous call of a switch has added. */
  const removers = new Map<string, () => void>();
  const replaceRule = (name: string, fault: Fault | null, match: Match = {}) => {
    removers.get(name)?.();
    removers.delete(name);
    if (fault) removers.set(name, faults.add(fault, match).remove);
  };
  return {
    bufferStreams: (isOn = true) =>
      replaceRule('buffer', isOn ? { type: 'buffer' } : null, matches.streams),
    splitStreams: (isOn = true) =>
      replaceRule('split', isOn ? { type: 'split', bytes: 61 } : null, matches.streams),
    delayRequests: (ms) =>
      replaceRule('delay', ms > 0 ? { type: 'delay', ms, side: 'request' } : null),
    clear() {
      faults.clear();
      goOnline();
    },
    cutStreams: ({ silently = false } = {}) =>
      void cut(silently ? 'half-open' : 'reset', ({ requests }) =>
        requests.some(({ path }) => streamPath.test(path)),
      ),
    cutNextStreams(bytes) {
      for (const [index, after] of bytes.entries()) {
        const fault = { type: 'cut', how: 'reset', from: 'body', after } as const;
        faults.add(fault, { ...matches.streams, nth: index + 1 });
      }
    },
    loseResponse: (requests) =>
      void faults.add({ type: 'lose-answer', how: 'reset' }, { ...matches[requests], times: 1 }),
    failNext: (failure, requests, times) =>
      void faults.add(faultOf(failure), { ...matches[requests], times }),
    goOffline: () => goOffline('reset'),
    goOnline,
  };
}

/** The fault that fails a request without the server's knowledge. */
function faultOf(failure: Failure): Fault {
  if (failure === 'network') return { type: 'cut', how: 'reset', side: 'request' };
  if ('code' in failure) throw new TypeError('The network knows no problem codes.');
  const { status, html: body = '' } = failure;
  return { type: 'answer', status, body, headers: { 'content-type': 'text/html' } };
}
