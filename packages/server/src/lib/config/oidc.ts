import * as z from 'zod';

const Name = z.string().min(1, 'must not be empty');
const Values = z.array(Name).max(100).default([]);

/** Sign-in of operators through an OpenID Connect provider. */
export const Oidc = z
  .strictObject({
    /**
     * Address of the provider, whose `/.well-known/openid-configuration` is read: HTTPS, or HTTP to the
     * same machine.
     */
    issuer: z
      .url({ protocol: /^https?$/, error: 'must be an https address' })
      .refine(isSecureOrLocal, 'must begin with `https://`'),
    /**
     * Id of the platform at the provider, where its redirect URI is `/console/api/oidc/callback`, with
     * `console.path` in place of `/console`.
     */
    client_id: Name,
    /** Environment variable with the client's secret; null for a public client. */
    client_secret_env: Name.nullable().default(null),
    /** Name of the provider on the button “Sign in with …”. */
    label: Name.max(40).default('single sign-on'),
    /** Scopes that are requested besides `openid`. */
    scopes: z
      .array(z.string().regex(/^\S+$/, 'must not contain spaces'))
      .default(['email', 'profile']),
    /** Claim with the operator's name. An `email` that is not verified is refused. */
    name_claim: Name.default('email'),
    /** Claim with the operator's groups or roles: a text or a list of texts. */
    role_claim: Name.default('groups'),
    /** Values of the claim with which an operator is an admin. */
    admins: Values,
    /** Values of the claim with which an operator is a viewer. Those without any value are refused. */
    viewers: Values,
    /** Whether operators can only sign in this way: no passwords, no links, no `INLAY_ADMIN_SECRET`. */
    required: z.boolean().default(false),
  })
  .refine(({ admins, viewers }) => admins.length + viewers.length > 0, {
    path: ['admins'],
    message: 'must have a value, or `viewers` must: without one, everyone is refused',
  });
export type Oidc = z.output<typeof Oidc>;

function isSecureOrLocal(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
