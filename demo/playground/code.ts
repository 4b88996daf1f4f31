/** Generates the code for each framework, with only the options that differ from their defaults. */
import { agentConfigOf } from './agent-settings.ts';
import { attributeText, cssText, indent, jsxAttribute, literal, templateText } from './escape.ts';
import { examples } from './examples.ts';
import { type Option, optionsOf } from './options.ts';
import type { State } from './state.ts';

export interface CodeFile {
  readonly name: string;
  readonly code: string;
}

/** Code of an integration, and a note about its use. */
export interface Code {
  readonly files: readonly CodeFile[];
  readonly note: string;
}

export const integrationNames: Readonly<Record<string, string>> = {
  html: 'HTML',
  script: 'Script tag',
  react: 'React',
  vue: 'Vue',
  angular: 'Angular',
  svelte: 'Svelte',
  headless: 'Headless',
  hosted: 'Hosted link',
};

interface Parts {
  readonly tag: string;
  /** `InlayChat` or `InlayLauncher`. */
  readonly component: string;
  /** Options with an attribute, and their values. */
  readonly attributes: readonly (readonly [Option, string])[];
  /** Options without an attribute. */
  readonly objects: readonly (readonly [Option, string])[];
  readonly styles: readonly (readonly [Option, string])[];
}

/** Returns the code for the integration of a state. */
export function codeOf(state: State): Code {
  const generate = generators[state.integration] ?? html;
  const { files, note } = generate(partsOf(state), state);
  const config = agentConfigOf(state.agent);
  if (Object.keys(config).length === 0) return { files, note };
  const agent = `agents: [\n  {\n    // …\n${indent(membersOf(config), 4)}\n  },\n],`;
  return { files: [...files, { name: 'inlay.config.ts of the platform', code: agent }], note };
}

function partsOf({ tag, options }: State): Parts {
  const set: (readonly [Option, string])[] = [];
  for (const option of optionsOf(tag)) {
    const value = options[option.name] ?? requiredValue(option, options);
    const isDefault = value === option.fallback || (isSwitch(option) && value === 'off');
    if (value !== undefined && value !== '' && !isDefault) set.push([option, value]);
  }
  return {
    tag,
    component: tag === 'inlay-chat' ? 'InlayChat' : 'InlayLauncher',
    attributes: set.filter(([{ attribute }]) => attribute !== null),
    objects: set.filter(([{ control }]) => control.kind === 'example'),
    styles: set.filter(([{ control }]) => control.kind === 'css'),
  };
}

/** Returns the value of an unset option that every chat needs; undefined for other options. */
function requiredValue({ property }: Option, options: State['options']): string | undefined {
  if (options.client) return undefined;
  if (property === 'baseUrl') return 'https://chat.example';
  const hasAccess = options['publishable-key'] || options.getToken;
  return property === 'tokenUrl' && !hasAccess ? '/api/chat-token' : undefined;
}

const isSwitch = ({ control }: Option) => control.kind === 'switch';

function htmlAttributes({ attributes }: Parts, prefix = ''): string[] {
  return attributes.map(([option, value]) => {
    const name = `${prefix}${option.attribute}`;
    return isSwitch(option) ? name : `${name}="${attributeText(value)}"`;
  });
}

/** Generates a tag with its attributes, in one line if they fit. */
function element(tag: string, attributes: readonly string[], close: string): string {
  const line = `<${[tag, ...attributes].join(' ')}${close}`;
  if (line.length <= 76) return line;
  return `<${tag}\n${attributes.map((each) => `  ${each}`).join('\n')}\n${close.trim()}`;
}

function rule({ tag, styles }: Parts, selector = tag, isGlobal = false): string {
  const size = tag === 'inlay-chat' && !isGlobal ? ['display: block;', 'height: 36rem;'] : [];
  const lines = [...size, ...styles.map(([{ name }, value]) => `${name}: ${cssText(value)};`)];
  return lines.length > 0 ? `${selector} {\n${indent(lines.join('\n'), 2)}\n}` : '';
}

const objectMembers = ({ objects }: Parts) =>
  objects.map(([{ property }]) => `${property}: ${examples[property]?.source},`).join('\n');

const clientImports = ({ objects }: Parts) =>
  objects.some(([{ property }]) => property === 'client')
    ? ["import { createInlayClient, fetchToken, hostTokens } from '@inlay/client';"]
    : [];

/** Imports the elements, with the function that allows the origin of `base-url`. */
const defineLines = (parts: Parts) =>
  attributeValue(parts, 'baseUrl') === undefined
    ? ["import '@inlay/elements/define';"]
    : ["import { allowOrigins } from '@inlay/elements/define';"];

/** Allows the attribute `base-url` to name a platform of another origin. */
function allowLines(parts: Parts): string[] {
  const base = attributeValue(parts, 'baseUrl');
  return base === undefined ? [] : ['', `allowOrigins(${literal(base)});`];
}

function html(parts: Parts): Code {
  const { tag, objects } = parts;
  const script = [
    ...defineLines(parts),
    ...clientImports(parts),
    ...allowLines(parts),
    ...(objects.length > 0
      ? [
          '',
          `document.querySelector('${tag}').configure({\n${indent(objectMembers(parts), 2)}\n});`,
        ]
      : []),
  ].join('\n');
  const styles = rule(parts);
  return {
    files: [
      { name: 'index.html', code: element(tag, htmlAttributes(parts), `></${tag}>`) },
      { name: 'main.js', code: script },
      ...(styles ? [{ name: 'style.css', code: styles }] : []),
    ],
    note: 'For a page with a bundler and the packages from npm.',
  };
}

function script(parts: Parts): Code {
  if (parts.tag === 'inlay-chat') {
    return {
      files: [],
      note: 'The script tag shows a launcher. Select “Launcher”, or use another tab for a chat in the page.',
    };
  }
  const base = attributeValue(parts, 'baseUrl') ?? '';
  const own = parts.attributes.filter(([{ property }]) => property !== 'baseUrl');
  const source = `src="${attributeText(`${base.replace(/\/+$/, '')}/inlay.js`)}"`;
  const attributes = htmlAttributes({ ...parts, attributes: own }, 'data-');
  const configure = `<script>
  addEventListener('inlay-load', async () => {
    const launcher = await inlay.launcher();
    launcher.configure({
${indent(objectMembers(parts), 6)}
    });
  });
</script>\n`;
  const styles = rule(parts, ':is(inlay-launcher, inlay-bubble)');
  const hasClient = clientImports(parts).length > 0;
  return {
    files: [
      {
        name: 'index.html',
        code:
          (parts.objects.length > 0 ? configure : '') +
          element('script async', [source, ...attributes], '></script>'),
      },
      ...(styles ? [{ name: 'style.css', code: styles }] : []),
    ],
    note: hasClient
      ? 'A client of your own needs the packages from npm: use the tab “HTML”.'
      : 'For any page, without a bundler. The chat is loaded when it is opened.',
  };
}

function react(parts: Parts): Code {
  const { component, attributes, objects } = parts;
  const props = [
    ...attributes.map(([option, value]) => {
      if (isSwitch(option)) return option.property;
      if (option.control.kind === 'number') return `${option.property}={${Number(value)}}`;
      return jsxAttribute(option.property, value);
    }),
    ...objects.map(([{ property }]) => `${property}={${property}}`),
  ];
  const styles = rule(parts);
  const code = [
    ...clientImports(parts),
    `import { ${component} } from '@inlay/react';`,
    ...(styles ? ["import './chat.css';"] : []),
    '',
    ...constants(parts),
    'export function Chat() {',
    indent(`return (\n${indent(element(component, props, ' />'), 2)}\n);`, 2),
    '}',
  ];
  return {
    files: [
      { name: 'chat.tsx', code: code.join('\n') },
      ...(styles ? [{ name: 'chat.css', code: styles }] : []),
    ],
    note: '',
  };
}

/** Declares the objects as constants outside the component, so that renders do not create new ones. */
function constants({ objects }: Parts): string[] {
  return objects.flatMap(([{ property }]) => [
    `const ${property} = ${examples[property]?.source};`,
    '',
  ]);
}

function vue(parts: Parts): Code {
  const attributes = [
    ...parts.attributes.map(([option, value]) => {
      // Vue converts the name of an attribute to camel case, and sets the property of that name. If the
      // option has another property, that property is bound.
      const isBound = option.attribute !== kebab(option.property) || isSwitch(option);
      if (isBound) return `:${kebab(option.property)}="${isSwitch(option) ? 'true' : value}"`;
      if (option.control.kind === 'number') return `:${option.attribute}="${Number(value)}"`;
      return `${option.attribute}="${attributeText(value)}"`;
    }),
    ...parts.objects.map(([{ property }]) => `:${kebab(property)}="${property}"`),
  ];
  const styles = rule(parts);
  const code = `<script setup lang="ts">
${["import type {} from '@inlay/elements/vue';", ...defineLines(parts), ...clientImports(parts), ...allowLines(parts)].join('\n')}
${constants(parts).length > 0 ? `\n${constants(parts).join('\n').trim()}\n` : ''}</script>

<template>
${indent(element(parts.tag, attributes, ' />'), 2)}
</template>${styles && `\n\n<style>\n${styles}\n</style>`}`;
  return {
    files: [{ name: 'Chat.vue', code }],
    note: 'Tell Vue that the tag is a custom element: isCustomElement in vite.config.ts.',
  };
}

function angular(parts: Parts): Code {
  const attributes = [
    ...parts.attributes.map(([option, value]) => {
      if (isSwitch(option)) return `[${option.property}]="true"`;
      if (option.control.kind === 'number') return `[${option.property}]="${Number(value)}"`;
      // The name of the property, so that Angular sets it: an attribute can't name another origin.
      return `${option.property}="${attributeText(value, true)}"`;
    }),
    ...parts.objects.map(([{ property }]) => `[${property}]="${property}"`),
  ];
  const styles = rule(parts);
  const members = parts.objects.map(
    ([{ property }]) =>
      `  protected readonly ${property} = ${indent(examples[property]?.source ?? '', 2).trim()};`,
  );
  const code = `${clientImports(parts)
    .map((line) => `${line}\n`)
    .join('')}import { Component } from '@angular/core';
import { ${parts.component} } from '@inlay/elements/angular';

@Component({
  selector: 'app-chat',
  imports: [${parts.component}],
  template: \`
${indent(templateText(element(parts.tag, attributes, ' />')), 4)}
  \`,${styles && `\n  styles: \`\n${indent(templateText(styles), 4)}\n  \`,`}
})
export class Chat {${members.length > 0 ? `\n${members.join('\n')}\n` : ''}}`;
  return { files: [{ name: 'chat.ts', code }], note: '' };
}

function svelte(parts: Parts): Code {
  const attributes = [
    ...parts.attributes.map(([option, value]) =>
      isSwitch(option)
        ? (option.attribute ?? '')
        : option.control.kind === 'number'
          ? `${option.attribute}={${Number(value)}}`
          : `${option.attribute}="${attributeText(value, true)}"`,
    ),
    ...(parts.objects.length > 0
      ? [
          `{@attach (element) => element.configure({ ${parts.objects.map(([{ property }]) => property).join(', ')} })}`,
        ]
      : []),
  ];
  const styles = rule(parts);
  const code = `<script>
${indent([...defineLines(parts), ...clientImports(parts), ...allowLines(parts)].join('\n'), 2)}
${parts.objects.length > 0 ? `\n${indent(constants(parts).join('\n').trim(), 2)}\n` : ''}</script>

${element(parts.tag, attributes, `></${parts.tag}>`)}${styles && `\n\n<style>\n${indent(styles, 2)}\n</style>`}`;
  return { files: [{ name: 'Chat.svelte', code }], note: '' };
}

/** Returns the value of an option with an attribute; undefined if it has its default. */
function attributeValue({ attributes }: Parts, property: string): string | undefined {
  return attributes.find(([option]) => option.property === property)?.[1];
}

function headless(parts: Parts): Code {
  const publishableKey = attributeValue(parts, 'publishableKey');
  const tokenUrl = literal(attributeValue(parts, 'tokenUrl') ?? '/api/chat-token');
  const [source, tokens] = publishableKey
    ? ['anonymousVisitor', `anonymousVisitor({ publishableKey: ${literal(publishableKey)} })`]
    : ['fetchToken, hostTokens', `hostTokens(fetchToken(${tokenUrl}))`];
  const code = `import { createInlayClient, ${source} } from '@inlay/client';

const client = createInlayClient({
  baseUrl: ${literal(attributeValue(parts, 'baseUrl') ?? 'https://chat.example')},
  tokens: ${tokens},
});
const conversation = client.conversation();

conversation.subscribe(() => {
  render(conversation.state.entries);
});

export function send(text) {
  return conversation.send(text);
}`;
  return {
    files: [{ name: 'chat.js', code }],
    note: 'For an interface of your own: `render` is yours. The options of the elements do not apply.',
  };
}

function hosted(parts: Parts): Code {
  const base = attributeValue(parts, 'baseUrl');
  const code = `import { createPlatformClient } from '@inlay/node';

const platform = createPlatformClient({
  baseUrl: ${literal(base ?? 'https://chat.example')},
  apiKey: process.env.INLAY_API_KEY,
});

export async function GET(request: Request) {
  const user = await yourSession(request);
  if (!user) return new Response('Sign in first.', { status: 401 });
  const { hosted_url = '/' } = await platform.embedTokens.issue({
    agent: 'helper',
    external_user_id: user.id,
    hosted: true,
  });
  return new Response(null, {
    status: 303,
    headers: {
      location: hosted_url,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  });
}`;
  return {
    files: [{ name: 'A route of your backend', code }],
    note: 'A page of the platform. It shows the settings of the agent; the options of the element belong to your own page.',
  };
}

const generators: Readonly<Record<string, (parts: Parts, state: State) => Code>> = {
  html,
  script,
  react,
  vue,
  angular,
  svelte,
  headless,
  hosted,
};

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Generates the members of an object literal, one per line. */
function membersOf(value: Record<string, unknown>): string {
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)},`)
    .join('\n');
}
