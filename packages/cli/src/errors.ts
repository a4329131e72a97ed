import { SluiceError } from '@sluice/client';
import { CliError, exitCodes } from '@sluice/terminal/errors';

export const notSignedIn = (message: string, next = 'sluice login'): CliError =>
  new CliError({ exitCode: exitCodes.notSignedIn, message, next });

/** `--dry-run` has shown the request: the command ends here, and well. */
export class DryRunEnd extends SluiceError {
  constructor() {
    super({ code: 'dry_run', detail: 'The request is shown and not sent.' });
  }
}
