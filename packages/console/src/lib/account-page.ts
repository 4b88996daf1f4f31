import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { Page } from './page.ts';

/** The operator's own account: the password, and signing out. */
export class AccountPage extends Page {
  readonly heading = 'Account';
  @state() private error = '';
  @state() private isSaved = false;

  override render() {
    const { name, role, has_account: hasAccount } = this.operator;
    return html`
      <header><h1>Account</h1></header>
      <p>You are signed in as <strong>${name}</strong>, with the role <strong>${role}</strong>.</p>
      ${hasAccount ? nothing : this.#renderPassword()}
      <button @click=${() => this.api.signOut()}>Sign out</button>
    `;
  }

  #renderPassword() {
    const { name, has_password: hasPassword } = this.operator;
    return html`
      <form class="stacked" @submit=${this.#submit}>
        <h2>${hasPassword ? 'Change the password' : 'Set a password'}</h2>
        <input type="hidden" name="name" autocomplete="username" .value=${name} />
        ${
          hasPassword
            ? html`<label>
                Present password
                <input name="current" type="password" autocomplete="current-password" required />
              </label>`
            : nothing
        }
        <label>
          New password, at least 12 characters
          <input
            name="password"
            type="password"
            autocomplete="new-password"
            minlength="12"
            required
          />
        </label>
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
        ${
          this.isSaved
            ? html`<p role="status">The password was saved. Your other browsers are signed out.</p>`
            : nothing
        }
        <button class="primary">Save password</button>
      </form>
    `;
  }

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const current = data.get('current');
    this.error = '';
    this.isSaved = false;
    try {
      const operator = await this.api.setPassword({
        ...(current !== null && { current: String(current) }),
        password: String(data.get('password')),
      });
      form.reset();
      this.isSaved = true;
      this.dispatchEvent(new CustomEvent('operator-change', { detail: operator, bubbles: true }));
    } catch (error) {
      this.error = (error as Error).message;
    }
  }
}
