import type { Kysely, Transaction } from 'kysely';
import type { Configuration } from 'openid-client';
import { audited, describeChange } from '../audit/audit.ts';
import type { Oidc } from '../config/oidc.ts';
import { ApiError } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../store/schema.ts';
import { callbackPath } from './console-guards.ts';
import { describedPath } from './console-url.ts';
import {
  createOperator,
  findOperator,
  firstOperator,
  type OperatorRole,
  type OperatorRow,
} from './operators.ts';

/** Why a sign-in was refused; the console has a text for each. */
export type OidcProblem = 'canceled' | 'disabled' | 'expired' | 'failed' | 'name' | 'role';

/** A refused sign-in. */
export class OidcError extends Error {
  override readonly name = 'OidcError';
  readonly code: OidcProblem;

  constructor(code: OidcProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The secrets of a sign-in in progress, which the browser keeps in a cookie. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

// Loaded on the first sign-in, so that the start does not wait for it.
const library = () => import('openid-client');

/** Sign-in of operators with the authorization code flow and PKCE (OpenID Connect Core, section 3.1). */
export class OidcSignIn {
  readonly #services: Services;
  readonly #options: Oidc;
  /** The provider's settings, which are read on the first sign-in. */
  #provider: Promise<Configuration> | null = null;

  constructor(services: Services, options: Oidc) {
    this.#services = services;
    this.#options = options;
  }

  get #redirectUri(): string {
    return this.#services.consoleUrl + callbackPath.slice(describedPath.length);
  }

  /**
   * Begins a sign-in.
   *
   * @returns The address at the provider, and the value of the cookie that `finish` needs.
   * @throws OidcError If the provider cannot be reached.
   */
  async begin(): Promise<{ address: string; cookie: string }> {
    const provider = await this.#discover();
    const oidc = await library();
    const attempt: Attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const address = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: this.#redirectUri,
      scope: ['openid', ...this.#options.scopes].join(' '),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { address: address.href, cookie: JSON.stringify(attempt) };
  }

  /**
   * Ends a sign-in: exchanges the code for the claims, and creates or updates the operator.
   *
   * @param search Query of the callback's address.
   * @param cookie The value that `begin` returned.
   * @throws OidcError If the operator cannot sign in.
   */
  async finish(search: string, cookie: string | undefined): Promise<OperatorRow> {
    const { name_claim: nameClaim } = this.#options;
    const claims = await this.#readClaims(search, readAttempt(cookie));
    const role = this.#roleOf(claims[this.#options.role_claim]);
    if (!role) {
      throw new OidcError('role', `no value of \`${this.#options.role_claim}\` has a role`);
    }
    const name = claims[nameClaim];
    if (typeof name !== 'string' || (nameClaim === 'email' && claims.email_verified === false)) {
      throw new OidcError('name', `\`${nameClaim}\` is missing, or not verified`);
    }
    const subject = JSON.stringify([claims.iss, claims.sub]);
    return this.#findOrCreate(subject, name, role);
  }

  async #discover(): Promise<Configuration> {
    const { issuer, client_id: id, client_secret_env: secretName } = this.#options;
    const secret = secretName === null ? undefined : this.#services.secret(secretName);
    this.#provider ??= library().then((oidc) =>
      oidc.discovery(new URL(issuer), id, secret, secret ? undefined : oidc.None(), {
        // The configuration allows it to the same machine only.
        execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      }),
    );
    try {
      return await this.#provider;
    } catch (error) {
      this.#provider = null;
      throw new OidcError('failed', 'the provider cannot be reached', { cause: error });
    }
  }

  async #readClaims(search: string, attempt: Attempt): Promise<Record<string, unknown>> {
    const provider = await this.#discover();
    const oidc = await library();
    try {
      const tokens = await oidc.authorizationCodeGrant(
        provider,
        new URL(this.#redirectUri + search),
        {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true,
        },
      );
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no ID token');
      // Many providers send groups only here.
      const more = provider.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
        : {};
      return { ...more, ...claims };
    } catch (error) {
      const isCanceled =
        error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied';
      const [code, message] = isCanceled
        ? (['canceled', 'the provider refused it'] as const)
        : (['failed', 'the response of the provider cannot be used'] as const);
      throw new OidcError(code, message, { cause: error });
    }
  }

  #roleOf(claim: unknown): OperatorRole | null {
    const values: unknown[] = Array.isArray(claim) ? claim : [claim];
    const has = (names: readonly string[]) => names.some((name) => values.includes(name));
    if (has(this.#options.admins)) return 'admin';
    return has(this.#options.viewers) ? 'viewer' : null;
  }

  /** An account stays the same operator if its name at the provider changes. */
  async #findOrCreate(subject: string, name: string, role: OperatorRole): Promise<OperatorRow> {
    const { store } = this.#services;
    const known = await findBySubject(store.db, subject);
    if (known?.role === role) return this.#update(subject, name, role);
    const operator = `operator:${known?.name ?? name.toLowerCase()}`;
    const operation = {
      actor: operator,
      action: 'sign in with OpenID Connect',
      subject: operator.replace(':', 's/'),
      request_id: null,
      source: null,
    };
    return audited(this.#services, operation, () => {
      describeChange({ ...(known && { before: { role: known.role } }), after: { role } });
      return this.#update(subject, name, role);
    });
  }

  #update(subject: string, name: string, role: OperatorRole): Promise<OperatorRow> {
    const { store } = this.#services;
    return store.transaction(async (transaction) => {
      await store.lock(transaction, 'operators');
      const known = await findBySubject(transaction, subject);
      const found = known ?? (await findOperator(transaction, name));
      if (found && !known && !this.#mayTakeOver(found)) {
        throw new OidcError('name', 'another operator has this name');
      }
      const row = found ?? (await this.#create({ name, role }, transaction));
      if (row.disabled_at !== null) throw new OidcError('disabled', 'the operator is disabled');
      return transaction
        .updateTable('operators')
        .set({ role, subject, password_hash: null, link_hash: null, link_expires_at: null })
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  async #create(
    operator: { name: string; role: OperatorRole },
    transaction: Transaction<Schema>,
  ): Promise<OperatorRow> {
    try {
      return await createOperator(this.#services, operator, transaction);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new OidcError('name', 'the name cannot be that of an operator', { cause: error });
    }
  }

  /**
   * Whether an account may become an existing operator with its name. Names at a provider can often be
   * chosen freely, so an operator with another way to sign in is only taken over where there is no
   * other way.
   */
  #mayTakeOver({ name, password_hash, subject }: OperatorRow): boolean {
    if (subject !== null) return false;
    return this.#options.required || (password_hash === null && name !== firstOperator);
  }
}

function findBySubject(db: Kysely<Schema>, subject: string): Promise<OperatorRow | undefined> {
  return db.selectFrom('operators').selectAll().where('subject', '=', subject).executeTakeFirst();
}

function readAttempt(cookie: string | undefined): Attempt {
  try {
    const { state, nonce, verifier } = JSON.parse(cookie ?? '');
    if ([state, nonce, verifier].every((value) => typeof value === 'string')) {
      return { state, nonce, verifier };
    }
  } catch {
    // The same as no cookie.
  }
  throw new OidcError('expired', 'the cookie of the sign-in is missing');
}
