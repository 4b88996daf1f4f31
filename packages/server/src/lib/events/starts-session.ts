/** Whether an event is content of the user. The first such event starts an empty session. */
export function startsSession({ type }: { readonly type: string }): boolean {
  return type === 'user.message' || type === 'user.card_action';
}
