import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// an announcement outlives the button that it names, for some seconds
const run = `axe.run({ exclude: [['[data-live-announcer]']] }, { resultTypes: ['violations'] })`;

/**
 * What axe finds wrong on a page as it is shown now. axe's own package for Playwright opens another page for each look, and has axe also describe
 * all that is right: that takes six times the processor.
 */
export async function accessibilityFaults(page: Page): Promise<Result[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate<boolean>('"axe" in window'))) await frame.evaluate(source);
  return (await page.evaluate<AxeResults>(run)).violations;
}
