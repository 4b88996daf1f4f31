export type * from './lib/auth-state.ts';
export type * from './lib/conversation/state.ts';
export * from './lib/errors.ts';
