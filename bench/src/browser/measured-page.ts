import { type Browser, type CDPSession, chromium, type Page } from 'playwright';
import { chromiumLaunchOptions } from '../../../scripts/find-chromium.mjs';
import type { PageName } from './build-pages.ts';
import type { Setup } from './pages/bench-chat.ts';

/** Chromium's counters: CPU time of the main thread in seconds, and memory use. */
export interface Counters {
  /** Seconds in tasks of any kind. */
  task: number;
  /** Seconds in style and layout. */
  layout: number;
  nodes: number;
  /** Size of the JavaScript heap in bytes. */
  heap: number;
}

/** A page with a chat, in its own browser context. */
export interface MeasuredPage {
  readonly page: Page;
  counters(): Promise<Counters>;
  collectGarbage(): Promise<void>;
  /** Number of detached DOM trees that scripts still reference, excluding `<template>` elements. */
  detachedTrees(): Promise<number>;
  close(): Promise<void>;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch(chromiumLaunchOptions());
}

export interface PageOptions {
  name: PageName;
  setup: Setup;
  /** Whether the page mounts the chat as soon as its script runs. */
  mount?: boolean;
  /** CPU throttling factor. */
  throttle?: number;
}

export async function openPage(
  browser: Browser,
  options: PageOptions & { origin: string },
): Promise<MeasuredPage> {
  const { origin, name, setup, mount = false, throttle = 1 } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const cdp = await context.newCDPSession(page);
  // Measures CPU time, because elapsed time depends on other processes.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  // tsx wraps named functions in `__name()`, including functions that are evaluated in the page.
  await page.addInitScript({ content: 'globalThis.__name = (value) => value;' });
  await page.addInitScript((pageSetup) => {
    globalThis.benchSetup = pageSetup;
  }, setup);
  await page.goto(`${origin}/${name}${mount ? '?mount' : ''}`);
  await page.waitForFunction(() => 'benchChat' in globalThis);
  return {
    page,
    counters: () => readCounters(cdp),
    collectGarbage: () => collectGarbage(cdp),
    async detachedTrees() {
      const { detachedNodes } = await cdp.send('DOM.getDetachedDomNodes');
      // Lit caches each template once, so that their number does not grow.
      return detachedNodes.filter(({ treeNode }) => treeNode.nodeName !== 'TEMPLATE').length;
    },
    close: () => context.close(),
  };
}

async function readCounters(cdp: CDPSession): Promise<Counters> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const readMetric = (name: string) => {
    const metric = metrics.find((each) => each.name === name);
    if (!metric) throw new Error(`Chromium has no counter ${name}.`);
    return metric.value;
  };
  return {
    task: readMetric('TaskDuration'),
    layout: readMetric('LayoutDuration') + readMetric('RecalcStyleDuration'),
    nodes: readMetric('Nodes'),
    heap: readMetric('JSHeapUsedSize'),
  };
}

async function collectGarbage(cdp: CDPSession): Promise<void> {
  // Objects released by finalizers need further collections.
  for (let run = 0; run < 3; run += 1) await cdp.send('HeapProfiler.collectGarbage');
}
