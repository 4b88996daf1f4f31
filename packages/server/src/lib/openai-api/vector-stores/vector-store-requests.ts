import { Metadata } from '@inlay/protocol';
import * as z from 'zod';
import { listQuery } from '../lists.ts';

const text = z.string('must be a string');
const wholeBetween = (minimum: number, maximum: number) => {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int(error).min(minimum, error).max(maximum, error);
};

/** Attributes of a file: at most 16, with keys of up to 64 and texts of up to 512 characters. */
const Attributes = z
  .record(
    z.string().max(64, 'must have a name of at most 64 characters'),
    z.union(
      [text.max(512, 'must have at most 512 characters'), z.number(), z.boolean()],
      'must be a string of at most 512 characters, a number, true or false',
    ),
  )
  .refine((value) => Object.keys(value).length <= 16, 'must have at most 16 keys');
export type Attributes = z.output<typeof Attributes>;

const defaultSizes = { max_chunk_size_tokens: 800, chunk_overlap_tokens: 400 };
const StaticSizes = z
  .strictObject({
    max_chunk_size_tokens: wholeBetween(100, 4096),
    chunk_overlap_tokens: wholeBetween(0, 2048),
  })
  .refine(({ max_chunk_size_tokens: size, chunk_overlap_tokens: overlap }) => overlap * 2 <= size, {
    error: 'must not be more than half of `max_chunk_size_tokens`',
    path: ['chunk_overlap_tokens'],
  });
const ChunkingStrategy = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('auto') }),
    z.strictObject({ type: z.literal('static'), static: StaticSizes }),
  ])
  .transform((strategy) => (strategy.type === 'auto' ? defaultSizes : strategy.static));

const fileId = text.min(1, 'must not be empty').max(256, 'must have at most 256 characters');
const fileIds = (maximum: number) =>
  z
    .array(fileId)
    .max(maximum, `must have at most ${maximum} files`)
    .refine((ids) => new Set(ids).size === ids.length, 'must have each file once');
const fileMembers = {
  attributes: Attributes.nullish().transform((value) => value ?? {}),
  chunking_strategy: ChunkingStrategy.nullish().transform((value) => value ?? defaultSizes),
};

const ExpiresAfter = z.strictObject({
  anchor: z.literal('last_active_at'),
  days: wholeBetween(1, 365),
});

export const CreateVectorStore = z.strictObject({
  name: text.max(256, 'must have at most 256 characters').nullish(),
  description: text.max(512, 'must have at most 512 characters').nullish(),
  file_ids: fileIds(500).nullish(),
  chunking_strategy: fileMembers.chunking_strategy,
  expires_after: ExpiresAfter.nullish(),
  metadata: z.nullish(Metadata),
});
export type CreateVectorStore = z.output<typeof CreateVectorStore>;

export const UpdateVectorStore = z.strictObject({
  name: text.max(256, 'must have at most 256 characters').nullish(),
  expires_after: ExpiresAfter.nullish(),
  metadata: z.nullish(Metadata),
});
export type UpdateVectorStore = z.output<typeof UpdateVectorStore>;

export const AddFile = z.strictObject({ file_id: fileId, ...fileMembers });
/** A file to be added to a vector store, with its attributes and the sizes of its chunks. */
export type AddFile = z.output<typeof AddFile>;

export const UpdateFile = z.strictObject({ attributes: z.nullable(Attributes) });

const maximumBatch = 2000;

export const CreateBatch = z
  .strictObject({
    file_ids: fileIds(maximumBatch).min(1, 'must have at least one file').optional(),
    files: z
      .array(AddFile)
      .min(1, 'must have at least one file')
      .max(maximumBatch, `must have at most ${maximumBatch} files`)
      .refine(
        (files) => new Set(files.map((file) => file.file_id)).size === files.length,
        'must have each file once',
      )
      .optional(),
    ...fileMembers,
  })
  .refine(({ file_ids: ids, files }) => (ids === undefined) !== (files === undefined), {
    error: 'must be given, or else `files`, but not both',
    path: ['file_ids'],
  })
  .transform(
    ({ file_ids: ids, files, ...members }): AddFile[] =>
      files ?? (ids ?? []).map((id) => ({ file_id: id, ...members })),
  );

const Comparison = z
  .strictObject({
    type: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']),
    key: text.min(1, 'must not be empty').max(64, 'must have at most 64 characters'),
    value: z.union(
      [text, z.number(), z.boolean(), z.array(z.union([text, z.number()])).max(1000)],
      'must be a string, a number, true, false, or a list of strings and numbers',
    ),
  })
  .refine(({ type, value }) => (type === 'in' || type === 'nin') === Array.isArray(value), {
    error: 'must be a list for `in` and `nin`, and no list for others',
    path: ['value'],
  });

/** A filter of the attributes of files. */
export type AttributeFilter =
  | z.output<typeof Comparison>
  | { type: 'and' | 'or'; filters: AttributeFilter[] };

const filterTypes = 'must be eq, ne, gt, gte, lt, lte, in, nin, and, or';

/** Filters nested in `depth` others. The depth is bounded, so that evaluating one is cheap. */
function filterOf(depth: number): z.ZodType<AttributeFilter> {
  if (depth === 0) return Comparison;
  return z.union(
    [
      Comparison,
      z.strictObject({
        type: z.enum(['and', 'or']),
        filters: z
          .array(z.lazy(() => filterOf(depth - 1)))
          .min(1)
          .max(100),
      }),
    ],
    `must be a filter: \`type\` ${filterTypes}; with at most 4 levels`,
  );
}

const query = text.min(1, 'must not be empty').max(4096, 'must have at most 4096 characters');

export const SearchRequest = z.strictObject({
  query: z
    .union(
      [query, z.array(query).min(1, 'must not be empty').max(16, 'must have at most 16 texts')],
      {
        error: 'must be a text of 1 to 4096 characters, or a list of up to 16 of them',
      },
    )
    .transform((value) => [value].flat()),
  filters: filterOf(4).nullish(),
  max_num_results: wholeBetween(1, 50).nullish(),
  ranking_options: z
    .strictObject({
      ranker: z.enum(['none', 'auto', 'default-2024-11-15']).optional(),
      score_threshold: z
        .number()
        .min(0, 'must be between 0 and 1')
        .max(1, 'must be between 0 and 1')
        .optional(),
    })
    .nullish(),
  /** Accepted as in the official API. The query is not rewritten. */
  rewrite_query: z.boolean().nullish(),
});
export type SearchRequest = z.output<typeof SearchRequest>;

/** `before` is the id of the first item of the next page. */
export const VectorStoreList = listQuery('desc').extend({
  before: z.string('must be given once').optional(),
});
export type VectorStoreList = z.output<typeof VectorStoreList>;

export const VectorStoreFileList = VectorStoreList.extend({
  filter: z
    .enum(
      ['in_progress', 'completed', 'failed', 'cancelled'],
      'must be in_progress, completed, failed or cancelled',
    )
    .optional(),
});
export type VectorStoreFileList = z.output<typeof VectorStoreFileList>;
