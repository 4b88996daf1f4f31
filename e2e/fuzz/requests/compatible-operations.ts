import type { FamilyName } from '../../../packages/server/src/lib/config/compatible.ts';
import { parseConfig } from '../../../packages/server/src/lib/config/parse-config.ts';
import { openApiDocument } from '../../../packages/server/src/lib/meta/open-api.ts';
import type { ChatModel } from '../../../packages/server/src/lib/openai-api/chat-model.ts';
import { chatModelRoutes } from '../../../packages/server/src/lib/openai-api/chat-model-routes.ts';
import type { Services } from '../../../packages/server/src/lib/services.ts';
import { familyOf } from '../../../packages/server/src/lib/upstreams/families.ts';
import { dereference } from '../../../scripts/api/dereference.ts';
import { configuration } from '../platform.ts';
import { type ApiDocument, type Operation, operationsOf, type Schema } from './document.ts';

/** Operations of the compatible prefixes, which the API description does not have. */
export async function compatibleOperations(): Promise<Operation[]> {
  return [...(await chatModelOperations()), ...forwardedOperations];
}

/** The routes of the chat-model family. The services can be empty, because no handler is called. */
async function chatModelOperations(): Promise<Operation[]> {
  const config = parseConfig(configuration('http://upstream.example'), 'the fuzz run');
  const family = familyOf(config.compatible, 'chat_model');
  const routes = chatModelRoutes({ config } as Services, {} as ChatModel, family);
  const document = openApiDocument(routes, { baseUrl: 'http://127.0.0.1', version: '0' });
  const resolved = await dereference(document as unknown as ApiDocument);
  return operationsOf(resolved).map((operation) => ({
    ...operation,
    // Removes the pattern of a parameter that may contain slashes.
    path: operation.path.replace('{.+}', ''),
    family: 'chat_model',
  }));
}

const stringSchema: Schema = { type: 'string' };
const objectSchema = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
});
const messagesSchema: Schema = {
  type: 'array',
  items: objectSchema({ role: stringSchema, content: stringSchema }),
};

/** Some of the paths that the other families forward. */
const forwardedOperations: Operation[] = [
  forwardedOperation(
    'message_model',
    'POST',
    '/message-model/v1/messages',
    objectSchema({ model: stringSchema, messages: messagesSchema }),
  ),
  forwardedOperation('message_model', 'GET', '/message-model/v1/models'),
  forwardedOperation(
    'generative_model',
    'POST',
    '/generative-model/v1beta/models/m:generateContent',
    objectSchema({ contents: messagesSchema }),
  ),
  forwardedOperation('generative_model', 'GET', '/generative-model/v1/models/{model}'),
  forwardedOperation(
    'sandbox',
    'POST',
    '/sandbox-compat/sandboxes',
    objectSchema({ templateID: stringSchema }),
  ),
  forwardedOperation('sandbox', 'DELETE', '/sandbox-compat/sandboxes/{id}'),
  forwardedOperation(
    'web_search',
    'POST',
    '/web-search/search',
    objectSchema({ query: stringSchema }),
  ),
];

function forwardedOperation(
  family: FamilyName,
  method: string,
  path: string,
  schema?: Schema,
): Operation {
  const body = schema ? { type: 'application/json', schema } : null;
  return { family, method, path, credential: 'apiKey', parameters: [], body, responses: {} };
}
