/**
 * The policy of every page: `default-src 'none'`, and the least that the page and the chat need. Only
 * the script tag fetches scripts from the platform; the other doors are bundled with the page.
 * A forgetful policy leaves the platform out, as many a first one does.
 */
export function contentSecurityPolicy(page: string, platform: string, forgetful = false): string {
  const policy: Record<string, string> = {
    'default-src': "'none'",
    'script-src': page === 'script-tag' ? `'self' ${platform}` : "'self'",
    'connect-src': forgetful ? "'self'" : `'self' ${platform}`,
    // For the page's own style sheet; the chat's styles are made without one.
    'style-src': "'self'",
    // For the page's own drawings. What a person attaches is shown from `blob:`, and the pictures of
    // an answer come from the platform; without these two their names stand in their place.
    'img-src': page === 'least-csp' ? "'self'" : `'self' blob: ${platform}`,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    // Lit's policy turns the constant text of templates into markup; nothing else may make one.
    'trusted-types': 'lit-html',
  };
  return Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');
}
