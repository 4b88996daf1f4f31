import { healthPath } from './check-platform.ts';
import { isLoopback } from './facts.ts';
import { type Finding, ok, skipped, warning } from './finding.ts';

/** Checks the HTTP version of the platform's connection, if the browser exposes it. */
export function checkConnections(platform: string): Finding {
  const [entry] = globalThis.performance?.getEntriesByName?.(`${platform}${healthPath}`) ?? [];
  const protocol = (entry as PerformanceResourceTiming | undefined)?.nextHopProtocol;
  if (!protocol)
    return skipped('The browser does not tell which HTTP it speaks with the platform.');
  const facts = { protocol };
  if (!/^http\/1/.test(protocol)) {
    return ok('Any number of tabs can share one connection to the platform.', facts);
  }
  if (isLoopback(platform)) {
    return ok(
      'HTTP/1.1, as it is usual on one’s own machine. In production let it be HTTP/2.',
      facts,
    );
  }
  return warning(
    'The browser speaks HTTP/1.1 with the platform, and opens no more than six connections. Each tab with an open conversation holds one: with many tabs the later ones fall back to asking now and then.',
    'Switch HTTP/2 on in the proxy before the platform; browsers speak it over https only.',
    facts,
  );
}
