import type { AuthStatus } from '@inlay/client';
import { InlayChat } from '@inlay/react';
import { getToken } from '../shared/get-token.ts';
import { pageTools } from '../shared/page-tools.ts';
import { platform } from '../shared/platform.ts';

interface NightDeskProps {
  /** Id of the signed-in user; null if no user is signed in. */
  userId: string | null;
  onStatus: (status: AuthStatus) => void;
}

/** The chat as a component. For another user, the `key` creates a new chat without earlier data. */
export function NightDesk({ userId, onStatus }: NightDeskProps) {
  return (
    <InlayChat
      key={userId}
      className="chat"
      baseUrl={platform}
      getToken={getToken}
      tools={pageTools}
      onAuthChange={(event) => onStatus(event.detail.status)}
    />
  );
}
