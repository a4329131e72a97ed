import { headers } from '@nats-io/nats-core';
import type { Page } from 'playwright-core';
import { servePage } from './served-page.ts';

/*
 * How long a large stream holds up the page: a million subjects, and messages of 8 MiB.
 *   npm run bench:streams            or with another number of subjects: npm run bench:streams -- 200000
 * Each line is a step, how long it took, and its longest task, by the clock and of the processor. It fails where one took longer than
 * `mostBlocked` of the processor.
 */

const subjects = Number(process.argv[2] ?? 1_000_000);
const large = { messages: 12, bytes: 8 * 2 ** 20 };
const mostBlocked = 200;

const served = await servePage();
const { manager, client, connection } = served.broker;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function fill() {
  const config = { allow_direct: true };
  await manager.streams.add({ name: 'many', subjects: ['many.>'], ...config });
  for (let index = 0; index < subjects; index++) {
    connection.publish(`many.device-${index % 1000}.sensor-${index}`, 'x');
    // the broker drops what it cannot take in
    if (index % 2000 === 1999) await client.publish('many.progress', String(index));
  }
  await client.publish('many.progress', 'done');
  await manager.streams.add({ name: 'large', subjects: ['large.>'], ...config });
  const about = headers();
  about.append('kind', 'large');
  const text = new TextEncoder().encode(
    JSON.stringify({
      rows: Array.from({ length: 90_000 }, (_, id) => ({ id, name: `row number ${id}`, is_last: false })),
    }),
  );
  const data = new Uint8Array(large.bytes).fill(32);
  data.set(text.subarray(0, large.bytes));
  for (let index = 0; index < large.messages; index++)
    await client.publish(`large.${index % 3}`, index % 4 === 3 ? data.map((byte) => byte ^ 0xff) : data, {
      headers: about,
      timeout: 30_000,
    });
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** in microseconds: of the clock, and of the processor */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** The longest task of the page's thread in processor time, which other load of the machine does not lengthen. Milliseconds. */
function longestOf(trace: Buffer): number | undefined {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur !== undefined && mains.has(`${pid} ${tid}`),
  );
  return tasks.length === 0 ? undefined : Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

let worst = 0;
async function step(page: Page, name: string, work: () => Promise<unknown>) {
  const browser = page.context().browser();
  await page.evaluate('window.longest = 0');
  await browser?.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  const begun = performance.now();
  await work();
  const took = performance.now() - begun;
  // the observer hears of a task after its end
  await page.waitForTimeout(300);
  const ofProcessor = longestOf((await browser?.stopTracing()) ?? Buffer.from('{"traceEvents":[]}'));
  const ofClock = await page.evaluate<number>('window.longest');
  worst = Math.max(worst, ofProcessor ?? ofClock);
  say(
    `${name.padEnd(44)} ${String(Math.round(took)).padStart(7)} ms   longest task ${Math.round(ofClock)} ms, of the processor ${Math.round(ofProcessor ?? NaN)} ms`,
  );
}

const observe = `new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
}).observe({ entryTypes: ['longtask'] })`;

async function look() {
  const { page, complaints } = await served.open('large');
  page.setDefaultTimeout(120_000);
  await page.evaluate('window.longest = 0');
  await page.evaluate(observe);
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
  const search = page.getByRole('textbox', { name: 'Search', exact: true });
  await step(page, 'messages of 8 MiB are listed', () =>
    page
      .getByRole('row', { name: /large\./ })
      .first()
      .waitFor(),
  );
  await step(page, 'their values are shown', () => page.getByText('Show values').click());
  await step(page, 'one is opened', async () => {
    await page
      .getByRole('row', { name: /large\./ })
      .first()
      .click();
    await page.getByLabel('Payload').waitFor();
    await button('Close').last().click();
  });
  for (const [kind, expression] of [
    ['Text', 'row number 89999'],
    ['Regular expression', 'row number 8{4}9"'],
    ['JMESPath', 'data.rows[?id == `80000`]'],
  ] as const) {
    await page.getByRole('button', { name: /Search by$/ }).click();
    await page.getByRole('option', { name: kind, exact: true }).click();
    await search.fill(expression);
    await step(page, `all are searched: ${kind}`, async () => {
      await button('Search').click();
      await page.getByText(/messages? found, 12 looked at/).waitFor();
    });
    await button('Leave the search').click();
  }
  await step(page, 'they are exported, 96 MiB', async () => {
    const download = page.waitForEvent('download');
    await button('Export').click();
    await download;
  });
  await page.getByRole('tab', { name: 'Live' }).click();
  await step(page, 'some more are followed live', async () => {
    for (let index = 0; index < 3; index++)
      await client.publish('large.live', new Uint8Array(large.bytes).fill(65), { timeout: 30_000 });
    await page
      .getByRole('row', { name: /large\.live/ })
      .first()
      .waitFor();
  });

  await button('All streams').click();
  await step(page, 'streams are listed', () => page.getByRole('row', { name: /many/ }).waitFor());
  await step(page, 'the stream of many subjects is opened', async () => {
    await page.getByRole('row', { name: /many/ }).click();
    await page
      .getByRole('row', { name: /many\./ })
      .first()
      .waitFor();
  });
  await step(page, `its ${subjects} subjects are read`, async () => {
    await page.getByRole('tab', { name: 'Subjects' }).click();
    await button('Open many').waitFor();
  });
  await step(page, 'a thousand branches are opened and scrolled', async () => {
    await button('Open many').click();
    await button(/^Open many\.device/)
      .first()
      .waitFor();
    for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 900);
    await page.getByRole('region', { name: 'Subjects' }).evaluate('(list) => list.scrollTo(0, 20000)');
  });
  await step(page, 'what is below one is read', async () => {
    await page.getByRole('textbox', { name: 'Only below' }).fill('many.device-7');
    await button('Look').click();
    await page
      .getByText(`${(subjects / 1000).toLocaleString('en-US')} subjects`, { exact: true })
      .first()
      .waitFor();
  });
  if (complaints.length > 0) say(complaints.join('\n'));
}

try {
  const begun = performance.now();
  await fill();
  say(`filled in ${Math.round((performance.now() - begun) / 1000)} s`);
  await look();
} finally {
  await served.close();
}
say(`longest of all: ${Math.round(worst)} ms`);
if (worst > mostBlocked) process.exitCode = 1;
