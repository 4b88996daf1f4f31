import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { followAppearance } from './appearance.ts';
import './style.css';

// biome-ignore lint/style/noDefaultExport: VitePress requires it.
export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (!import.meta.env.SSR) followAppearance();
  },
} satisfies Theme;
