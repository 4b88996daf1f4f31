import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Api, Operator, SignInWays } from './api.ts';

/** Why the provider or the platform refused a sign-in. */
const problems: Readonly<Record<string, string>> = {
  canceled: 'You canceled the sign-in.',
  disabled: 'Your access to this console was disabled. Ask another operator to enable it.',
  expired: 'The sign-in took too long, or was started in another browser. Try again.',
  failed: 'The sign-in failed. Try again. The log of the platform has the reason.',
  name: 'Your name or address cannot be used here. The log of the platform has the reason.',
  role: 'You have no access to this console. Ask those who run it for a role.',
};

/** The form with which an operator signs in. A sign-in link needs no form. */
export class SignInPage extends LitElement {
  @property({ attribute: false }) api!: Api;
  @property({ attribute: false }) onSignedIn: (operator: Operator) => void = () => {};
  @state() private error = '';
  @state() private isPending = false;
  @state() private ways: SignInWays | null = null;

  override createRenderRoot() {
    return this;
  }

  override firstUpdated() {
    const hash = new URLSearchParams(location.hash.slice(1));
    const link = hash.get('link');
    const problem = hash.get('problem');
    // Out of the address, which may be copied or bookmarked.
    if (link ?? problem) history.replaceState(null, '', location.pathname);
    void this.#start(link, problem);
  }

  async #start(link: string | null, problem: string | null) {
    if (link) await this.#signIn({ link });
    else if (problem) this.error = problems[problem] ?? (problems.failed as string);
    try {
      this.ways = await this.api.signInWays();
    } catch (error) {
      this.error ||= (error as Error).message;
      this.ways = { passwords: true, oidc: null };
    }
    await this.updateComplete;
    this.querySelector<HTMLElement>('a.primary, input')?.focus();
  }

  override render() {
    return html`
      <main class="sign-in">
        <form @submit=${this.#submit}>
          <h1>Inlay console</h1>
          ${
            this.ways?.oidc
              ? html`<a class="primary" href="api/oidc" target="_self"
                  >Sign in with ${this.ways.oidc.label}</a
                >`
              : nothing
          }
          ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
          ${this.ways?.passwords ? this.#renderPassword(this.ways.oidc !== null) : nothing}
        </form>
      </main>
    `;
  }

  #renderPassword(isSecond: boolean) {
    return html`
          <label>
            Name
            <input name="name" autocomplete="username" autocapitalize="none" required />
          </label>
          <label>
            Password
            <input name="password" type="password" autocomplete="current-password" required />
          </label>
          <button class=${isSecond ? '' : 'primary'} ?disabled=${this.isPending}>
            ${this.isPending ? 'Signing in…' : 'Sign in'}
          </button>
          <p class="hint">
            To get a sign-in link, or to replace a forgotten password, run
            <br /><code>inlay-server operators link admin</code> on the server.
          </p>
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
