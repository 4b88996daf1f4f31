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

/** Caused by loading the page again, because a policy is sent with the page. */
export const forgetfulPolicy = 'policy-forgetful';

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
      { name: forgetfulPolicy, label: 'The page’s policy leaves the platform out' },
    ],
  },
];

const address = () => new URL(location.href);

/** The current failure. */
export async function currentFailure(): Promise<string> {
  if (address().searchParams.get('policy') === 'forgetful') return forgetfulPolicy;
  const { failure }: { failure: string } = await (await fetch('/playground')).json();
  return failure;
}

/** Causes this failure, and ends all others. Can reload the page. */
export async function bringAbout(name: string): Promise<void> {
  const policy = name === forgetfulPolicy;
  await fetch('/playground/failure', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ failure: policy ? 'none' : name }),
  });
  const next = address();
  if (policy) next.searchParams.set('policy', 'forgetful');
  else next.searchParams.delete('policy');
  if (next.href !== location.href) location.assign(next);
}
