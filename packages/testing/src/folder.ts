import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { handedOver } from './environment.ts';

/** A fresh folder for the caller alone, which is removed at the end of the test run at the latest. */
export async function testFolder(): Promise<string> {
  return await mkdtemp(join(handedOver('SLUICE_TEST_FOLDER'), 'own-'));
}
