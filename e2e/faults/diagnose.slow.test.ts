/** Diagnosis of network problems between the client and a real server. */
import type { CheckId, DiagnosisReport } from '@inlay/client';
import { describe, expect, it } from 'vitest';
import {
  type AnswerFault,
  badGateway,
  captivePortal,
  type Fault,
  unavailable,
} from '../fault-proxy/fault.ts';
import { startSite } from './setup.ts';

const problemsOf = ({ checks }: DiagnosisReport) =>
  checks
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
    .map(({ id, outcome }) => `${id}: ${outcome}`);

const causeOf = ({ checks }: DiagnosisReport, checkId: CheckId) =>
  checks.find(({ id }) => id === checkId)?.cause;

describe('client.diagnose()', () => {
  it('finds no problem on a working network, and creates no session', async () => {
    const { openTab, proxy } = await startSite();
    const { client, tokenRequests } = openTab();
    const report = await client.diagnose();

    expect(problemsOf(report)).toEqual([]);
    expect(tokenRequests).toEqual([null]);
    expect((await client.sessions.list()).data).toEqual([]);
    expect(proxy.counts.requests).toBeGreaterThan(2);
  });

  it.each<[string, Fault]>([
    ['the head and the body', { type: 'buffer', head: true }],
    ['the body', { type: 'buffer' }],
  ])('finds a proxy that buffers %s of a stream', async (_what, fault) => {
    const { openTab, proxy } = await startSite();
    proxy.faults.add(fault, { path: '/stream_check' });
    const report = await openTab().client.diagnose();

    expect(problemsOf(report)).toEqual(['streaming: failed']);
    expect(causeOf(report, 'streaming')).toContain('all at once');
  });

  it('finds a stream that is interrupted', async () => {
    const { openTab, proxy } = await startSite();
    proxy.faults.add(
      { type: 'cut', how: 'reset', from: 'body', after: 200 },
      { path: '/stream_check' },
    );
    const report = await openTab().client.diagnose();

    expect(problemsOf(report)).toEqual(['streaming: failed']);
    expect(causeOf(report, 'streaming')).toMatch(/ended after|No data of a stream/);
  });

  it.each<[string, AnswerFault, string]>([
    ['a captive portal', captivePortal, 'not an Inlay platform'],
    ['a gateway that cannot reach its server', badGateway, 'responded with 502'],
    ['a server that is not ready', unavailable(1), '503'],
  ])('finds %s in place of the platform', async (_what, answer, expectedText) => {
    const { openTab, proxy } = await startSite();
    proxy.faults.add(answer);
    const report = await openTab().client.diagnose();

    expect(problemsOf(report)).toEqual(['platform: failed']);
    expect(causeOf(report, 'platform')).toContain(expectedText);
  });

  it('finds that the page’s origin is not allowed', async () => {
    const { openTab, platform } = await startSite();
    const { client } = openTab();
    await client.config();
    await platform.agents.update('test', { embed: { allowed_origins: ['https://other.example'] } });
    const report = await client.diagnose();

    expect(problemsOf(report)).toEqual(['origin: failed']);
  });

  it('finds that a token was revoked and that the host returns no other token', async () => {
    const { openTab, platform } = await startSite();
    const issue = () => platform.embedTokens.issue({ agent: 'test', external_user_id: 'ada' });
    const { client } = openTab({
      getToken: async (current) => (current === null ? (await issue()).token : null),
    });
    await client.config();
    await platform.endUsers.revokeTokens('test', 'ada');
    const report = await client.diagnose();

    expect(problemsOf(report)).toEqual(['token: failed']);
    expect(causeOf(report, 'token')).toContain('The host page provided no token');
  });
});
