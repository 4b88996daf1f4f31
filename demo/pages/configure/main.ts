import { definePlayground } from '../../playground/playground.ts';

definePlayground();
