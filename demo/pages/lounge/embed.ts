import { allowOrigins } from '@inlay/elements/define';
import { platform } from '../shared/platform.ts';

// Lets attributes name the platform, which has another origin.
allowOrigins(platform);
