import type { Branches, ConversationState } from '../state.ts';

const noBranches: Branches = {
  all: null,
  parents: new Map(),
  leaf: null,
  path: null,
  prelude: true,
  moves: [],
};

/** State of a conversation before anything is loaded. */
export const initialConversationState: ConversationState = {
  session: null,
  entries: [],
  welcome: null,
  running: false,
  stopReason: null,
  connection: 'idle',
  retryAt: null,
  error: null,
  stoppable: false,
  stopping: false,
  loading: false,
  hasEarlier: false,
  suggestions: [],
  allowances: [],
  endReason: null,
  lastSeq: 0,
  memory: {
    serverRunning: false,
    requestSeq: 0,
    lastAt: 0,
    attempted: [],
    previews: [],
    branches: noBranches,
    ratings: new Map(),
    suspended: [],
    openTools: [],
    orphans: [],
    unplaced: [],
  },
};
