import { definePlayground } from '@inlay/docs/playground';

definePlayground();
