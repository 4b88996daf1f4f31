import { loadAccount } from './account.ts';
import { startAccountSelect } from './account-select.ts';
import { startDeveloperPanel } from './developer/panel.ts';
import { startPlayground } from './playground/playground.ts';

startAccountSelect();
startPlayground(startDeveloperPanel());
await loadAccount();
