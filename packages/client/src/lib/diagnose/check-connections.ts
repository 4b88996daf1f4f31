import { healthPath } from './check-platform.ts';
import { type Finding, isLoopback, okFinding, skippedFinding, warningFinding } from './findings.ts';

/** Checks the HTTP version of the platform's connection, if the browser exposes it. */
export function checkConnections(platform: string): Finding {
  const [entry] = globalThis.performance?.getEntriesByName?.(`${platform}${healthPath}`) ?? [];
  const protocol = (entry as PerformanceResourceTiming | undefined)?.nextHopProtocol;
  if (!protocol)
    return skippedFinding(
      'The browser does not report the HTTP version of its connection to the platform.',
    );
  const facts = { protocol };
  if (!/^http\/1/.test(protocol)) {
    return okFinding('Any number of tabs can share one connection to the platform.', facts);
  }
  if (isLoopback(platform)) {
    return okFinding('HTTP/1.1, as is usual on a local machine. Use HTTP/2 in production.', facts);
  }
  return warningFinding(
    'The browser uses HTTP/1.1, with at most six connections to the platform. Each tab with an open conversation needs one: with many tabs, the later ones fall back to polling.',
    'Enable HTTP/2 in the proxy in front of the platform. Browsers use it over https only.',
    facts,
  );
}
