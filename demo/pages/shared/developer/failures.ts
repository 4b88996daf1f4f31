/** A failure that the demo can cause, through the host's backend or through the URL of the page. */
export interface FailureChoice {
  /** Name of the failure in the host's backend. */
  name: string;
  label: string;
}

export interface FailureGroup {
  label: string;
  choices: readonly FailureChoice[];
}

/**
 * A Content Security Policy without the platform. The page is reloaded, because the policy is a
 * response header of the page.
 */
export const policyWithoutPlatform = 'policy-forgetful';

export const failureGroups: readonly FailureGroup[] = [
  {
    label: 'Token endpoint',
    choices: [
      { name: 'token-error', label: 'It answers 500' },
      { name: 'token-page', label: 'It answers with a sign-in page' },
      { name: 'token-foreign', label: 'Its token is of another platform' },
      { name: 'token-silent', label: 'It does not answer' },
    ],
  },
  {
    label: 'Proxy before the platform',
    choices: [
      { name: 'proxy-buffer', label: 'It holds streams back' },
      { name: 'proxy-hide', label: 'It takes the CORS headers out' },
      { name: 'proxy-preflight', label: 'It refuses preflights' },
      { name: 'proxy-path', label: 'It does not pass /agent on' },
      { name: 'proxy-gateway', label: 'It does not find the platform' },
    ],
  },
  {
    label: 'Settings',
    choices: [
      { name: 'origin-unknown', label: 'The agent does not allow this origin' },
      { name: policyWithoutPlatform, label: 'The page’s policy leaves the platform out' },
    ],
  },
];

const currentUrl = () => new URL(location.href);

/** The current failure. */
export async function currentFailure(): Promise<string> {
  if (currentUrl().searchParams.get('policy') === 'forgetful') return policyWithoutPlatform;
  const { failure }: { failure: string } = await (await fetch('/playground')).json();
  return failure;
}

/** Causes this failure instead of the current one. Reloads the page if its policy changes. */
export async function causeFailure(name: string): Promise<void> {
  const isPolicyFailure = name === policyWithoutPlatform;
  await fetch('/playground/failure', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ failure: isPolicyFailure ? 'none' : name }),
  });
  const next = currentUrl();
  if (isPolicyFailure) next.searchParams.set('policy', 'forgetful');
  else next.searchParams.delete('policy');
  if (next.href !== location.href) location.assign(next);
}
