import type { Stage } from './stage.ts';

/** What a state is looked at in: a phone's window, or a wide one. */
export const sizes = {
  phone: { width: 390, height: 700 },
  wide: { width: 960, height: 680 },
} as const;

/** How the page is set up that the widget stands in. */
export interface Setting {
  /** Default: `phone`. */
  readonly size?: keyof typeof sizes;
  /** Default: `light`. */
  readonly scheme?: 'light' | 'dark';
  /** Default: `ltr`. */
  readonly dir?: 'ltr' | 'rtl';
  /** What the browser asks for beside the colours. Default: nothing. */
  readonly contrast?: 'more' | 'forced';
  /** One of the demo's themes, such as `bank`. Default: the widget's own look. */
  readonly theme?: string;
  /** Whether fingers press it. Default: false. */
  readonly touch?: boolean;
  /** Language of the page. Default: `en`. */
  readonly lang?: string;
}

/** Something that the widget can look like, and how it comes to it. */
export interface State extends Setting {
  /** In kebab case: the name of its image. */
  readonly name: string;
  /** Resolves when it is reached. */
  readonly show: (stage: Stage) => Promise<unknown>;
}
