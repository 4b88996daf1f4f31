/** Requests a token for the signed-in user from our backend. Null if no user is signed in. */
export async function getToken() {
  const response = await fetch('/api/chat-token', { method: 'POST' });
  if (response.ok) return response.json();
  if (response.status === 401) return null;
  // The chat tells the user the reason for codes such as EMBED_USER_BLOCKED, and retries after other errors.
  const { code } = await response.json().catch(() => ({}));
  throw Object.assign(new Error(`No chat token: ${response.status}`), { code });
}
