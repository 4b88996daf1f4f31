/** A thing that can be broken for real: by the host's backend, or by how the page is asked for. */
export interface FailureChoice {
  /** As the host's backend calls it. */
  name: string;
  label: string;
}

export interface FailureGroup {
  label: string;
  choices: readonly FailureChoice[];
}

/** Broken by opening the page anew: a policy comes with the page. */
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

/** What is broken now, as this page meets it. */
export async function currentFailure(): Promise<string> {
  if (address().searchParams.get('policy') === 'forgetful') return forgetfulPolicy;
  const { failure }: { failure: string } = await (await fetch('/playground')).json();
  return failure;
}

/** Breaks this and mends all else. It may open the page anew. */
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
