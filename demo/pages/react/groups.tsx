import type { AuthStatus } from '@inlay/client';
import { useEffect, useState } from 'react';
import { type Customer, onAccount, onUserChange } from '../shared/account.ts';
import { NightDesk } from './embed.tsx';

const berthsInCoach = 36;
const pricePerBerth = 41;

export function Groups() {
  const [customer, setCustomer] = useState<Customer | null | undefined>();
  const [status, setStatus] = useState<AuthStatus>('ok');
  const [travellers, setTravellers] = useState(24);

  useEffect(() => {
    onAccount((account) => setCustomer(account.customer));
    // Another user gets a new chat, to which the status of the previous chat does not apply.
    onUserChange(() => setStatus('ok'));
  }, []);

  return (
    <div className="two-columns">
      <section className="stack">
        <p className="eyebrow">Ten travellers or more</p>
        <h1>A whole coach, and nobody left on the platform</h1>
        <p>
          Schools, choirs and football clubs travel for less when they sleep in one coach. Say how
          many you are; the night desk helps with the rest.
        </p>
        <label className="labelled-field">
          Travellers
          <input
            className="field"
            type="number"
            min={10}
            max={216}
            value={travellers}
            onChange={(event) => setTravellers(event.target.valueAsNumber || 10)}
          />
        </label>
        <article className="ticket">
          <dl>
            <div>
              <dt>Coaches</dt>
              <dd>{Math.ceil(travellers / berthsInCoach)}</dd>
            </div>
            <div>
              <dt>Berths</dt>
              <dd>{travellers}</dd>
            </div>
            <div>
              <dt>From</dt>
              <dd>{travellers * pricePerBerth} euros</dd>
            </div>
            <div>
              <dt>Night desk</dt>
              <dd>{status}</dd>
            </div>
          </dl>
        </article>
      </section>
      {/* Rendered only when the account is known, because the chat needs a token for that user. */}
      {customer === undefined ? (
        <div className="chat" />
      ) : (
        <NightDesk userId={customer?.id ?? null} onStatus={setStatus} />
      )}
    </div>
  );
}
