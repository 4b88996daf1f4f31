import type { CompatiblePrefixes, CompatibleUpstream, FamilyName } from '../config/compatible.ts';
import {
  chatModelError,
  type ErrorBody,
  generativeModelError,
  messageModelError,
  sandboxError,
  webSearchError,
} from './error-bodies.ts';

/** The properties of a family that its official clients require. */
interface FamilyDefinition {
  /**
   * Version segment after the prefix (docs/conformance.md, 9.1); empty for a family without
   * versions.
   */
  readonly version: '/v1' | '/v1beta' | '';
  /** Further versions that its official clients use. */
  readonly otherVersions?: readonly string[];
  /** Whether paths may have `/upload` before the version. */
  readonly hasUploads?: boolean;
  /** Header with the API key, in requests of the official client and in requests to the upstream. */
  readonly keyHeader: 'authorization' | 'x-api-key' | 'x-goog-api-key';
  readonly errorBody: ErrorBody;
  /** Response header that has the request id for the official client, besides `x-request-id`. */
  readonly requestIdHeader?: string;
  /** Query parameters that may contain a credential in the official API. They are not forwarded. */
  readonly keyParameters?: readonly string[];
}

/** A family of compatible APIs, as configured (docs/conformance.md, 1.2 and 5.3). */
export interface Family extends FamilyDefinition {
  readonly name: FamilyName;
  /** First segment of its paths, such as `/chat-model`. */
  readonly prefix: string;
  readonly upstream: CompatibleUpstream | null;
}

const definitions: Readonly<Record<FamilyName, FamilyDefinition>> = {
  chat_model: { version: '/v1', keyHeader: 'authorization', errorBody: chatModelError },
  message_model: {
    version: '/v1',
    keyHeader: 'x-api-key',
    errorBody: messageModelError,
    requestIdHeader: 'request-id',
  },
  generative_model: {
    version: '/v1beta',
    // The default of the official client for JavaScript since its version 3.
    otherVersions: ['/v1'],
    hasUploads: true,
    keyHeader: 'x-goog-api-key',
    errorBody: generativeModelError,
    keyParameters: ['key', 'access_token'],
  },
  sandbox: { version: '', keyHeader: 'x-api-key', errorBody: sandboxError },
  web_search: { version: '', keyHeader: 'authorization', errorBody: webSearchError },
};

/** Returns a family with its configured prefix and upstream. */
export function familyOf(compatible: CompatiblePrefixes, name: FamilyName): Family {
  return { name, ...definitions[name], ...compatible[name] };
}

/** Returns an example of the header with the API key, for error messages. */
export function credentialExample(family: Family | undefined): string {
  const header = family?.keyHeader ?? 'authorization';
  return header === 'authorization' ? 'Authorization: Bearer <key>' : `${header}: <key>`;
}
