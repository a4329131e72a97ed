import { endStack } from '../run-folder.ts';
import { stackUsers } from './stack-users.ts';

/**
 * jest's reporter that ends the stack of a run after the last file that may use it: with its nodes it costs a third of a processor, also
 * where nobody asks it for anything.
 */
export default class EndStack {
  onTestFileResult({ path }: { path: string }): void {
    if (!stackUsers.delete(path) || stackUsers.size > 0) return;
    const { SLUICE_TEST_FOLDER: folder } = process.env;
    // the end of the run ends what is left
    if (folder !== undefined) void endStack(folder).catch(() => undefined);
  }
}
