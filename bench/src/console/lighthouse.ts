import lighthouse, { desktopConfig } from 'lighthouse';
import { freePort } from '@sluice/testing';
import { launchBrowser } from '@sluice/testing/browser';

const categories = ['performance', 'accessibility'] as const;

export interface Scores {
  /** NaN where Lighthouse saw no paint */
  performance: number;
  accessibility: number;
  /** audits that cost points, with what was found */
  findings: string[];
}

/**
 * What Lighthouse gives a page, of 100: with the CPU and the network of a phone, or of a desktop computer.
 * @param cookie of a session; undefined for pages that need none
 */
export async function scoresOf(
  url: string,
  { cookie, isDesktop }: { cookie?: string; isDesktop: boolean },
): Promise<Scores> {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    const flags = {
      ...{ port, logLevel: 'error' as const, onlyCategories: [...categories] },
      ...(cookie !== undefined && { extraHeaders: { cookie } }),
    };
    const result = await lighthouse(url, flags, isDesktop ? desktopConfig : undefined);
    if (!result) throw new Error(`Lighthouse says nothing about ${url}.`);
    const { lhr } = result;
    if (lhr.runtimeError && lhr.runtimeError.code !== 'NO_FCP') throw new Error(lhr.runtimeError.message);
    const score = (category: string) => Math.round(100 * (lhr.categories[category]?.score ?? NaN));
    const counted = categories.flatMap((category) => lhr.categories[category]?.auditRefs ?? []);
    const findings = counted
      .filter(({ weight }) => weight > 0)
      .flatMap(({ id }) => lhr.audits[id] ?? [])
      .filter(({ score: one }) => one !== null && one < 0.9)
      .map(({ id, displayValue }) => [id, displayValue].filter(Boolean).join(' '));
    return { performance: score('performance'), accessibility: score('accessibility'), findings };
  } finally {
    await browser.close();
  }
}
