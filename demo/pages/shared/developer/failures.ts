/** A failure that the demo can simulate, through the host's backend or the URL of the page. */
export interface FailureOption {
  /** Name of the failure in the host's backend. */
  name: string;
  label: string;
}

export interface FailureGroup {
  label: string;
  options: readonly FailureOption[];
}

/**
 * Name of the failure of a Content Security Policy that does not allow the platform. The policy is a
 * response header of the page, so that this failure reloads the page.
 */
const policyWithoutPlatform = 'policy-without-platform';

export const failureGroups: readonly FailureGroup[] = [
  {
    label: 'Token endpoint',
    options: [
      { name: 'token-error', label: 'Responds with 500' },
      { name: 'token-page', label: 'Responds with a sign-in page' },
      { name: 'token-foreign', label: 'Issues a token of another platform' },
      { name: 'token-silent', label: 'Does not respond' },
    ],
  },
  {
    label: 'Reverse proxy',
    options: [
      { name: 'proxy-buffer', label: 'Buffers streams' },
      { name: 'proxy-hide', label: 'Removes CORS headers' },
      { name: 'proxy-preflight', label: 'Rejects preflight requests' },
      { name: 'proxy-path', label: 'Does not forward /agent' },
      { name: 'proxy-gateway', label: 'Cannot reach the platform' },
    ],
  },
  {
    label: 'Settings',
    options: [
      { name: 'origin-unknown', label: 'The agent does not allow this origin' },
      { name: policyWithoutPlatform, label: 'The page’s CSP does not allow the platform' },
    ],
  },
];

const currentUrl = () => new URL(location.href);

/** Reads the name of the current failure; `none` without a failure. */
export async function currentFailure(): Promise<string> {
  if (currentUrl().searchParams.get('policy') === 'without-platform') return policyWithoutPlatform;
  const { failure }: { failure: string } = await (await fetch('/playground')).json();
  return failure;
}

/** Replaces the current failure. Reloads the page if its policy changes. */
export async function causeFailure(name: string): Promise<void> {
  const isPolicyFailure = name === policyWithoutPlatform;
  await fetch('/playground/failure', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ failure: isPolicyFailure ? 'none' : name }),
  });
  const next = currentUrl();
  if (isPolicyFailure) next.searchParams.set('policy', 'without-platform');
  else next.searchParams.delete('policy');
  if (next.href !== location.href) location.assign(next);
}
