import type { MiddlewareHandler } from 'hono';
import { actionRoutes } from './automation/action-routes.ts';
import { orchestrationRoutes } from './automation/orchestration-routes.ts';
import { databaseRoutes } from './databases/database-routes.ts';
import type { AppEnv } from './http/env.ts';
import { requireAudience } from './http/mount-routes.ts';
import type { PlatformService } from './http/service.ts';
import { libraryRoutes } from './media/library-routes.ts';
import { createChatModel } from './openai-api/chat-model.ts';
import { chatModelRoutes } from './openai-api/chat-model-routes.ts';
import { vectorStoreSweep } from './openai-api/vector-stores/expire-vector-stores.ts';
import { notFound } from './problems/api-error.ts';
import { Registry } from './registries/registry.ts';
import type { NamedStep } from './retention/sweep-step.ts';
import type { Services } from './services.ts';
import { familyOf } from './upstreams/families.ts';
import { familyService } from './upstreams/family-services.ts';

// For the command that copies a store to PostgreSQL.
export { insertChunks } from './openai-api/vector-stores/text-index.ts';

/** The services of this module, with their background work. */
export interface OptionalServices {
  readonly table: readonly PlatformService[];
  readonly sweepSteps: readonly NamedStep[];
  /** Resolves when no background work is in progress in this process, or when `signal` is aborted. */
  settled(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the services that most installations of a chat never use, and starts their background work.
 * `app.ts` loads this module on first use, and no other module imports their folders.
 *
 * @param guards Middleware of a service with API keys and embed tokens.
 */
export function createOptionalServices(
  services: Services,
  guards: readonly MiddlewareHandler<AppEnv>[],
): OptionalServices {
  const chatModel = createChatModel(services);
  const family = familyOf(services.config.compatible, 'chat_model');
  const invalidCode = 'INVALID_PARAMS';
  return {
    table: [
      { prefix: '/database', guards, invalidCode, routes: databaseRoutes(services) },
      {
        prefix: '/automation',
        guards,
        invalidCode,
        routes: [
          ...actionRoutes(services),
          ...orchestrationRoutes(services, 'script'),
          ...orchestrationRoutes(services, 'workflow'),
        ],
      },
      { prefix: '/media', guards, invalidCode, routes: libraryRoutes(services) },
      {
        ...familyService(services, family, async (c) => {
          requireAudience(c, 'backend');
          throw notFound('There is no such path here.');
        }),
        routes: chatModelRoutes(services, chatModel, family),
      },
    ],
    sweepSteps: [
      ['databases', new Registry(services, 'database').deleteExpired],
      ['media libraries', new Registry(services, 'library').deleteExpired],
      ['chat-model conversations', chatModel.conversations.deleteOld],
      ['chat-model responses', chatModel.responses.deleteExpired],
      ['chat-model videos', chatModel.videos.deleteExpired],
      ['chat-model files', chatModel.files.deleteExpired],
      ['vector stores', vectorStoreSweep(services)],
    ],
    async settled(signal) {
      await Promise.all([
        chatModel.background.settled(signal),
        chatModel.vectorStoreWork.settled(signal),
      ]);
    },
    async close() {
      await chatModel.background.close();
      await chatModel.vectorStoreWork.close();
    },
  };
}
