/** What a page may load and do. `default-src 'none'` forbids whatever is not listed. */
type Policy = Record<string, string>;

/** The least that the widget itself needs, on a page that bundles it. */
const least = (platform: string): Policy => ({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': `'self' ${platform}`,
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  // Lit's policy turns the constant text of templates into markup; nothing else may make one.
  'trusted-types': 'lit-html',
});

/** Vesper's own pages have drawings as well. */
const site = (platform: string): Policy => ({ ...least(platform), 'img-src': "'self'" });

/** The header for a page by its name: `npm`, `script-tag` and so on. */
export function contentSecurityPolicy(page: string, platform: string): string {
  const policy = page === 'least-csp' ? least(platform) : site(platform);
  if (page === 'script-tag') policy['script-src'] = `'self' ${platform}`;
  return Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');
}
