import type { Services } from '../services.ts';
import { familyOf } from '../upstreams/families.ts';
import { BackgroundResponses } from './background-responses.ts';
import { ChatModelFiles } from './chat-model-files.ts';
import { Conversations } from './conversations.ts';
import { ResponseEvents } from './response-events.ts';
import { ResponseStore } from './response-store.ts';
import { VectorStoreWork } from './vector-stores/vector-store-work.ts';
import { Videos } from './videos.ts';

/**
 * The stores of the chat-model family (docs/conformance.md, 4.13), and its background work.
 */
export interface ChatModel {
  readonly conversations: Conversations;
  readonly files: ChatModelFiles;
  readonly responses: ResponseStore;
  readonly events: ResponseEvents;
  readonly background: BackgroundResponses;
  readonly videos: Videos;
  readonly vectorStoreWork: VectorStoreWork;
}

/** Creates the stores of the family, and starts its background work. */
export function createChatModel(services: Services): ChatModel {
  const family = familyOf(services.config.compatible, 'chat_model');
  const conversations = new Conversations(services);
  const files = new ChatModelFiles(services);
  const responses = new ResponseStore(services, conversations);
  const events = new ResponseEvents(services);
  const stores = { conversations, files, responses };
  return {
    ...stores,
    events,
    background: new BackgroundResponses(services, stores, events, family),
    videos: new Videos(services, family),
    vectorStoreWork: new VectorStoreWork(services, { files, family }),
  };
}
