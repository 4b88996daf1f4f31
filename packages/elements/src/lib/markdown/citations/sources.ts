import { html, nothing, type TemplateResult } from 'lit';
import { format, plural } from '../../i18n/format.ts';
import type { Strings } from '../../i18n/strings.ts';
import { externalLink, webAddress, withoutHidden } from '../../untrusted-text.ts';

/** A citation of a source in an agent message. */
export interface Citation {
  readonly title: string;
  /** URL of the source. Only `https` and `http` are rendered as links. */
  readonly url: string | null;
  /** Quoted text of the source. */
  readonly snippet: string | null;
  /** Position of its mark in the text, in UTF-16 code units; null for no mark. */
  readonly endIndex: number | null;
}

/** A source, shared by all citations of the same page. */
export interface Source {
  /** From 1, in the order of the citations. */
  readonly number: number;
  readonly title: string;
  readonly href: string | undefined;
  readonly host: string | undefined;
  readonly snippet: string | null;
}

/** Returns the distinct sources of citations, and the source of each citation. */
export function sourcesOf(citations: readonly Citation[]): {
  readonly list: readonly Source[];
  readonly byCitation: ReadonlyMap<Citation, Source>;
} {
  const byKey = new Map<string, Source>();
  const byCitation = new Map<Citation, Source>();
  for (const citation of citations) {
    const { title, url, snippet } = citation;
    const address = url === null ? undefined : webAddress(url);
    const key = address?.href ?? `\n${title}`;
    const source = byKey.get(key) ?? {
      number: byKey.size + 1,
      title: withoutHidden(title).trim() || address?.host || String(byKey.size + 1),
      href: address?.href,
      host: address?.host,
      snippet: snippet && withoutHidden(snippet),
    };
    byKey.set(key, source);
    byCitation.set(citation, source);
  }
  return { list: [...byKey.values()], byCitation };
}

/** Maximum number of sources in a list that is not collapsed. */
const maxShown = 3;

/** Renders the list of sources below an agent message. */
export function renderSources(sources: readonly Source[], strings: Strings) {
  if (sources.length === 0) return nothing;
  const title = plural(strings, strings.sources, sources.length);
  const list = html`<ol>
    ${sources.map((source) => html`<li value=${source.number}>${renderSource(source)}</li>`)}
  </ol>`;
  return html`<section class="sources" part="sources" aria-label=${title}>
    ${
      sources.length > maxShown
        ? html`<details><summary>${title}</summary>${list}</details>`
        : html`<p class="sources-title">${title}</p>${list}`
    }
  </section>`;
}

/** Renders the title of a source, as a link if the source has a URL, and the host of the URL. */
export function renderSource({ title, href, host }: Source): TemplateResult {
  const name = href
    ? html`<a
        part="link"
        href=${href}
        target=${externalLink.target}
        rel=${externalLink.rel}
        referrerpolicy=${externalLink.referrerpolicy}
        aria-describedby=${externalLink['aria-describedby']}
        >${title}</a
      >`
    : html`<span class="source-title">${title}</span>`;
  return html`${name}${host ? html`<span class="host">${host}</span>` : nothing}`;
}

/** Accessible name of a citation mark. */
export function citationName({ number, title }: Source, strings: Strings): string {
  return format(strings.source, { number, title });
}
