import { Support } from './support';

/** Rendered for each request, so that the address of the platform is read when the server runs. */
export const dynamic = 'force-dynamic';

export default function Page() {
  return (
    <main>
      <h1>Help</h1>
      <Support baseUrl={process.env.INLAY_URL ?? 'http://localhost:8787'} />
    </main>
  );
}
