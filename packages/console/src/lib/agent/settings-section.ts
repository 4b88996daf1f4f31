import type { AgentResource, StarterPrompt } from '@inlay/protocol';
import { html } from 'lit';
import { type Field, type FieldGroup, linesOf, valueAt } from './fields.ts';
import { Section } from './section.ts';

type Convert = NonNullable<Field['convert']>;

/** One suggestion a line: `Label => prompt`, or only the label. */
const starterPrompts: Convert = {
  format: (value) =>
    (value as readonly StarterPrompt[])
      .map(({ label, prompt = label }) => (prompt === label ? label : `${label} => ${prompt}`))
      .join('\n'),
  parse: (text) =>
    linesOf(text).map((line) => {
      const [label = '', ...rest] = line.split('=>');
      const prompt = rest.join('=>').trim();
      return { label: label.trim(), ...(rest.length > 0 && { prompt }) };
    }),
};

const consentText: Convert = {
  format: (value) => (value as { readonly text: string }).text,
  parse: (text) => ({ text }),
};

const features: readonly (readonly [string, string])[] = [
  ['attachments', 'Attach files'],
  ['feedback', 'Rate answers'],
  ['threads', 'List of conversations'],
  ['edit', 'Edit a sent message'],
  ['export', 'Save a conversation'],
  ['delete', 'Delete a conversation'],
  ['forget_me', 'Delete all their data'],
];

export const identityFields: readonly Field[] = [
  { pointer: '/name', label: 'Name', type: 'text', isRequired: true, hint: 'Users see it.' },
  {
    pointer: '/description',
    label: 'Description',
    type: 'text',
    isNullable: true,
    hint: 'A line below the name.',
  },
];

export const instructionsField: Field = {
  pointer: '/instructions',
  label: 'Instructions',
  type: 'textarea',
  hint: 'The system prompt.',
};

export const modelField: Field = {
  pointer: '/model',
  label: 'Model',
  type: 'json',
  isRequired: true,
  hint: 'JSON, as in the configuration file. It names the environment variable of the API key, never the key.',
};

const keepVersion: Field = {
  pointer: '/keep_version',
  label: 'Change the latest version',
  type: 'checkbox',
  hint: 'Creates no version: conversations that have the latest one get the changes as well.',
};

/** Earlier versions of the platform do not have it. */
const retention: FieldGroup = {
  title: 'Retention',
  fields: [
    {
      pointer: '/retention/sessions_days',
      label: 'Days',
      type: 'number',
      isNullable: true,
      hint: 'From the last message of a conversation to its deletion. Empty for the time of the platform.',
    },
  ],
};

const colorScheme = '/appearance/theme/color_scheme';
const colorSchemes = { light: 'Light', dark: 'Dark', auto: 'As the device' };

const groupsOf = (agent: AgentResource, isReadOnly: boolean): readonly FieldGroup[] => [
  { title: 'Agent', fields: identityFields },
  {
    title: 'Version',
    hint: 'Changes here create a version. New conversations get it; others keep theirs.',
    fields: [
      instructionsField,
      modelField,
      {
        pointer: '/tools',
        label: 'Tools',
        type: 'json',
        hint: 'JSON. Tools of the type “function” have to be in the configuration file.',
      },
      {
        pointer: '/modes',
        label: 'Modes',
        type: 'json',
        hint: 'JSON. The choices above the composer, the default first; an empty list for none.',
      },
      ...(isReadOnly ? [] : [keepVersion]),
    ],
  },
  {
    title: 'First screen',
    hint: 'Texts before the first message.',
    fields: [
      { pointer: '/appearance/greeting', label: 'Greeting', type: 'text', isNullable: true },
      {
        pointer: '/appearance/starter_prompts',
        label: 'Suggestions',
        type: 'lines',
        convert: starterPrompts,
        hint: 'One a line; “Label => text of the message” if another text is sent.',
      },
      {
        pointer: '/appearance/disclosure',
        label: 'Disclosure',
        type: 'text',
        isNullable: true,
        hint: 'Says that an AI answers. Empty for the text of the widget, in the language of the user.',
      },
      {
        pointer: '/appearance/disclaimer',
        label: 'Disclaimer',
        type: 'text',
        isNullable: true,
        hint: 'A line below the composer.',
      },
      {
        pointer: '/appearance/consent',
        label: 'Consent',
        type: 'textarea',
        isNullable: true,
        convert: consentText,
        hint: 'Markdown that users have to accept before they can write. Empty for none.',
      },
      {
        pointer: '/appearance/welcome',
        label: 'Welcome card',
        type: 'json',
        isNullable: true,
        hint: 'JSON. Users can answer the card in place of a first message; empty for none.',
      },
    ],
  },
  {
    title: 'Features',
    hint: 'Requests for a disabled feature are refused.',
    fields: [
      ...features.map(
        ([name, label]): Field => ({
          pointer: `/appearance/features/${name}`,
          label,
          type: 'checkbox',
        }),
      ),
      { pointer: '/appearance/cards', label: 'Cards', type: 'checkbox' },
      { pointer: '/appearance/suggestions', label: 'Follow-up suggestions', type: 'checkbox' },
    ],
  },
  {
    title: 'Appearance and files',
    fields: [
      {
        pointer: '/appearance/theme/accent',
        label: 'Accent',
        type: 'text',
        hint: 'A CSS colour, such as #b4512d.',
      },
      {
        pointer: colorScheme,
        label: 'Colour scheme',
        type: 'select',
        // The API cannot remove it again.
        options: {
          ...(valueAt(agent, colorScheme) === undefined && { '': 'As the page' }),
          ...colorSchemes,
        },
      },
      {
        pointer: '/appearance/image_origins',
        label: 'Origins of images',
        type: 'lines',
        hint: 'One a line, such as https://images.example.com. Images of others need a click.',
      },
      {
        pointer: '/appearance/attachments/max_bytes',
        label: 'Bytes of a file',
        type: 'number',
        isNullable: true,
        hint: 'By default the limit of the platform.',
      },
      {
        pointer: '/appearance/attachments/max_files',
        label: 'Files of a message',
        type: 'number',
      },
      {
        pointer: '/appearance/attachments/media_types',
        label: 'Media types of files',
        type: 'lines',
        hint: 'One a line, such as application/pdf or image/*. Empty for any.',
      },
    ],
  },
  ...(valueAt(agent, '/retention') === undefined ? [] : [retention]),
  {
    title: 'Hosted page',
    fields: [
      {
        pointer: '/hosted/return_url',
        label: 'Return address',
        type: 'text',
        isNullable: true,
        hint: 'Page of your site that hosted conversations lead back to.',
      },
    ],
  },
];

/** The settings of an agent, without its embed policy and its keys. */
export class SettingsSection extends Section {
  readonly heading = 'Settings';

  protected override render() {
    return html`<inlay-console-form
      .groups=${groupsOf(this.agent, !this.isAdmin)}
      .resource=${this.agent}
      .isReadOnly=${!this.isAdmin}
      .save=${this.#save}
    ></inlay-console-form>`;
  }

  readonly #save = async (changes: Partial<AgentResource>) => {
    const { version } = this.agent;
    await this.change(changes);
    const after = this.agent.version;
    return after === version
      ? 'Saved.'
      : `Saved as version ${after}, which new conversations get unless another one is pinned.`;
  };
}
