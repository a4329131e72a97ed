import { join } from 'node:path';

/** The folder of these sources. */
export const repository = join(import.meta.dirname, '../../..');
