import { afterEach, describe, expect, it, vi } from 'vitest';
import { InlayError } from '../errors.ts';
import { check, problemsOf } from '../testing/diagnosis-setup.ts';
import { closeSites, startSite } from '../testing/diagnosis-site.ts';
import { diagnoseSetup } from './diagnose-setup.ts';

afterEach(async () => {
  vi.unstubAllGlobals();
  await closeSites();
});

const missingOptionError = (message: string) => new InlayError('INVALID_OPTION', message);

describe('diagnoseSetup', () => {
  it('names a missing baseUrl, and runs the checks that need no platform', async () => {
    const report = await diagnoseSetup('', missingOptionError('base-url is missing. Set it.'));

    expect(check(report, 'platform')).toMatchObject({
      outcome: 'failed',
      cause: 'base-url is missing.',
      remedy: 'Set it.',
    });
    expect(check(report, 'token').cause).toContain('see “platform”');
    expect(check(report, 'storage').outcome).not.toBe('failed');
    expect(report.text).toContain('platform none');
  });

  it('names a missing token source, and checks the platform', async () => {
    const { url } = await startSite();
    const report = await diagnoseSetup(url, missingOptionError('token-url is missing. Set it.'));

    expect(problemsOf(report)).toContain('token: failed');
    expect(check(report, 'token').cause).toBe('token-url is missing.');
    expect(check(report, 'platform').outcome).toBe('ok');
    expect(report.text).toContain('token-url is missing.');
  });
});
