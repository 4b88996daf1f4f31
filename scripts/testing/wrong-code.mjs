/** Templates with wrong options and events, by application of `demo/apps`, and the errors that they must cause. */
const vue = `<script setup lang="ts">
import type {} from '@inlay/elements/vue';
</script>

<template>
  <inlay-chat density="huge" />
  <inlay-chat :heading="1" />
  <inlay-chat base-urls="x" />
  <inlay-chat @inlay-answer="(event) => console.log(event.detail.texts)" />
  <inlay-chat @inlay-answers="() => {}" />
  <inlay-launcher placement="moon" @inlay-answer="(event) => console.log(event.detail.text)" />
</template>
`;

const wrongDensity = `Type '"huge"' is not assignable`;
const wrongHeading = "Type 'number' is not assignable to type 'string'";
const wrongDetail = "Property 'texts' does not exist";
const wrongPlacement = `Type '"moon"' is not assignable`;
const common = [wrongDensity, wrongHeading, wrongDetail, wrongPlacement];

/** @type {Readonly<Record<string, { file: string, code: string, errors: readonly string[] }>>} */
export const wrongTemplates = {
  vue: { file: 'src/Wrong.vue', code: vue, errors: [...common, "'baseUrls'", "'onInlayAnswers'"] },
  nuxt: { file: 'app/Wrong.vue', code: vue, errors: [...common, "'baseUrls'", "'onInlayAnswers'"] },
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
