import { afterAll, afterEach } from 'vitest';
import { recordStores } from './watch-worker.ts';

// Vitest runs this setup file for each test file, but loads other modules once per worker.
afterEach(recordStores);
afterAll(recordStores);
