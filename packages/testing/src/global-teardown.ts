import { stopShared } from './shared-servers.ts';

/** jest's globalTeardown. */
export default async function tearDown(): Promise<void> {
  await stopShared();
}
