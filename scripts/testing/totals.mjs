/** Last step of CI: prints the failed tests and totals of all commands. */
import { summarizeAll } from './summary.mjs';

const { failed } = summarizeAll();
process.exit(failed === 0 ? 0 : 1);
