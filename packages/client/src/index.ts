export { createInlayClient } from './lib/client.ts';
export { forgetDrafts } from './lib/conversation/drafts.ts';
export type * from './lib/conversation/state.ts';
export { diagnoseSetup } from './lib/diagnose/diagnose-setup.ts';
export type * from './lib/diagnose/report.ts';
export type * from './lib/diagnostics.ts';
export { AuthDeniedError, InlayError, type InlayErrorCode, isInlayError } from './lib/errors.ts';
export type * from './lib/inlay-client.ts';
export type { PageStore, PageStoreKind } from './lib/page-store.ts';
export type * from './lib/ports.ts';
export type * from './lib/stream/transport.ts';
export type * from './lib/tokens/auth-state.ts';
export {
  type AnonymousVisitorOptions,
  anonymousVisitor,
  type VisitorLocation,
  type VisitorStore,
  type VisitorStoreKind,
} from './lib/tokens/sources/anonymous.ts';
export type { GetChallenge, VisitorChallenge } from './lib/tokens/sources/answer-challenge.ts';
export { fetchToken } from './lib/tokens/sources/fetch-token.ts';
export { type GetToken, hostTokens } from './lib/tokens/sources/host.ts';
export { type HostedPage, hostedCode } from './lib/tokens/sources/hosted-code.ts';
export type * from './lib/tokens/token-source.ts';
