export { FakeClock } from './lib/testing/fake-clock.ts';
export { FakePage } from './lib/testing/fake-page.ts';
export { FakeStore } from './lib/testing/fake-store.ts';
export type { Faults } from './lib/testing/faults.ts';
export type { Failure, RequestName } from './lib/testing/network.ts';
export type { RecordedRequest } from './lib/testing/platform/recorded-request.ts';
export type * from './lib/testing/platform/script.ts';
export {
  createScriptedPlatform,
  type ScriptedPlatform,
  type ScriptedPlatformOptions,
} from './lib/testing/platform/scripted-platform.ts';
export type { EventDraft, LoggedEvent, ScriptedSession } from './lib/testing/platform/session.ts';
export type { NewSession } from './lib/testing/platform/sessions.ts';
export type { ConfigOption, PlatformSettings } from './lib/testing/platform/settings.ts';
export type { StreamedOutput } from './lib/testing/platform/streamed-output.ts';
export type { IssuedToken, IssueOptions } from './lib/testing/platform/tokens.ts';
export { seededRandom } from './lib/testing/seeded-random.ts';
export {
  createTestBed,
  type TestBed,
  type TestBedOptions,
  type TestClientOptions,
  type TestTab,
} from './lib/testing/test-bed.ts';
