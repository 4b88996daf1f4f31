/**
 * How a conversation reaches the platform. `connecting`: the first attempt. `open`: what is said
 * arrives. `reconnecting`: it was open, and is being opened again. `offline`: the browser says that
 * there is no network. `idle`: nothing is read, because nothing was said yet or nobody looks.
 * `closed`: nothing is tried any more.
 */
export type Connection = 'idle' | 'connecting' | 'open' | 'reconnecting' | 'offline' | 'closed';
