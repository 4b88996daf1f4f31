import '@inlay/elements/define';
import { pageTools } from '../shared/page-tools.ts';

document.querySelector('inlay-chat')?.configure({ tools: pageTools });
