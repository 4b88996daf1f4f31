import * as z from 'zod';
import type { ModelEvent } from '../model.ts';

export type Citation = Extract<ModelEvent, { type: 'citation' }>;

/**
 * A citation of OpenAI's search models and of gateways with search. Only the URL is always present.
 */
const UrlCitation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    url: z.string(),
    title: z.string().nullish(),
    content: z.string().nullish(),
    end_index: z.int().min(0).nullish(),
  }),
});

/** Maximum annotations of a chunk that are read; an answer keeps at most 100 citations. */
const maximumAnnotations = 200;

/** Returns the citations in a chunk's annotations. Other annotations are ignored. */
export function citationsOf(annotations: unknown): Citation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.slice(0, maximumAnnotations).flatMap((annotation): Citation[] => {
    const result = UrlCitation.safeParse(annotation);
    if (!result.success) return [];
    const { url, title, content, end_index } = result.data.url_citation;
    return [
      {
        type: 'citation',
        title: title ?? hostOf(url),
        url,
        snippet: content ?? null,
        endIndex: end_index ?? null,
      },
    ];
  });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
