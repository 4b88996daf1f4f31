/** The pages of the site, in the order in which they are listed. */

const page = (text, link) => ({ text, link });

export const sidebar = [
  {
    text: 'Quick start',
    items: [
      page('Overview', '/quick-start/'),
      page('Plain HTML', '/quick-start/html'),
      page('React with Vite', '/quick-start/react'),
      page('Next.js', '/quick-start/next'),
      page('Vue', '/quick-start/vue'),
      page('Nuxt', '/quick-start/nuxt'),
      page('SvelteKit', '/quick-start/sveltekit'),
      page('Angular', '/quick-start/angular'),
      page('Headless', '/quick-start/headless'),
    ],
  },
  {
    text: 'Access',
    items: [
      page('Identity and tokens', '/identity'),
      page('Backend in Python', '/backends/python'),
      page('Backend in PHP', '/backends/php'),
      page('Backend in Ruby', '/backends/ruby'),
      page('Backend in Go', '/backends/go'),
      page('Anonymous visitors', '/anonymous-visitors'),
      page('Hosted links', '/hosted-links'),
      page('Revocation', '/revocation'),
      page('Security model and CSP', '/security'),
    ],
  },
  {
    text: 'The chat',
    items: [
      page('Playground', '/playground'),
      page('The widget', '/widget'),
      page('The launcher', '/launcher'),
      page('Tools and approvals', '/tools'),
      page('Cards', '/cards'),
      page('Theming', '/theming'),
      page('Languages', '/languages'),
      page('Accessibility', '/accessibility'),
      page('Your own interface', '/client'),
      page('Testing your integration', '/testing'),
    ],
  },
  {
    text: 'The platform',
    items: [
      page('Self-hosting', '/self-hosting'),
      page('Configuration', '/configuration'),
      page('API for backends', '/admin-api'),
      page('Models for your backend', '/models'),
      page('Databases and media libraries', '/databases-and-media'),
      page('Automation', '/automation'),
      page('Storage', '/storage'),
      page('Scaling', '/scaling'),
      page('Limits', '/limits'),
      page('Failures', '/faults'),
    ],
  },
  {
    text: 'Help',
    items: [
      page('Troubleshooting', '/troubleshooting'),
      page('Inspector', '/inspector'),
      page('Versions and upgrades', '/upgrading'),
      page('From ChatKit', '/migrating/chatkit'),
      page('From Deep Chat', '/migrating/deep-chat'),
      page('From Chatwoot', '/migrating/chatwoot'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Elements', '/elements'),
      page('HTTP API', '/api/http'),
      page('@inlay/client', '/api/client'),
      page('@inlay/client/inspector', '/api/client-inspector'),
      page('@inlay/client/testing', '/api/client-testing'),
      page('@inlay/node', '/api/node'),
      page('@inlay/react', '/api/react'),
      page('@inlay/server', '/api/server'),
      page('Conformance', '/conformance'),
      page('Architecture decisions', '/adr/README'),
    ],
  },
];

export const nav = [
  page('Quick start', '/quick-start/'),
  page('Playground', '/playground'),
  page('Guides', '/identity'),
  page('Reference', '/elements'),
  page('Help', '/troubleshooting'),
];
