import {
  AngularNodeAppEngine,
  createNodeRequestHandler,
  isMainModule,
  writeResponseToNodeResponse,
} from '@angular/ssr/node';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { tokenEndpoint } from './chat-token';

const app = express();
const angular = new AngularNodeAppEngine();

app.post('/api/chat-token', getRequestListener(tokenEndpoint));
app.use(express.static(`${import.meta.dirname}/../browser`, { maxAge: '1y', index: false }));
app.use((request, response, next) => {
  angular
    .handle(request)
    .then((page) => (page ? writeResponseToNodeResponse(page, response) : next()))
    .catch(next);
});

if (isMainModule(import.meta.url)) app.listen(Number(process.env.PORT ?? 4000));

/** For `ng serve`. */
export const reqHandler = createNodeRequestHandler(app);
