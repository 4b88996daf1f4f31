/** `packages/elements/types`: the tags of a page for the type checkers of JSX, Vue and Svelte. */
import { doors } from './analyze.mjs';

const written = '// Written by `npm run manifest` from the elements. Change those.\n';

/**
 * @param {object} manifest
 * @returns {Record<string, string>} Text by file name.
 */
export function tagTypes(manifest) {
  const elements = doors.map((tag) =>
    manifest.modules
      .map(({ declarations }) => declarations[0])
      .find((each) => each.tagName === tag),
  );
  const names = elements.map(({ name }) => name);
  const rows = (row) => elements.map(row).join('\n');
  return {
    'tags.d.ts': `${written}
import type { InlayEventMap, ${names.join(', ')} } from '@inlay/elements';

/** Event handlers by the name of the event, after a prefix. */
export type Handlers<Prefix extends string, Names extends keyof InlayEventMap> = {
  [Name in Names as \`\${Prefix}\${Name}\`]?: ((event: InlayEventMap[Name]) => void) | undefined;
};
${rows(interfacesOf)}`,
    'jsx.d.ts': `${written}
/** \`<inlay-chat>\` in the TSX of React 19: \`import type {} from '@inlay/elements/jsx'\`. */
import type { ${names.join(', ')} } from '@inlay/elements';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { Handlers, ${imports(names)} } from './tags.js';

type Tag<Element extends HTMLElement, Options> = Options &
  Omit<DetailedHTMLProps<HTMLAttributes<Element>, Element>, keyof Options>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${rows(({ tagName, name }) => `      '${tagName}': Tag<${name}, ${name}Options & Handlers<'on', ${name}Events>>;`)}
    }
  }
}
`,
    'svelte.d.ts': `${written}
/** \`<inlay-chat>\` in Svelte: \`import type {} from '@inlay/elements/svelte'\`. */
import type { ${names.join(', ')} } from '@inlay/elements';
import type { HTMLAttributes } from 'svelte/elements';
import type { Handlers, ${imports(names)} } from './tags.js';

type Tag<Element extends HTMLElement, Options> = Options &
  Omit<HTMLAttributes<Element>, keyof Options>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${rows(({ tagName, name }) => `    '${tagName}': Tag<${name}, ${name}Options & Handlers<'on' | 'on:', ${name}Events>>;`)}
  }
}
`,
    'vue.d.ts': `${written}
/** \`<inlay-chat>\` in the templates of Vue: \`import type {} from '@inlay/elements/vue'\`. */
import type { InlayEventMap } from '@inlay/elements';
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { ${imports(names)} } from './tags.js';

type Tag<Options, Events extends keyof InlayEventMap> = new () => {
  $props: Options & Omit<HTMLAttributes, keyof Options> & PublicProps;
  $emit: EmitFn<{ [Name in Events]: (event: InlayEventMap[Name]) => void }>;
};

declare module 'vue' {
  interface GlobalComponents {
${rows(({ tagName, name }) => `    '${tagName}': Tag<${name}Options, ${name}Events>;`)}
  }
}
`,
  };
}

const imports = (names) => names.flatMap((name) => [`${name}Events`, `${name}Options`]).join(', ');

function interfacesOf({ name, tagName, members, attributes, events }) {
  const isOption = ({ kind, readonly }) => kind === 'field' && !readonly;
  const own = members.filter(isOption).map((each) => each.name);
  const spelled = attributes.filter((each) => !own.includes(each.name));
  const row = (key, field) => `  ${key}?: ${name}['${field}'] | undefined;`;
  return `
/** Properties and attributes of \`<${tagName}>\`. */
export interface ${name}Options {
${own.map((field) => row(field, field)).join('\n')}
${spelled.map((each) => row(`'${each.name}'`, each.fieldName)).join('\n')}
}

export type ${name}Events =
${events.map((event) => `  | '${event.name}'`).join('\n')};
`;
}
