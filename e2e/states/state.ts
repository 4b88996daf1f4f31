import type { TestPage } from './test-page.ts';

/** Window sizes of states. */
export const sizes = {
  phone: { width: 390, height: 700 },
  wide: { width: 960, height: 680 },
} as const;

/** Settings of the page. */
export interface Setting {
  /** @default 'phone' */
  readonly size?: keyof typeof sizes;
  /** @default 'light' */
  readonly scheme?: 'light' | 'dark';
  /** @default 'ltr' */
  readonly dir?: 'ltr' | 'rtl';
  /** Emulated contrast preference. @default none */
  readonly contrast?: 'more' | 'forced';
  /** Theme of the demo, such as `bank`. @default the widget's own design */
  readonly theme?: string;
  /** Whether the page has touch input. @default false */
  readonly touch?: boolean;
  /** Language of the page. @default 'en' */
  readonly lang?: string;
}

/** A visual state of the widget, with the steps that lead to it. */
export interface State extends Setting {
  /** Name in kebab case, also of the image file. */
  readonly name: string;
  /** Resolves when the state is reached. */
  readonly show: (testPage: TestPage) => Promise<unknown>;
}
