/**
 * State of the connection of a conversation. `connecting`: the first attempt. `open`: events arrive.
 * `reconnecting`: it was open and is being reopened. `offline`: the browser reports no network.
 * `idle`: not connected, because there is no session yet or the page is hidden. `closed`: no more
 * attempts.
 */
export type Connection = 'idle' | 'connecting' | 'open' | 'reconnecting' | 'offline' | 'closed';
