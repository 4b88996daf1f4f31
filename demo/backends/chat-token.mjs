// The backend of a site in Express with `express-session`: sign-in, sign-out, and the token endpoint of the chat.
import { createExpressTokenEndpoint, createPlatformClient } from '@inlay/node';
import express from 'express';
import session from 'express-session';

const agent = 'demo';
const platform = createPlatformClient({
  baseUrl: process.env.INLAY_URL ?? 'http://localhost:8787',
  apiKey: process.env.INLAY_API_KEY,
  // A page that waits asks again.
  maxRetries: 0,
});

const app = express();
app.use(
  session({
    secret: process.env.SESSION_SECRET ?? 'only for development',
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax' },
  }),
);
// Browsers send cookies with requests of other sites as well. The token endpoint checks this itself.
app.use(['/sign-in', '/sign-out'], (request, response, next) => {
  const site = request.get('sec-fetch-site');
  if (site && site !== 'same-origin') response.status(403).json({ code: 'ORIGIN_NOT_ALLOWED' });
  else next();
});

app.all(
  '/api/chat-token',
  createExpressTokenEndpoint({
    platform,
    agent,
    identify: ({ session: { user } }) =>
      user && {
        external_user_id: user.id,
        system_message: [{ type: 'text', text: `The user's name is ${user.name}.` }],
        metadata: { plan: user.plan },
      },
  }),
);

// In place of your own sign-in.
app.post('/sign-in', (request, response) => {
  request.session.user = { id: 'ada', name: 'Ada', plan: 'first' };
  response.json({});
});

app.post('/sign-out', async (request, response) => {
  const id = request.session.user?.id ?? request.session.signedOut;
  // The sign-out of your site comes first. The id is kept until the tokens are revoked.
  request.session.user = undefined;
  request.session.signedOut = id;
  try {
    if (id) await platform.endUsers.revokeTokens(agent, id);
    request.session.signedOut = undefined;
    response.json({});
  } catch (error) {
    console.error(error);
    response.status(502).json({ code: 'NOT_REVOKED' });
  }
});

app.listen(process.env.PORT ?? 3000, '127.0.0.1');
