import { defineElements } from './lib/tags.ts';

defineElements();
