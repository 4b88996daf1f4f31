import { ApiError, invalidField } from '../problems/api-error.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { ChatModelFiles } from './chat-model-files.ts';
import { type Item, typeOf } from './items.ts';
import type { ResponseStore } from './response-store.ts';

/**
 * Replaces references to items by the items, because the upstream stores no items.
 *
 * @throws ApiError `VALIDATION_ERROR` for an item that does not exist.
 */
export async function resolveReferences(
  { responses }: { readonly responses: ResponseStore },
  owner: string,
  items: readonly Item[],
): Promise<Item[]> {
  const isReference = (item: Item) => typeOf(item) === 'item_reference';
  const ids = items.filter(isReference).map(({ id }) => String(id));
  const found = await responses.itemsById(owner, ids);
  return items.map((item, index) => {
    if (!isReference(item)) return item;
    const referenced = found.get(String(item.id));
    if (!referenced) throw invalidField(`/input/${index}/id`, 'must be the id of a stored item');
    return referenced;
  });
}

/**
 * Whether an upstream that stores nothing can read an earlier item again. An output item of the type
 * `reasoning` without `encrypted_content` only refers to reasoning that the upstream would store.
 */
export function isReadable({ source, item }: { source: 'input' | 'output'; item: Item }): boolean {
  return source === 'input' || typeOf(item) !== 'reasoning' || Boolean(item.encrypted_content);
}

/**
 * Replaces file ids by data URLs with the contents, because the upstream does not have the files.
 *
 * @throws ApiError `VALIDATION_ERROR` for a file that does not exist, or if the files together exceed
 *   the size limit of a body.
 */
export async function inlineFiles(
  services: FileServices,
  { files }: { readonly files: ChatModelFiles },
  owner: string,
  items: readonly Item[],
): Promise<Item[]> {
  const load = createLoader(services, files, owner, 'input');
  const inline = async (part: unknown): Promise<unknown> => {
    if (!isPart(part)) return part;
    const { file_id: id, ...rest } = part;
    if (typeof id !== 'string') return part;
    if (part.type === 'input_image') return { ...rest, image_url: (await load(id)).url };
    if (part.type !== 'input_file') return part;
    const { row, url } = await load(id);
    return { filename: row.filename, ...rest, file_data: url };
  };
  const result: Item[] = [];
  for (const item of items) {
    const field = typeOf(item) === 'message' ? 'content' : 'output';
    const parts = item[field];
    if (!Array.isArray(parts)) {
      result.push(item);
      continue;
    }
    const inlined: unknown[] = [];
    // Reads the files one after the other, and so stops at the limit.
    for (const part of parts) inlined.push(await inline(part));
    result.push({ ...item, [field]: inlined });
  }
  return result;
}

/**
 * Replaces the file ids in the messages of a chat completion, like `inlineFiles`.
 *
 * @returns The same list if no message refers to a file.
 */
export async function inlineChatFiles<Message extends Readonly<Record<string, unknown>>>(
  services: FileServices,
  { files }: { readonly files: ChatModelFiles },
  owner: string,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  const load = createLoader(services, files, owner, 'messages');
  let hasFiles = false;
  const inline = async (part: unknown): Promise<unknown> => {
    if (!isPart(part) || part.type !== 'file' || !isPart(part.file)) return part;
    const { file_id: id, ...rest } = part.file;
    if (typeof id !== 'string') return part;
    hasFiles = true;
    const { row, url } = await load(id);
    return { ...part, file: { filename: row.filename, ...rest, file_data: url } };
  };
  const result: Message[] = [];
  for (const message of messages) {
    const { content } = message;
    if (!Array.isArray(content)) {
      result.push(message);
      continue;
    }
    const parts: unknown[] = [];
    for (const part of content) parts.push(await inline(part));
    result.push({ ...message, content: parts });
  }
  return hasFiles ? result : messages;
}

type FileServices = Pick<ServiceOptions, 'store' | 'config'>;

/**
 * Returns a function that reads a file as a data URL.
 *
 * @param param The member of the request that refers to the files, for errors.
 */
function createLoader(
  { store, config }: FileServices,
  files: ChatModelFiles,
  owner: string,
  param: string,
) {
  const maximum = config.limits.request.model_json_bytes;
  const invalid = (message: string) => new ApiError('VALIDATION_ERROR', message, { param });
  let bytes = 0;
  return async (id: string) => {
    const row = await files.find(owner, id).catch((error: unknown) => {
      throw error instanceof ApiError
        ? invalid(`There is no file \`${id.slice(0, 100)}\`.`)
        : error;
    });
    bytes += Number(row.size_bytes);
    if (bytes > maximum) {
      throw invalid(`The files of a request may have at most ${maximum} bytes together.`);
    }
    const content = Buffer.from((await store.blobs.get(id)) ?? []);
    return { row, url: `data:${row.mime_type};base64,${content.toString('base64')}` };
  };
}

function isPart(part: unknown): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null;
}
