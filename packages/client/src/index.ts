export type * from './lib/auth-state.ts';
export { createInlayClient } from './lib/client.ts';
export type * from './lib/client-options.ts';
export { forgetTexts } from './lib/conversation/kept-texts.ts';
export type * from './lib/conversation/state.ts';
export { diagnoseSetup } from './lib/diagnose/diagnose-setup.ts';
export type * from './lib/diagnose/report.ts';
export type * from './lib/diagnostics.ts';
export { AuthDenied, InlayError, type InlayErrorCode, isInlayError } from './lib/errors.ts';
export type * from './lib/inlay-client.ts';
export type { PageStore, PageStoreKind } from './lib/page-store.ts';
export type * from './lib/ports.ts';
export type { Connection } from './lib/stream/connection.ts';
export type * from './lib/stream/transport.ts';
export {
  type AnonymousVisitorOptions,
  anonymousVisitor,
  type VisitorStore,
  type VisitorStoreKind,
} from './lib/tokens/anonymous-visitor.ts';
export { fetchToken } from './lib/tokens/fetch-token.ts';
export { type GetToken, hostTokens } from './lib/tokens/host-tokens.ts';
export { type HostedPage, hostedCode } from './lib/tokens/hosted-code.ts';
export type * from './lib/tokens/token-facts.ts';
export type * from './lib/tokens/token-source.ts';
