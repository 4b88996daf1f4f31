export type {
  AgentPatch,
  ListAgentsOptions,
  NewAgent,
  PublishableKeySettings,
} from './lib/agent-calls.ts';
export * from './lib/external-user-id.ts';
export * from './lib/platform-client.ts';
export * from './lib/platform-error.ts';
export * from './lib/token-endpoint.ts';
