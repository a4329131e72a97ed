/** how old an answer may be that a page takes */
const mostMs = 10_000;

interface Asked {
  answer: Promise<Response>;
  at: number;
}

const asked = new Map<string, Asked>();

interface FirstPage {
  path: RegExp;
  load: () => Promise<unknown>;
  /** what the page reads of the Main API, as its queries ask for it */
  reads: (tenant: string) => string[];
}

const ofShell = (tenant: string) => [`/tenants/${tenant}/context`, '/account'];

/** The pages that people open first. All others come as they do within the console: their code and data after the frame. */
const firstPages: readonly FirstPage[] = [
  {
    path: /^\/sign-in$/,
    load: () => import('./pages/sign-in/sign-in-page.tsx'),
    reads: () => ['/account/auth/sources'],
  },
  {
    path: /^\/t\/(\d+)\/?$/,
    load: () => import('./pages/overview/overview-page.tsx'),
    reads: (tenant) => [
      ...ofShell(tenant),
      `/tenants/${tenant}/structure`,
      `/tenants/${tenant}/summary`,
      '/context',
      `/tenants/${tenant}/deployments?status=failed&page=1&results=100`,
    ],
  },
  {
    path: /^\/t\/(\d+)\/deployments$/,
    load: () => import('./pages/deployments/deployments-page.tsx'),
    reads: ofShell,
  },
  { path: /^\/t\/(\d+)\//, load: () => Promise.resolve(), reads: ofShell },
];

/**
 * Asks for what the page at a path shows first, while the code of the console is on its way.
 * @returns once the code of the page is there
 */
export async function askEarly(path: string): Promise<void> {
  const page = firstPages.find((one) => one.path.test(path));
  if (!page) return;
  for (const read of page.reads(page.path.exec(path)?.[1] ?? '')) {
    const answer = fetch(`/api/main${read}`, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
    // whoever takes it asks again
    answer.catch(() => undefined);
    asked.set(read, { answer, at: performance.now() });
  }
  await page.load();
}

/**
 * The answer that was asked for early, for the first who wants it.
 * @param read path and query, without the beginning that all addresses of the Main API have
 */
export function takeEarly(read: string): Promise<Response> | undefined {
  const found = asked.get(read);
  asked.delete(read);
  return found && performance.now() - found.at < mostMs ? found.answer : undefined;
}

/** To call when another session begins in this browser, or this one ends. */
export const forgetEarly = (): void => asked.clear();
