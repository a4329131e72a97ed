import { ask } from '@sluice/console-core/early.ts';

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
 * @param drawn when the code of the page may begin
 * @returns once it is there
 */
export async function askEarly(path: string, drawn: Promise<void>): Promise<void> {
  const page = firstPages.find((one) => one.path.test(path));
  if (!page) return;
  page.reads(page.path.exec(path)?.[1] ?? '').forEach(ask);
  await drawn;
  await page.load();
}
