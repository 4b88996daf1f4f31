import type { AuthStatus } from '@inlay/client';
import { InlayChat } from '@inlay/react';
import { getToken } from '../shared/get-token.ts';
import { pageTools } from '../shared/page-tools.ts';
import { platform } from '../shared/platform.ts';

interface NightDeskProps {
  /** Who is signed in; null: nobody. */
  personId: string | null;
  onStatus: (status: AuthStatus) => void;
}

/** The chat as a component. Its `key` makes it a new one, without a memory, for a new person. */
export function NightDesk({ personId, onStatus }: NightDeskProps) {
  return (
    <InlayChat
      key={personId}
      className="chat"
      baseUrl={platform}
      getToken={getToken}
      tools={pageTools}
      onAuthChange={(event) => onStatus(event.detail.status)}
    />
  );
}
