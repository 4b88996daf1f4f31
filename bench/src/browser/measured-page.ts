import { type Browser, type CDPSession, chromium, type Page } from 'playwright';
import { chromiumLaunchOptions } from '../../../scripts/find-chromium.mjs';
import type { PageName } from './build-pages.ts';
import type { Setup } from './pages/contender.ts';

/** Seconds of processor time of the main thread, and what is in memory, by Chromium's counters. */
export interface Counters {
  /** All tasks. */
  task: number;
  /** Style and layout. */
  layout: number;
  nodes: number;
  /** Bytes. */
  heap: number;
}

/** A page with a chat, in a context of its own, with Chromium's counters at hand. */
export interface MeasuredPage {
  readonly page: Page;
  counters(): Promise<Counters>;
  collectGarbage(): Promise<void>;
  /** Trees that no document holds and a script still does, but for `<template>` elements. */
  detachedNodes(): Promise<number>;
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
  /** How many times slower the processor is for the page. */
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
  // Processor time rather than the clock: other processes of this machine are not in it.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  // What tsx puts around functions that have names, also around those that are sent to the page.
  await page.addInitScript({ content: 'globalThis.__name = (value) => value;' });
  await page.addInitScript((given) => {
    globalThis.benchSetup = given;
  }, setup);
  await page.goto(`${origin}/${name}${mount ? '?mount' : ''}`);
  await page.waitForFunction(() => 'contender' in globalThis);
  return {
    page,
    counters: () => readCounters(cdp),
    collectGarbage: () => collectGarbage(cdp),
    async detachedNodes() {
      const { detachedNodes } = await cdp.send('DOM.getDetachedDomNodes');
      // A library parses each of its templates once and keeps it: that does not grow.
      return detachedNodes.filter(({ treeNode }) => treeNode.nodeName !== 'TEMPLATE').length;
    },
    close: () => context.close(),
  };
}

async function readCounters(cdp: CDPSession): Promise<Counters> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => {
    const metric = metrics.find((each) => each.name === name);
    if (!metric) throw new Error(`Chromium has no counter ${name}.`);
    return metric.value;
  };
  return {
    task: of('TaskDuration'),
    layout: of('LayoutDuration') + of('RecalcStyleDuration'),
    nodes: of('Nodes'),
    heap: of('JSHeapUsedSize'),
  };
}

async function collectGarbage(cdp: CDPSession): Promise<void> {
  // Once is not enough for what finalisers let go of.
  for (let times = 0; times < 3; times += 1) await cdp.send('HeapProfiler.collectGarbage');
}
