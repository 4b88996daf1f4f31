/** Asks our own backend for a token for whoever is signed in. Null: nobody is. */
export async function getToken() {
  const response = await fetch('/api/chat-token', { method: 'POST' });
  if (response.ok) return response.json();
  if (response.status === 401) return null;
  // With a `code` such as EMBED_USER_BLOCKED the chat says so; anything else it tries again.
  const { code } = await response.json().catch(() => ({}));
  throw Object.assign(new Error(`No chat token: ${response.status}`), { code });
}
