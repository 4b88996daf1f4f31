import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Api, Operator } from './api.ts';

/** The form with which an operator signs in. A sign-in link needs no form. */
export class SignInPage extends LitElement {
  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) onSignedIn: (operator: Operator) => void = () => {};
  @state() private error = '';
  @state() private isPending = false;

  override createRenderRoot() {
    return this;
  }

  override firstUpdated() {
    const link = new URLSearchParams(location.hash.slice(1)).get('link');
    if (!link) {
      this.querySelector('input')?.focus();
      return;
    }
    // Out of the address, which may be copied or bookmarked.
    history.replaceState(null, '', location.pathname);
    void this.#signIn({ link });
  }

  override render() {
    return html`
      <main class="sign-in">
        <form @submit=${this.#submit}>
          <h1>Inlay console</h1>
          <label>
            Name
            <input name="name" autocomplete="username" autocapitalize="none" required />
          </label>
          <label>
            Password
            <input name="password" type="password" autocomplete="current-password" required />
          </label>
          ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
          <button class="primary" ?disabled=${this.isPending}>
            ${this.isPending ? 'Signing in…' : 'Sign in'}
          </button>
          <p class="hint">
            To get a sign-in link, or to replace a forgotten password, run
            <br /><code>inlay-server operators link admin</code> on the server.
          </p>
        </form>
      </main>
    `;
  }

  #submit(event: SubmitEvent) {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    void this.#signIn({ name: String(form.get('name')), password: String(form.get('password')) });
  }

  async #signIn(credential: Parameters<Api['signIn']>[0]) {
    this.isPending = true;
    this.error = '';
    try {
      this.onSignedIn(await this.api.signIn(credential));
    } catch (error) {
      this.error = (error as Error).message;
    } finally {
      this.isPending = false;
    }
  }
}
