import { afterAll, afterEach } from 'vitest';
import { noteStores } from './watch-worker.ts';

// A setup file: it runs for each file of tests, while modules stay for all that a worker runs.
afterEach(noteStores);
afterAll(noteStores);
