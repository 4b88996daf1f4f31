import { afterAll, afterEach } from 'vitest';
import { recordStores } from './watch-worker.ts';

// A setup file, which runs for each test file; modules live as long as the worker.
afterEach(recordStores);
afterAll(recordStores);
