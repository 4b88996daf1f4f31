import { expect, it } from 'vitest';
import { InlayError } from './errors.ts';
import { browserPorts } from './ports.ts';
import { Reachability } from './reachability.ts';
import { retry } from './retry.ts';
import { setupTokens } from './testing/token-setup.ts';

/** Retries an action for an hour. Returns the number of its attempts, and the outcome. */
async function retryForAnHour(fail: () => never) {
  const { manager: tokens, clock, page, diagnostics } = setupTokens();
  const ports = browserPorts({ clock, page, random: () => 0.5 });
  const { signal } = new AbortController();
  let attempts = 0;
  const options = {
    ...{ ports, tokens, reachability: new Reachability(), signal },
    onDiagnostic: (diagnostic: (typeof diagnostics)[number]) => diagnostics.push(diagnostic),
  };
  let outcome: unknown = 'pending';
  retry(async () => {
    attempts += 1;
    fail();
  }, options).catch((error: unknown) => {
    outcome = error;
  });
  await clock.advance(3_600_000);
  return { attempts, outcome, diagnostics };
}

it('rejects at the first exception that is not an `InlayError`, and reports it', async () => {
  const defect = new TypeError('undefined is not a function');
  const { attempts, outcome, diagnostics } = await retryForAnHour(() => {
    throw defect;
  });

  expect(attempts).toBe(1);
  expect(outcome).toMatchObject({ code: 'UNEXPECTED_ERROR', retryable: false, cause: defect });
  expect(diagnostics).toEqual([{ type: 'unexpected_error', error: defect, eventId: null }]);
});

it('retries after a failure of the network', async () => {
  const { attempts, outcome, diagnostics } = await retryForAnHour(() => {
    throw new InlayError('NETWORK_ERROR', 'The connection failed.', { retryable: true });
  });

  expect(attempts).toBeGreaterThan(100);
  expect(outcome).toBe('pending');
  expect(diagnostics).toEqual([]);
});
