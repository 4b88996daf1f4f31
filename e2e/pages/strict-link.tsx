/** A page that opens a hosted link in an effect, which StrictMode runs twice. */
import { createInlayClient, hostedCode, isInlayError } from '@inlay/client';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';

const results: string[] = [];
Object.assign(window, { results });

function Conversation({ closes }: { closes: boolean }) {
  useEffect(() => {
    const client = createInlayClient({ baseUrl: location.origin, tokens: hostedCode() });
    client.config().then(
      ({ token }) => results.push(token.external_user_id),
      (error: unknown) => results.push(isInlayError(error) ? error.code : String(error)),
    );
    return () => {
      if (closes) client.close();
    };
  }, [closes]);
  return null;
}

createRoot(document.querySelector('#app') ?? document.body).render(
  <StrictMode>
    <Conversation closes={location.search.includes('closes')} />
  </StrictMode>,
);
