import { loadAccount } from './account.ts';
import { startAccountSelect } from './account-select.ts';
import { startPlayground } from './playground/playground.ts';

startAccountSelect();
startPlayground();
await loadAccount();
