/** The last step of CI: failed tests and totals of all its commands, together. */
import { summarizeAll } from './summary.mjs';

const { failed } = summarizeAll();
process.exit(failed === 0 ? 0 : 1);
