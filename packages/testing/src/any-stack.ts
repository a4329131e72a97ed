import { givenStack, isStackGiven } from './given-stack.ts';
import { clientsOf, startStack, type Stack } from './stack.ts';
import { stackOfRun } from './stack-of-run.ts';

/**
 * A tenant on the stack that `SLUICE_STACK_FILE` names, or on the one that all files of a test run share: to start one costs
 * as much as dozens of tests. What looks at more than its tenants needs `aloneOnStack`, and what needs a folder or processes `startStack`.
 */
export async function anyStack(): Promise<Stack> {
  if (isStackGiven) return await given();
  return process.env.SLUICE_TEST_FOLDER === undefined ? await startStack() : await stackOfRun();
}

/** The stack that `SLUICE_STACK_FILE` names, or one of one's own. */
export async function aloneOnStack(): Promise<Stack> {
  return isStackGiven ? await given() : await startStack();
}

async function given(): Promise<Stack> {
  const file = await givenStack();
  return {
    ...file,
    ...clientsOf(file),
    // who comes through a container's port comes from an address of the network between
    clientBlock: '0.0.0.0/0',
    home: '',
    portBase: 0,
    output: () => '',
    stop: async () => 0,
    remove: async () => {},
  };
}
