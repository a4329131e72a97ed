import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchBrowser } from '@sluice/testing/browser';
import type { Page } from 'playwright-core';

/** a phone of the middle class beside this machine */
const slowdown = 4;
const page = '<!doctype html><title>Bare</title><p>One line</p><div style="height: 100000px"></div>';

export interface Paint {
  /** milliseconds from the navigation */
  first: number;
  largest: number;
}

/** Chromium with a session of the console, and a server of a page of one line, which is the baseline. */
export async function openBrowser(url: string, token: string) {
  const bare = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(page),
  ).listen(0, '127.0.0.1');
  await once(bare, 'listening');
  const browser = await launchBrowser();

  /** In a context of its own, with nothing in its cache. */
  async function within<Result>(work: (opened: Page) => Promise<Result>, slowed: number): Promise<Result> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    try {
      await context.addCookies([{ name: 'sluice', value: token, url, httpOnly: true, sameSite: 'Lax' }]);
      const opened = await context.newPage();
      const session = await context.newCDPSession(opened);
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowed });
      return await work(opened);
    } finally {
      await context.close();
    }
  }

  return {
    bareUrl: `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`,

    /** When a page is painted first, and its largest part. */
    paint: (address: string): Promise<Paint> =>
      within(async (opened) => {
        await opened.addInitScript(`
          globalThis.paints = { first: NaN, largest: NaN };
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              if (entry.name === 'first-contentful-paint') globalThis.paints.first = entry.startTime;
              if (entry.entryType === 'largest-contentful-paint') globalThis.paints.largest = entry.startTime;
            }
          }).observe({ entryTypes: ['paint', 'largest-contentful-paint'] });`);
        // feeds stay open, so the network is never idle
        await opened.goto(address, { waitUntil: 'load' });
        await opened.waitForTimeout(4_000);
        return await opened.evaluate<Paint>('globalThis.paints');
      }, slowdown),

    /** How long the page takes for each of some keys and clicks, in milliseconds. */
    interactions: (address: string): Promise<number[]> =>
      within(async (opened) => {
        await opened.goto(address);
        await opened.getByRole('row').nth(5).waitFor();
        await opened.evaluate(`
          globalThis.answered = [];
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (entry.interactionId) globalThis.answered.push(entry.duration);
          }).observe({ type: 'event', durationThreshold: 16 });`);
        for (let count = 0; count < 30; count++) {
          await opened.keyboard.press('j');
          await opened.waitForTimeout(50);
        }
        await opened.keyboard.press('/');
        await opened.keyboard.type('orders-99', { delay: 50 });
        for (let count = 0; count < 5; count++) {
          await opened.keyboard.press('Control+k');
          await opened.waitForTimeout(300);
          await opened.keyboard.press('Escape');
          await opened.waitForTimeout(300);
        }
        return await opened.evaluate<number[]>('globalThis.answered');
      }, slowdown),

    /**
     * Frames per second while the page scrolls by the wheel for five seconds.
     * @param shown what has to be there first
     * @param prepare what is done before the page is opened
     */
    frames: (
      address: string,
      shown?: string,
      prepare?: (opened: Page) => Promise<unknown>,
    ): Promise<number> =>
      within(async (opened) => {
        await prepare?.(opened);
        await opened.goto(address);
        if (shown !== undefined) await opened.locator(shown).first().waitFor();
        await opened.waitForTimeout(2_000);
        await opened.mouse.move(600, 500);
        await opened.evaluate(`
          globalThis.frames = 0;
          (function count() { globalThis.frames += 1; requestAnimationFrame(count); })();`);
        const begun = performance.now();
        while (performance.now() - begun < 5_000) {
          await opened.mouse.wheel(0, 120);
          await opened.waitForTimeout(30);
        }
        const seconds = (performance.now() - begun) / 1_000;
        return (await opened.evaluate<number>('globalThis.frames')) / seconds;
      }, 1),

    /** What is done with a page, on the full CPU. */
    with: <Result>(address: string, work: (opened: Page) => Promise<Result>): Promise<Result> =>
      within(async (opened) => {
        await opened.goto(address);
        return await work(opened);
      }, 1),

    async close() {
      await browser.close();
      bare.close();
    },
  };
}
