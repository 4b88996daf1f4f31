import type { ClientOptions } from 'openai';

/**
 * Options of the `openai` library for an endpoint. The query of the base URL is sent with each request:
 * Azure's has the version of the API, and its keys belong into a header of their own.
 */
export function endpointOptions(baseUrl: string, apiKey: string): ClientOptions {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  url.search = '';
  url.hash = '';
  const isAzure = Object.hasOwn(query, 'api-version');
  return {
    baseURL: url.href,
    apiKey: apiKey || 'none',
    defaultQuery: query,
    ...(isAzure && { defaultHeaders: { 'api-key': apiKey || null, authorization: null } }),
  };
}
