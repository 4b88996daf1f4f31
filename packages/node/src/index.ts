export type {
  AgentPatch,
  ListAgentsParams,
  NewAgent,
  PublishableKeySettings,
  RotateParams,
} from './lib/agent-calls.ts';
export { type AutomationClient, createAutomation } from './lib/automation-client.ts';
export type {
  ConditionalOptions,
  IdempotentOptions,
  ListAutomationParams,
  PagedList,
  PublishOptions,
  RequestOptions,
} from './lib/automation-options.ts';
export type { PlatformClientOptions } from './lib/client-options.ts';
export type { ListAuditEventsParams, ListEndUsersParams } from './lib/end-user-calls.ts';
export * from './lib/express-token-endpoint.ts';
export * from './lib/external-user-id.ts';
export type { CompletionOptions } from './lib/model-calls.ts';
export type { PageParams } from './lib/page-query.ts';
export * from './lib/platform-client.ts';
export * from './lib/platform-error.ts';
export type {
  AssetSettings,
  EventLogParams,
  FieldSettings,
  FollowOptions,
  RegistrySettings,
  TableSettings,
} from './lib/registry-calls.ts';
export type {
  ExportParams,
  ListFeedbackParams,
  ListSessionsParams,
  SessionEventsParams,
  StreamOptions,
  TerminateParams,
} from './lib/session-calls.ts';
export * from './lib/token-endpoint.ts';
export * from './lib/verify-webhook.ts';
export type {
  ListDeliveriesParams,
  WebhookEndpointSettings,
  WebhookPeriod,
} from './lib/webhook-calls.ts';
