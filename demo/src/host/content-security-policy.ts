/**
 * Builds the Content-Security-Policy of a page: `default-src 'none'` and the minimum that the page
 * and the chat need. Only the script tag page loads scripts from the platform; the other pages
 * bundle the packages.
 *
 * @param page - Name of the page.
 * @param platform - Origin of the platform.
 * @param omitPlatform - Whether `connect-src` omits the platform, a common mistake that the demo simulates.
 */
export function contentSecurityPolicy(
  page: string,
  platform: string,
  omitPlatform = false,
): string {
  const policy: Record<string, string> = {
    'default-src': "'none'",
    'script-src': page === 'script-tag' ? `'self' ${platform}` : "'self'",
    'connect-src': omitPlatform ? "'self'" : `'self' ${platform}`,
    // For the page's style sheet. The chat uses constructable style sheets, which need no source.
    'style-src': "'self'",
    // `'self'` for the images of the page, `blob:` for previews of attachments, the platform for images
    // in agent messages. Without `blob:` and the platform, the chat shows file names instead.
    'img-src': page === 'minimal-csp' ? "'self'" : `'self' blob: ${platform}`,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    // Lit's policy, for static template markup. No other Trusted Types policy is allowed.
    'trusted-types': 'lit-html',
  };
  return Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');
}
