/** Code with wrong options and events, and the type errors that it must cause, for `demo/apps`. */
const vue = `<script setup lang="ts">
import type {} from '@inlay/elements/vue';
const url = 'http://localhost:8787';
</script>

<template>
  <inlay-chat density="huge" />
  <inlay-chat :heading="1" />
  <inlay-chat base-urls="x" />
  <inlay-chat @inlay-answer="(event) => console.log(event.detail.texts)" />
  <inlay-chat @inlay-answers="() => {}" />
  <inlay-launcher placement="moon" @inlay-answer="(event) => console.log(event.detail.text)" />
  <inlay-chat :base-url="url" follow="east" />
</template>
`;

const react = `import { InlayChat, InlayLauncher } from '@inlay/react';

export const wrong = [
  <InlayChat density="huge" />,
  <InlayChat heading={1} />,
  <InlayChat baseUrls="x" />,
  <InlayChat onAnswer={(event) => console.log(event.detail.texts)} />,
  <InlayChat onAnswers={() => {}} />,
  <InlayLauncher placement="moon" />,
];
`;

const wrongDensity = `Type '"huge"' is not assignable`;
const wrongHeading = "Type 'number' is not assignable to type 'string'";
const wrongDetail = "Property 'texts' does not exist";
const wrongPlacement = `Type '"moon"' is not assignable`;
/** `vue-tsc` reports nothing of an element with a URL in the template: the guide keeps it in the script. */
const wrongBesideUrl = `Type '"east"' is not assignable`;
const common = [wrongDensity, wrongHeading, wrongDetail, wrongPlacement];
const vueErrors = [...common, wrongBesideUrl, "'baseUrls'", "'onInlayAnswers'"];
const reactErrors = [...common, "'baseUrls'", "'onAnswers'"];

/**
 * The wrong code for each application, by folder name.
 *
 * @type {Readonly<Record<string, { file: string, code: string, errors: readonly string[] }>>}
 */
export const wrongCode = {
  'vite-react': { file: 'src/wrong.tsx', code: react, errors: reactErrors },
  next: { file: 'app/wrong.tsx', code: react, errors: reactErrors },
  headless: {
    file: 'src/wrong.ts',
    code: `import { createInlayClient, fetchToken, hostTokens } from '@inlay/client';

const tokens = hostTokens(fetchToken('/api/chat-token'));
export const client = createInlayClient({ baseUrls: 'x', tokens });
client.conversation().send(1);
client.onAuthChange((status: number) => console.log(status));
`,
    errors: [
      "'baseUrls' does not exist",
      "Argument of type 'number' is not assignable",
      "Argument of type '(status: number) => void' is not assignable",
    ],
  },
  vue: { file: 'src/Wrong.vue', code: vue, errors: vueErrors },
  nuxt: { file: 'app/Wrong.vue', code: vue, errors: vueErrors },
  sveltekit: {
    file: 'src/routes/Wrong.svelte',
    code: `<script lang="ts">
  import type {} from '@inlay/elements/svelte';
</script>

<inlay-chat density="huge"></inlay-chat>
<inlay-chat heading={1}></inlay-chat>
<inlay-chat base-urls="x"></inlay-chat>
<inlay-chat oninlay-answer={(event) => console.log(event.detail.texts)}></inlay-chat>
<inlay-chat oninlay-answers={() => {}}></inlay-chat>
<inlay-launcher placement="moon"></inlay-launcher>
`,
    errors: [...common, `'"base-urls"'`, `'"oninlay-answers"'`],
  },
  angular: {
    file: 'src/app/wrong.ts',
    code: `import { Component } from '@angular/core';
import { InlayChat, InlayLauncher } from '@inlay/elements/angular';

@Component({
  selector: 'app-wrong',
  imports: [InlayChat, InlayLauncher],
  template: \`
    <inlay-chat density="huge" />
    <inlay-chat [heading]="1" />
    <inlay-chat [baseUrls]="'x'" />
    <inlay-chat (inlay-answer)="log($event.detail.texts)" />
    <inlay-launcher placement="moon" />
    <inlay-lancher />
  \`,
})
export class Wrong {
  log(text: string) {
    console.log(text);
  }
}
`,
    errors: [...common, "Can't bind to 'baseUrls'", "'inlay-lancher' is not a known element"],
  },
};
