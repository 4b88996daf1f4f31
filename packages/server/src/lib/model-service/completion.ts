import type { ChatCompletionRequest } from '@inlay/protocol';
import type { Services } from '../services.ts';
import type { UsageMeter } from './completion-usage.ts';
import type { RouterReport } from './router-report.ts';

/** One chat completion, from its checks to its end. */
export interface Completion {
  readonly request: ChatCompletionRequest;
  readonly services: Services;
  readonly report: RouterReport;
  readonly meter: UsageMeter;
  readonly isByok: boolean;
  /** Counts the usage; to be called once, also after a failure. */
  readonly settle: () => Promise<unknown>;
}
