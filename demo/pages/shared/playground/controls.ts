/** A button of the playground, with its request to the host's backend. */
export interface Control {
  label: string;
  path: string;
  body?: Record<string, string>;
  /** For a toggle button: the member of the response of `GET /playground` that the button sets, and its value. */
  state?: readonly ['network' | 'model' | 'platform', string | boolean];
}

export interface ControlGroup {
  legend: string;
  controls: readonly Control[];
}

const model = (mode: string): Control => ({
  label: `Model: ${mode}`,
  path: '/playground/model',
  body: { mode },
  state: ['model', mode],
});

const network = (label: string, action: string, state: string): Control => ({
  label,
  path: '/playground/network',
  body: { action },
  state: ['network', state],
});

const process = (label: string, action: string, running: boolean): Control => ({
  label,
  path: '/playground/platform',
  body: { action },
  state: ['platform', running],
});

/** All buttons of the playground. */
export const controlGroups: readonly ControlGroup[] = [
  {
    legend: 'Token',
    controls: [
      { label: 'Expire token', path: '/playground/expire' },
      { label: 'Revoke token', path: '/playground/revoke' },
      { label: 'Revoke all tokens', path: '/playground/revoke-all' },
    ],
  },
  {
    legend: 'User',
    controls: [
      { label: 'Block user', path: '/playground/block' },
      { label: 'Unblock user', path: '/playground/unblock' },
    ],
  },
  {
    legend: 'Network',
    controls: [
      network('Cut network', 'cut', 'cut'),
      network('Slow network', 'slow', 'slow'),
      network('Restore network', 'restore', 'up'),
    ],
  },
  { legend: 'Model', controls: [model('normal'), model('slow'), model('fail')] },
  {
    legend: 'Platform',
    controls: [process('Kill platform', 'kill', false), process('Start platform', 'start', true)],
  },
];
