import lighthouse, { desktopConfig, type Config, type Flags } from 'lighthouse';
import { freePort } from '@sluice/testing';
import { launchBrowser } from '@sluice/testing/browser';
import { median } from '../report.ts';

const categories = ['performance', 'accessibility'] as const;

export interface Scores {
  performance: number;
  accessibility: number;
  /** audits that cost points, with what was found */
  findings: string[];
}

/** The device that Lighthouse tests for: its factor of 4 is for a machine with a benchmark index of 1,533. */
const phoneIndex = 1_533 / 4;

/**
 * By how much this machine is faster than the phone that Lighthouse tests for.
 * @see https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown
 */
export async function slowdownHere(url: string): Promise<number> {
  const indexes: number[] = [];
  for (let round = 0; round < 5; round++) {
    const { environment } = await audit(url, { onlyAudits: ['viewport'] });
    indexes.push(environment.benchmarkIndex);
  }
  return Math.max(1, median(indexes) / phoneIndex);
}

/**
 * What Lighthouse gives a page, of 100: with the CPU and the network of a phone, or of a desktop computer.
 * @param cookie of a session; undefined for pages that need none
 * @param slowdown of the CPU, for a phone; without it Lighthouse's own factor
 */
export async function scoresOf(
  url: string,
  { cookie, isDesktop, slowdown }: { cookie?: string; isDesktop: boolean; slowdown?: number },
): Promise<Scores> {
  const lhr = await audit(
    url,
    {
      onlyCategories: [...categories],
      ...(cookie !== undefined && { extraHeaders: { cookie } }),
      // what is not named keeps the values of the phone
      ...(slowdown !== undefined && { throttling: { cpuSlowdownMultiplier: slowdown } }),
    },
    isDesktop ? desktopConfig : undefined,
  );
  const score = (category: string) => Math.round(100 * (lhr.categories[category]?.score ?? NaN));
  const counted = categories.flatMap((category) => lhr.categories[category]?.auditRefs ?? []);
  const findings = counted
    .filter(({ weight }) => weight > 0)
    .flatMap(({ id }) => lhr.audits[id] ?? [])
    .filter(({ score: one }) => one !== null && one < 0.9)
    .map(({ id, displayValue }) => [id, displayValue].filter(Boolean).join(' '));
  return { performance: score('performance'), accessibility: score('accessibility'), findings };
}

async function audit(url: string, flags: Flags, config?: Config) {
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    const result = await lighthouse(url, { port, logLevel: 'error', ...flags }, config);
    if (!result) throw new Error(`Lighthouse says nothing about ${url}.`);
    const { lhr } = result;
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    return lhr;
  } finally {
    await browser.close();
  }
}
