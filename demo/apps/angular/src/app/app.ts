import { Component, signal } from '@angular/core';
import type { ClientTools, InlayEventMap } from '@inlay/elements';
import { InlayChat } from '@inlay/elements/angular';

/** The address of the platform, by `define` in angular.json. */
declare const INLAY_URL: string;

@Component({
  selector: 'app-root',
  imports: [InlayChat],
  template: `
    <h1>Help</h1>
    <p>Answers on this page: {{ answers() }}</p>
    <inlay-chat
      class="chat"
      [baseUrl]="baseUrl"
      token-url="/api/chat-token"
      [tools]="tools"
      (inlay-answer)="onAnswer($event)"
    />
  `,
  styles: '.chat { display: block; height: 32rem; }',
})
export class App {
  protected readonly baseUrl = INLAY_URL;
  protected readonly answers = signal(0);

  /** Tools of this page, which the agent can call. */
  protected readonly tools: ClientTools = { get_page_info: () => ({ title: document.title }) };

  protected onAnswer(event: InlayEventMap['inlay-answer']) {
    if (event.detail.progress === 'done') this.answers.update((count) => count + 1);
  }
}
