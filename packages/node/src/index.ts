export type {
  AgentPatch,
  ListAgentsParams,
  NewAgent,
  PublishableKeySettings,
  RotateParams,
} from './lib/agent-calls.ts';
export * from './lib/external-user-id.ts';
export * from './lib/platform-client.ts';
export * from './lib/platform-error.ts';
export * from './lib/token-endpoint.ts';
