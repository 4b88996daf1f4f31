import * as z from 'zod';
import type { ModelEvent } from '../model.ts';

export type Citation = Extract<ModelEvent, { type: 'citation' }>;

/** As OpenAI's search models send it, and gateways that search for others; all but the address varies. */
const UrlCitation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    url: z.string(),
    title: z.string().nullish(),
    content: z.string().nullish(),
    end_index: z.int().min(0).nullish(),
  }),
});

/** The sources that the annotations of a chunk name. What is not one is passed over. */
export function citationsOf(annotations: unknown): Citation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.flatMap((annotation): Citation[] => {
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
