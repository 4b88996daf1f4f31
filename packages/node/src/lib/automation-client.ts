import { actionCalls } from './action-calls.ts';
import { type Call, createCaller } from './call.ts';
import { type PlatformClientOptions, readClientOptions } from './client-options.ts';
import { orchestrationCalls } from './orchestration-calls.ts';

/** Client of the automation service. Every method rejects with `PlatformError`. */
export type AutomationClient = ReturnType<typeof createAutomation>;

/**
 * Creates a client of only the automation service. A client that `createPlatformClient` creates has
 * the same methods in its member `automation`.
 *
 * @returns Methods for `actions`, `scripts` and `workflows`.
 * @throws PlatformError `INVALID_OPTION`, with the remedy, if an option is invalid. A missing
 *   `apiKey` is reported by the first call.
 * @example
 * ```ts
 * const automation = createAutomation({
 *   baseUrl: 'https://chat.example',
 *   apiKey: process.env.INLAY_API_KEY,
 * });
 * const { latest_version } = await automation.workflows.get('shop', 'onboarding');
 * ```
 */
export function createAutomation(options: PlatformClientOptions) {
  return automationCalls(createCaller(readClientOptions(options)).call);
}

/** Methods for the automation service (docs/conformance.md, 1.3). */
export function automationCalls(call: Call) {
  return {
    actions: actionCalls(call),
    scripts: orchestrationCalls(call, 'scripts'),
    workflows: orchestrationCalls(call, 'workflows'),
  };
}
