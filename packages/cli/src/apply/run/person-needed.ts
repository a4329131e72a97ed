import { CliError, exitCodes } from '@sluice/terminal/errors';

/** What is needed before it can go on is done by a person. */
export class PersonNeeded extends CliError {
  constructor(place: string, nodes: readonly string[]) {
    super({
      exitCode: exitCodes.partlyApplied,
      message: `The deployment ${place} waits for machines that a person enrols: ${nodes.join(', ')}.`,
      next: `sluice byoc enrol ${nodes[0] ?? '<node>'} ${place}, for each; then run it again: it goes on where it was`,
    });
  }
}
