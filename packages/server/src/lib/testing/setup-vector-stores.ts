import OpenAI, { toFile } from 'openai';
import { type Replay, setupGateway } from './setup-gateway.ts';
import { testApiKey } from './setup-server.ts';

export type VectorStoreOptions = Parameters<typeof setupGateway>[1];

/** A gateway, and the official client with its address. */
export async function setupVectorStores(replay?: Replay, options: VectorStoreOptions = {}) {
  const limits = {
    ...options.config?.limits,
    api_key: { requests_per_second: 100_000, concurrent: 50 },
  };
  const gateway = await setupGateway(replay, {
    ...options,
    config: { ...options.config, limits },
  });
  const client = new OpenAI({
    baseURL: `${gateway.url}/chat-model/v1`,
    apiKey: testApiKey,
    maxRetries: 0,
  });
  const upload = async (text: string | Buffer, name = 'a.txt') =>
    (
      await client.files.create({
        file: await toFile(Buffer.from(text), name),
        purpose: 'assistants',
      })
    ).id;
  const fast = { pollIntervalMs: 10 };
  return {
    ...gateway,
    client,
    stores: client.vectorStores,
    upload,
    fast,
    /** Creates a vector store with one indexed file for each text. */
    async storeWith(...texts: string[]) {
      const { id } = await client.vectorStores.create({ name: 'Docs' });
      const files = [];
      for (const [index, text] of texts.entries()) {
        const file_id = await upload(text, `${index}.txt`);
        const attributes = { index, topic: index % 2 === 0 ? 'even' : 'odd' };
        files.push(
          await client.vectorStores.files.createAndPoll(id, { file_id, attributes }, fast),
        );
      }
      return { id, files };
    },
  };
}

/** Resolves with the error of a call; null if it succeeds. */
export const errorOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  );
/** Reads all pages of a list. */
export const collect = async <Value>(list: AsyncIterable<Value>) => {
  const values: Value[] = [];
  for await (const value of list) values.push(value);
  return values;
};
/** Returns the texts of search results. */
export const textsOf = (page: { data: { content: { text: string }[] }[] }) =>
  page.data.map(({ content }) => content[0]?.text);

/** A model of the catalogue that embeds texts. */
export const modelAt = (base_url: string) => ({
  id: 'acme/embed',
  supported_apis: ['embeddings' as const],
  providers: [
    {
      provider: 'openai-compatible' as const,
      name: 'p0',
      base_url,
      model: 'embed-1',
      api_key_env: 'UPSTREAM_KEY',
    },
  ],
});
