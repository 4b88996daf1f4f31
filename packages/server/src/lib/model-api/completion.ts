import type { ChatCompletionRequest } from '@inlay/protocol';
import type { Services } from '../services.ts';
import type { UsageMeter } from './completion-usage.ts';
import type { RouterReport } from './router-report.ts';

/** The context of one chat completion. */
export interface Completion {
  readonly request: ChatCompletionRequest;
  readonly services: Services;
  readonly report: RouterReport;
  readonly meter: UsageMeter;
  /** Whether the caller sent an upstream key (“bring your own key”). */
  readonly isByok: boolean;
  /** Counts the usage. Must be called after a response, even if the response was interrupted. */
  readonly settle: () => Promise<unknown>;
}
