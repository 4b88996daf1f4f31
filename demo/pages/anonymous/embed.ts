import { allowOrigins } from '@inlay/elements/define';
import { pageTools } from '../shared/page-tools.ts';
import { platform } from '../shared/platform.ts';

// Lets attributes name the platform, which has another origin.
allowOrigins(platform);

document.querySelector('inlay-chat')?.configure({ tools: pageTools });
