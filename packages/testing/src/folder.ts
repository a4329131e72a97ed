import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handedOver } from './environment.ts';

/** A fresh folder for the caller alone, which is removed at the end of the test run at the latest. */
export async function testFolder(): Promise<string> {
  return await mkdtemp(join(handedOver('SLUICE_TEST_FOLDER'), 'own-'));
}

/** A fresh folder for the servers of a whole stack, in a test run or, for a benchmark, without one. The caller removes it. */
export async function stackFolder(): Promise<string> {
  return await mkdtemp(join(process.env.SLUICE_TEST_FOLDER ?? tmpdir(), 'sluice-stack-'));
}
