import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from '@playwright/test';
import type Axe from 'axe-core';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Audits an element with axe. Returns a line for each violated rule. */
export async function auditElement(element: Locator): Promise<string[]> {
  // Evaluated, because a script element would violate the Content Security Policy of the page.
  await element.page().evaluate(axeSource);
  return element.evaluate(async (audited) => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const { violations } = await axe.run(audited as Element);
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help} ${JSON.stringify(nodes[0]?.target)}`,
    );
  });
}

/** Records the violations of the Content Security Policy on all documents that the page opens next. */
export async function recordViolations(page: Page): Promise<readonly string[]> {
  const violations: string[] = [];
  await page.exposeFunction('reportViolation', (violation: string) => violations.push(violation));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      void (window as unknown as { reportViolation(text: string): void }).reportViolation(
        `${event.violatedDirective}: ${event.blockedURI} ${event.sample}`,
      );
    });
  });
  return violations;
}
