import { type ServerOptions, startReferenceServer } from './server.ts';
import { type Responder, respondWithJson, startUpstream } from './upstream.ts';

/** The version segments of the compatible families. */
const versionSegments = {
  chat_model: '/v1',
  message_model: '/v1',
  generative_model: '/v1beta',
  sandbox: '',
  web_search: '',
} as const;
export type FamilyName = keyof typeof versionSegments;
export const familyNames = Object.keys(versionSegments) as FamilyName[];

export interface CompatibleOptions extends ServerOptions {
  /** How the upstream responds. By default, it responds with JSON. */
  readonly respond?: Responder;
}

/** Starts a server with one upstream for all compatible families. */
export async function startCompatibleServer({
  respond = respondWithJson({ of: 'the upstream' }),
  ...options
}: CompatibleOptions = {}) {
  const upstream = await startUpstream(respond);
  const compatible = Object.fromEntries(
    familyNames.map((name) => {
      const base_url = `${upstream.url}/vendor${versionSegments[name]}`;
      return [name, { upstream: { base_url, api_key_env: 'UPSTREAM_KEY' } }];
    }),
  );
  const server = await startReferenceServer({
    secrets: { UPSTREAM_KEY: 'sk-of-the-upstream' },
    ...options,
    config: { compatible, ...options.config },
  });
  return {
    ...server,
    /** The requests that the upstream received. */
    received: upstream.requests,
  };
}
